"""Pruning of tasks by GOLD's Algorithm 1 and of a benchmark's items, and its validation."""

from gfactor.psychometrics.pruning.algorithm import Pruning, prune
from gfactor.psychometrics.pruning.items import PrunedItems, prune_items
from gfactor.psychometrics.pruning.resampled import PruningStability, ablation, stability
from gfactor.psychometrics.pruning.stack import PruningRules
from gfactor.psychometrics.pruning.validation import PruningValidation, validate

__all__ = [
    "PrunedItems",
    "Pruning",
    "PruningRules",
    "PruningStability",
    "PruningValidation",
    "ablation",
    "prune",
    "prune_items",
    "stability",
    "validate",
]
