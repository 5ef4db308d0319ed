"""Measurement invariance: the same measure in all groups?"""

from gfactor.psychometrics.sem.invariance.analysis import CUTOFFS, invariance
from gfactor.psychometrics.sem.invariance.result import Invariance, Release, Step
from gfactor.psychometrics.sem.invariance.steps import BINARY, CONTINUOUS, ORDINAL, Level

__all__ = [
    "BINARY",
    "CONTINUOUS",
    "CUTOFFS",
    "ORDINAL",
    "Invariance",
    "Level",
    "Release",
    "Step",
    "invariance",
]
