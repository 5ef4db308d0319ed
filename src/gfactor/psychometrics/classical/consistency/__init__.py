"""Reliability of scores: of sums of indicators, and of constructs."""

from gfactor.psychometrics.classical.consistency.composites import (
    component_reliability,
    composite_reliability,
    omega,
    standardized_alpha,
)
from gfactor.psychometrics.classical.consistency.scores import (
    FEW_EXAMINEES,
    Reliability,
    cronbach_alpha,
    feldt_interval,
    reliability,
    split_half,
)

__all__ = [
    "FEW_EXAMINEES",
    "Reliability",
    "component_reliability",
    "composite_reliability",
    "cronbach_alpha",
    "feldt_interval",
    "omega",
    "reliability",
    "split_half",
    "standardized_alpha",
]
