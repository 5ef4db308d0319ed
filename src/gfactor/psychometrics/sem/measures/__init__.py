"""Measures of fit under lavaan's names: one file per family, which registers itself."""

from gfactor.psychometrics.sem.measures import (
    absolute_fit,
    approximation,
    chisquare_statistic,
    incremental_fit,
    information_criteria,
    residual_fit,
)
from gfactor.psychometrics.sem.measures.context import Context, Measures, all_measures

__all__ = [
    "Context",
    "Measures",
    "absolute_fit",
    "all_measures",
    "approximation",
    "incremental_fit",
    "information_criteria",
    "residual_fit",
    "chisquare_statistic",
]
