"""Reading stacks of cubes: the height of the column on every place of the floor."""

from __future__ import annotations

from gfactor.examinees.observer.blocks import read_cells
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Panel

UNIT = 38
PANEL = (420, 350)
CORNER = (65, 255)
"""Position of the front left corner of the floor in the panel."""


def read_heights(pixels: Pixels, panel: Panel) -> dict[tuple[int, int], int]:
    """Return the number of cubes at each place (x, y); places without cubes are left out.

    The highest cube of a column shows its top; the cubes below it are inferred.
    """
    cut = pixels[panel.y : panel.y + panel.height, panel.x : panel.x + panel.width]
    heights: dict[tuple[int, int], int] = {}
    for x, y, z in read_cells(cut, CORNER, UNIT, reach=5):
        if min(x, y, z) >= 0:
            heights[x, y] = max(heights.get((x, y), 0), z + 1)
    return heights
