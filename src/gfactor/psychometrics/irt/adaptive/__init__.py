"""Adaptive testing: posteriors, the choice of the next question, when to stop."""

from gfactor.psychometrics.irt.adaptive.cat import Cat, sympson_hetter
from gfactor.psychometrics.irt.adaptive.exposure import Progressive, Randomesque, SympsonHetter
from gfactor.psychometrics.irt.adaptive.posterior import AbilityPosterior
from gfactor.psychometrics.irt.adaptive.questplus import QuestPlus
from gfactor.psychometrics.irt.adaptive.selection import Candidates, choose, in_flight
from gfactor.psychometrics.irt.adaptive.stopping import (
    Progress,
    StopRule,
    ranking_decided,
    undecided_pairs,
)

__all__ = [
    "AbilityPosterior",
    "Candidates",
    "Cat",
    "Progress",
    "Progressive",
    "QuestPlus",
    "Randomesque",
    "StopRule",
    "SympsonHetter",
    "choose",
    "in_flight",
    "ranking_decided",
    "sympson_hetter",
    "undecided_pairs",
]
