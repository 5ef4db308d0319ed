"""The outline of a single shape in a picture: broken, or hidden among lines. Outlines of all kinds
have the same range of lengths, so that ink does not reveal the kind, and all shapes are upright, so
that no mental rotation is needed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from gfactor.imaging import corners

CORNERS: Mapping[str, int] = MappingProxyType(
    {"circle": 0, "triangle": 3, "square": 4, "pentagon": 5, "hexagon": 6}
)
"""Number of corners of each kind."""
KINDS = tuple(CORNERS)
WORDS = tuple(kind.title() for kind in KINDS)

_RADIUS: Mapping[str, int] = MappingProxyType(
    {"circle": 159, "triangle": 192, "square": 177, "pentagon": 170, "hexagon": 167}
)
"""Circumradius of each kind, in thousandths of the length of its outline."""

STEPS = 180
"""Points of an outline: a multiple of every number of corners."""


def radius_of(kind: str, length: int) -> int:
    """Return the circumradius of a shape of `kind` whose outline has this length."""
    return length * _RADIUS[kind] // 1000


def outline(kind: str, x: int, y: int, r: int) -> list[tuple[float, float]]:
    """Return `STEPS` points of the outline, evenly spaced, clockwise from the first corner."""
    if kind == "circle":
        turns = (2 * math.pi * k / STEPS for k in range(STEPS))
        return [(x + r * math.cos(t), y + r * math.sin(t)) for t in turns]
    ends = corners(kind, x, y, r)
    each = STEPS // len(ends)
    return [
        (x1 + (x2 - x1) * k / each, y1 + (y2 - y1) * k / each)
        for (x1, y1), (x2, y2) in zip(ends, ends[1:] + ends[:1], strict=True)
        for k in range(each)
    ]
