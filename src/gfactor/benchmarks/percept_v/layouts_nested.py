"""Regular polygons nested round one center, each as large as the one around it allows.

A polygon B lies inside a polygon A as far as B's farthest corner reaches along the normal of one
of A's edges: with circumradius r, that is `r * reach(A, B)`, against A's inradius.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from gfactor.imaging import corners


@lru_cache(maxsize=16)
def inset(kind: str) -> float:
    """Inradius of a polygon of `kind` over its circumradius."""
    return math.cos(math.pi / len(corners(kind, 0, 0, 1)))


@lru_cache(maxsize=64)
def reach(outer: str, inner: str) -> float:
    """How far an inner polygon of circumradius 1 reaches along a normal of the outer's edges."""
    points = corners(outer, 0, 0, 1)
    middles = [
        ((x1 + x2) / 2, (y1 + y2) / 2)
        for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1], strict=True)
    ]
    depth = inset(outer)
    return max((x * a + y * b) / depth for a, b in middles for x, y in corners(inner, 0, 0, 1))


def ring_width(outer: str, outer_r: float, inner: str, inner_r: float) -> float:
    """Smallest distance between the outlines of two nested polygons, in the radii's unit."""
    return outer_r * inset(outer) - inner_r * reach(outer, inner)


def nested(kinds: Sequence[str], outermost: int, gap: int) -> list[int]:
    """Circumradii of nested polygons, from the innermost to the outermost.

    Every outline is at least `gap` from the next; radii of 0 or less mean that there is no room.
    """
    radii = [outermost]
    for inner, outer in zip(kinds[-2::-1], kinds[:0:-1], strict=True):
        room = radii[-1] * inset(outer) - gap
        radii.append(math.floor(room / reach(outer, inner)))
    return radii[::-1]
