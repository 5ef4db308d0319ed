"""What was answered: extraction, judges, policies, rules, chance, accuracies, the score matrix."""

from gfactor.scoring.averaging import averaged
from gfactor.scoring.chance import chance_levels
from gfactor.scoring.exporting import write_answers
from gfactor.scoring.extraction import VERSION, Extraction, lenient, strict
from gfactor.scoring.judging import ask_judge
from gfactor.scoring.matrix import ScoreMatrix, matrix
from gfactor.scoring.policies import POLICIES, POLICY_OF
from gfactor.scoring.proportion import wilson
from gfactor.scoring.replies import STATUSES
from gfactor.scoring.rules import RULES, Points, credit, points
from gfactor.scoring.score import scored
from gfactor.scoring.summary import by_label, choose, summary

__all__ = [
    "POLICIES",
    "POLICY_OF",
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
    "lenient",
    "matrix",
    "points",
    "scored",
    "strict",
    "summary",
    "wilson",
    "write_answers",
]
