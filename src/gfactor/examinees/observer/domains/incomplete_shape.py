"""Incomplete shape: find the kind for which all pieces are equally far out from one center. The
distance of a point is that to the side that it is farthest beyond, measured from the center at a
right angle to the side; from a circle's center, that is its distance. On the outline of a kind all
points lie equally far out, and on that of another kind they do not, whatever the center.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

SIDES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"triangle": (3, 90), "square": (4, 0), "pentagon": (5, 90), "hexagon": (6, 30)}
)
"""Number of sides of each kind, and the direction (degrees) that one of them faces."""
KINDS = ("circle", *SIDES)
INK = 128
STEPS_PX = (32.0, 16.0, 8.0, 4.0, 2.0, 1.0, 0.5)
"""Steps of the search for the center."""
NEARBY = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)], float)
START_PX = 30.0
"""Distance of the centers that are tried first, in rows and columns."""
EVERY = 25
"""Step between the pixels of ink that are examined."""

_Array = NDArray[np.float64]


@solver("incomplete_shape")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    rows, columns = np.nonzero(picture.max(axis=2) < INK)
    points = np.stack([columns, rows], axis=1)[::EVERY].astype(float)
    kind = min(KINDS, key=lambda kind: unevenness(points, kind))
    return f"SHAPE:{perception.hold([kind], guesses=KINDS)[0].title()}"


def unevenness(points: _Array, kind: str) -> float:
    """Return the variation of the points' distances from the best center.

    The search starts from the best point of a grid, because a few pieces may lie to one side of
        their center.
    """
    starts = points.mean(axis=0) + START_PX * np.array(list(product(range(-4, 5), repeat=2)))
    center = min(starts, key=lambda one: float(far_out(points - one, kind).std()))
    best = math.inf
    for step in STEPS_PX:
        while True:
            centers = center + step * NEARBY
            spreads = [float(far_out(points - one, kind).std()) for one in centers]
            least = int(np.argmin(spreads))
            if spreads[least] >= best - 1e-9:
                break
            best, center = spreads[least], centers[least]
    return best


def far_out(offsets: _Array, kind: str) -> _Array:
    """Return the distances of points, given by their offsets from the center, in units of the
    shape."""
    if kind == "circle":
        return np.hypot(offsets[:, 0], offsets[:, 1])
    sides, first = SIDES[kind]
    turns = np.radians(first + 360 * np.arange(sides) / sides)
    return (offsets @ np.stack([np.cos(turns), np.sin(turns)])).max(axis=1)
