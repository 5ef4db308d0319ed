"""Changing items after they were made: transformations that register themselves, reversible."""

from gfactor.benchmarks.postprocess.history import steps_of, undone
from gfactor.benchmarks.postprocess.transformation import (
    TRANSFORMATIONS,
    Transformation,
    register,
    register_variant,
    revised,
)
from gfactor.benchmarks.postprocess.transforming import Transformed, applied, transform, undo
from gfactor.benchmarks.postprocess.variants import Variants, draw_variants, twins_of

__all__ = [
    "TRANSFORMATIONS",
    "Transformation",
    "Transformed",
    "Variants",
    "applied",
    "draw_variants",
    "register",
    "register_variant",
    "revised",
    "steps_of",
    "transform",
    "twins_of",
    "undo",
    "undone",
]
