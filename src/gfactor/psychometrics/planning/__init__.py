"""Planning: how many items, occasions, prompts, models an aim needs, and what they cost."""

from gfactor.psychometrics.planning.aims import Aim, Simulated
from gfactor.psychometrics.planning.components import Components
from gfactor.psychometrics.planning.inflation_aim import InflationAim
from gfactor.psychometrics.planning.models import Ability, Alpha, FitAim, Threshold
from gfactor.psychometrics.planning.rank_aim import Ranks
from gfactor.psychometrics.planning.result import AnswerCosts, Plan, make_plan
from gfactor.psychometrics.planning.scores import DependabilityAim, DifferenceAim, StandardError

__all__ = [
    "Ability",
    "Aim",
    "Alpha",
    "AnswerCosts",
    "Components",
    "DependabilityAim",
    "DifferenceAim",
    "FitAim",
    "InflationAim",
    "Plan",
    "Ranks",
    "Simulated",
    "StandardError",
    "Threshold",
    "make_plan",
]
