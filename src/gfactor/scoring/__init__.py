"""What was answered: extraction, scoring rules, chance, accuracies, the score matrix."""

from gfactor.scoring.chance import chance_levels
from gfactor.scoring.extraction import VERSION, Extraction, lenient, strict
from gfactor.scoring.matrix import ScoreMatrix, matrix
from gfactor.scoring.proportion import wilson
from gfactor.scoring.rules import RULES, credit
from gfactor.scoring.score import scored
from gfactor.scoring.summary import by_label, choose, summary

__all__ = [
    "RULES",
    "VERSION",
    "Extraction",
    "ScoreMatrix",
    "by_label",
    "chance_levels",
    "choose",
    "credit",
    "lenient",
    "matrix",
    "scored",
    "strict",
    "summary",
    "wilson",
]
