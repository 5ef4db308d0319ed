"""Measures of the pictures of map_planning, and the streets of its maps."""

from __future__ import annotations

from gfactor.imaging.lattices import Stroke

STEP, EDGE = 76, 44
"""Distance of two crossings and of a crossing from the panel's edge, in pixels."""
BLOCK, HOUSE = (205, 30, 30), (255, 236, 160)


def streets_of(size: int) -> list[Stroke]:
    """Return all streets of a map with the given number of crossings per side: across, then
    down."""
    across = [((x, y), (x + 1, y)) for y in range(size) for x in range(size - 1)]
    return across + [((x, y), (x, y + 1)) for y in range(size - 1) for x in range(size)]
