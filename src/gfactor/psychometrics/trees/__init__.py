"""Multinomial processing trees, and what pictures lose in seeing and in reasoning."""

from gfactor.psychometrics.trees.fit import ProcessingTree, fit_processing_tree
from gfactor.psychometrics.trees.gap import PerceptionGap, perception_gap
from gfactor.psychometrics.trees.model import TreeModel

__all__ = [
    "PerceptionGap",
    "ProcessingTree",
    "TreeModel",
    "fit_processing_tree",
    "perception_gap",
]
