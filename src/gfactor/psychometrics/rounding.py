"""Decisions that do not depend on the last bits of numbers: order with ties, and rounded zeros.

Sums come out differently in their last bits on different processors. Numbers that are equal in
exact arithmetic (two modification indices of equivalent changes, a residual that is zero) must not
be ordered, chosen or printed by their rounding errors.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

TIE = 1e-6
"""Values that differ by less than this share of their size are a tie."""

_FAINT = 1e-9
"""Values that differ by less than this share of the largest one are a tie, too."""

ZERO = 1e-11
"""A result below this share of the numbers that it was subtracted from is zero."""


def descending(values: ArrayLike) -> NDArray[np.intp]:
    """Return the order of values from largest to smallest, with ties in their given order.

    Neighbors in the order that differ by less than `TIE` belong to one tie; NaN comes last.
    """
    x = np.asarray(values, float)
    order = np.argsort(-x, kind="stable")
    falling = x[order]
    size = float(np.abs(x[np.isfinite(x)]).max(initial=0.0))
    with np.errstate(invalid="ignore"):
        steps = falling[:-1] - falling[1:]
        apart = ~(steps <= TIE * np.abs(falling[:-1]) + _FAINT * size)
    group = np.concatenate([[0], np.cumsum(apart)]) if x.size else np.zeros(0, int)
    return order[np.lexsort((order, group))]


def first_largest(values: ArrayLike) -> int:
    """Return the position of the largest value; the first of several tied ones."""
    return int(descending(values)[0])


def cleared(values: ArrayLike, sizes: ArrayLike = 1.0) -> Floats:
    """Return values, with 0 for those below `ZERO` times `sizes`; the two are broadcast."""
    x = np.asarray(values, float)
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(x) <= ZERO * np.abs(np.asarray(sizes, float)), 0.0, x)


def magnitude(gradient: float, least: float = 1e-8) -> float:
    """Return a power of ten above a number that is zero up to rounding, such as the gradient at a
    maximum.

    The digits of such a number differ between processors and are meaningless; below `least`, its
    size is meaningless as well.
    """
    if not math.isfinite(gradient):
        return float(gradient)
    power = max(math.ceil(math.log10(max(abs(gradient), least)) - 1e-6), round(math.log10(least)))
    return float(f"1e{power}")
