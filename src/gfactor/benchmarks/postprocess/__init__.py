"""Changing items after they were made: transformations that register themselves, reversible."""

from gfactor.benchmarks.postprocess.history import steps_of, undone
from gfactor.benchmarks.postprocess.transformation import (
    TRANSFORMATIONS,
    Transformation,
    register,
    revised,
)
from gfactor.benchmarks.postprocess.transforming import Transformed, applied, transform, undo

__all__ = [
    "TRANSFORMATIONS",
    "Transformation",
    "Transformed",
    "applied",
    "register",
    "revised",
    "steps_of",
    "transform",
    "undo",
    "undone",
]
