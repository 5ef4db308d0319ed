"""Measurement invariance: tests of whether groups are measured in the same way."""

from gfactor.psychometrics.sem.measurement_invariance.analysis import CUTOFFS, invariance
from gfactor.psychometrics.sem.measurement_invariance.result import (
    Invariance,
    InvarianceStep,
    ReleasedEquality,
)
from gfactor.psychometrics.sem.measurement_invariance.steps import (
    BINARY,
    CONTINUOUS,
    ORDINAL,
    TERNARY,
    Level,
)

__all__ = [
    "BINARY",
    "CONTINUOUS",
    "CUTOFFS",
    "ORDINAL",
    "TERNARY",
    "Invariance",
    "InvarianceStep",
    "Level",
    "ReleasedEquality",
    "invariance",
]
