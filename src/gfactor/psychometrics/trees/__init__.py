"""Multinomial processing trees, and the loss on pictures divided between seeing and reasoning."""

from gfactor.psychometrics.trees.fit import ProcessingTree, fit_processing_tree
from gfactor.psychometrics.trees.gap import PerceptionGap, perception_gap
from gfactor.psychometrics.trees.gap_analysis import (
    GapAnalysis,
    analyze_gap,
    genuine_accuracy,
    size_thresholds,
)
from gfactor.psychometrics.trees.model import TreeModel

__all__ = [
    "GapAnalysis",
    "PerceptionGap",
    "ProcessingTree",
    "TreeModel",
    "analyze_gap",
    "fit_processing_tree",
    "genuine_accuracy",
    "perception_gap",
    "size_thresholds",
]
