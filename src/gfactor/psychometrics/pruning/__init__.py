"""GOLD's Algorithm 1: fewer tasks by redundancy and contribution, with what the choice is worth."""

from gfactor.psychometrics.pruning.algorithm import Pruning, prune
from gfactor.psychometrics.pruning.resampled import PruningStability, ablation, stability
from gfactor.psychometrics.pruning.stack import PruningRules
from gfactor.psychometrics.pruning.validation import PruningValidation, validate

__all__ = [
    "Pruning",
    "PruningRules",
    "PruningStability",
    "PruningValidation",
    "ablation",
    "prune",
    "stability",
    "validate",
]
