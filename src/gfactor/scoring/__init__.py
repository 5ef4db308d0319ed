"""Scoring of answers: extraction, judges, policies, rules, chance, accuracies, the score matrix."""

from gfactor.scoring.averaging import averaged, units
from gfactor.scoring.chance import chance_levels, item_chance, with_chance
from gfactor.scoring.exporting import write_answers
from gfactor.scoring.extraction.conforming import strict
from gfactor.scoring.extraction.formatted import VERSION, lenient
from gfactor.scoring.extraction.result import Extraction
from gfactor.scoring.judging import ask_judge
from gfactor.scoring.policies import POLICIES, POLICY_OF
from gfactor.scoring.replies import STATUSES
from gfactor.scoring.rules import RULES, Points, credit, points
from gfactor.scoring.score import scored, scored_in_parts
from gfactor.scoring.score_matrix import ScoreMatrix, matrix
from gfactor.scoring.summaries import READERS, by_label, choose, shares, summary

__all__ = [
    "POLICIES",
    "POLICY_OF",
    "READERS",
    "RULES",
    "STATUSES",
    "VERSION",
    "Extraction",
    "Points",
    "ScoreMatrix",
    "ask_judge",
    "averaged",
    "by_label",
    "chance_levels",
    "choose",
    "credit",
    "item_chance",
    "lenient",
    "matrix",
    "points",
    "scored",
    "scored_in_parts",
    "shares",
    "strict",
    "summary",
    "units",
    "with_chance",
    "write_answers",
]
