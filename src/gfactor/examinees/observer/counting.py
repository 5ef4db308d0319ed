"""Reading figures on a grid whose points, crossings, regions and areas are counted."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.strokes import drawn
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box
from gfactor.imaging.lattices import Point2, Stroke

UNITS, STEP, RIM, DOT = 8, 20, 12, 6
_DARK, _FILL = 110, 190
_LEAST_AREA = 3
"""Smallest gray area, in squares, of a gray figure; less is noise."""
_ALONG = tuple(k / 40 for k in range(2, 39))
_QUARTERS = ((0, -5), (5, 0), (0, 5), (-5, 0))
_RIM = ((DOT, 0), (-DOT, 0), (0, DOT), (0, -DOT))
_ENDS: list[Point2] = [
    (x, y) for x, y in product(range(UNITS + 1), repeat=2) if (x in (0, UNITS)) != (y in (0, UNITS))
]
CHORDS: list[Stroke] = [
    (a, b)
    for a, b in combinations(_ENDS, 2)
    if not any(a[axis] == b[axis] and a[axis] in (0, UNITS) for axis in (0, 1))
]
"""Every line between two sides of the square that a figure stands in."""


def read_counts(pixels: Pixels, box: Box) -> Mapping[str, int]:
    """Return the counts of elements in the figure of a box, by name."""
    gray = pixels.mean(axis=-1)
    left, top = box.x + RIM, box.y + RIM
    between = np.arange(STEP // 2, STEP * UNITS, STEP)
    sides = (gray[top + at, left + between] for at in (0, STEP * UNITS))
    sides = (*sides, *(gray[top + between, left + at] for at in (0, STEP * UNITS)))
    if np.max(sides) < _DARK:
        return _of_lines(pixels, (left, top))
    area = _gray_quarters(gray, left, top) / 4
    return {"area": round(area)} if area >= _LEAST_AREA else _of_points(gray, left, top)


def _of_lines(pixels: Pixels, corner: tuple[int, int]) -> Mapping[str, int]:
    lines = drawn(pixels, CHORDS, corner, STEP, _ALONG)
    crossings = sum(_cross(one, other) for one, other in combinations(lines, 2))
    # Each line adds a region, and one more for each line that it crosses.
    regions = 1 + len(lines) + crossings
    return {"crossings": crossings, "regions": regions, "lines": len(lines)}


def _cross(one: Stroke, other: Stroke) -> bool:
    """Return True if the ends of each line lie on both sides of the other."""
    return all(_side(line, a) * _side(line, b) < 0 for line, (a, b) in ((one, other), (other, one)))


def _side(line: Stroke, point: tuple[int, int]) -> int:
    (ax, ay), (bx, by) = line
    return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)


def _gray_quarters(gray: NDArray[np.floating], left: int, top: int) -> int:
    """Count the gray quarters of the squares of the grid, into which diagonals cut them."""
    middles = np.arange(STEP // 2, STEP * UNITS, STEP)
    columns, rows, which = np.meshgrid(middles, middles, np.arange(len(_QUARTERS)))
    dx, dy = np.array(_QUARTERS).T
    x, y = left + columns + dx[which], top + rows + dy[which]
    patches = [gray[y + down, x + right] for down, right in product((-1, 0, 1), repeat=2)]
    middle = np.median(patches, axis=0)
    return int((abs(middle - _FILL) < 30).sum())


def _of_points(gray: NDArray[np.floating], left: int, top: int) -> Mapping[str, int]:
    black = white = 0
    for column, row in product(range(UNITS + 1), repeat=2):
        x, y = left + STEP * column, top + STEP * row
        if np.mean([gray[y + dy, x + dx] for dx, dy in _RIM]) < 140:
            is_black = gray[y - 1 : y + 2, x - 1 : x + 2].mean() < 128
            black, white = black + is_black, white + (not is_black)
    return {"black": int(black), "white": int(white), "all": int(black + white)}
