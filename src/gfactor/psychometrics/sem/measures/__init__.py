"""Measures of fit under lavaan's names: one file per family, which registers itself."""

from gfactor.psychometrics.sem.measures import (
    absolute,
    chisquare,
    incremental,
    likelihood,
    residual,
    rmsea,
)
from gfactor.psychometrics.sem.measures.context import Context, Measures, all_measures

__all__ = [
    "Context",
    "Measures",
    "absolute",
    "all_measures",
    "chisquare",
    "incremental",
    "likelihood",
    "residual",
    "rmsea",
]
