"""Reading figures of strokes on a lattice."""

from __future__ import annotations

import numpy as np

from gfactor.imaging import Pixels
from gfactor.imaging.boards import Panel
from gfactor.imaging.lattices import Strokes, lattice_strokes

_DARK = 110
_ALONG = (0.2, 0.35, 0.65, 0.8)
"""Where along a stroke one looks: not at its middle, where diagonals cross."""


def read_strokes(
    pixels: Pixels,
    corner: tuple[float, float],
    step: int,
    points: int,
    right: int = 99,
    down: int = 99,
) -> Strokes:
    """The strokes of a lattice of so many points across, from its upper left point on.

    `right` and `down` are the greatest x and y of its points, where it is no square.
    """
    gray = pixels.mean(axis=-1)
    result = []
    for (ax, ay), (bx, by) in lattice_strokes(points, True):
        if max(ax, bx) > right or max(ay, by) > down:
            continue
        spots = [(ax + t * (bx - ax), ay + t * (by - ay)) for t in _ALONG]
        seen = [gray[round(corner[1] + step * y), round(corner[0] + step * x)] for x, y in spots]
        if max(seen) < _DARK:
            result.append(((ax, ay), (bx, by)))
    return tuple(result)


def read_centered(pixels: Pixels, panel: Panel, step: int) -> Strokes:
    """The strokes of a figure in the middle of a panel, from its upper left corner on."""
    dark = panel.of(pixels).mean(axis=-1) < _DARK
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    right, down = (round((int(n[-1]) - int(n[0])) / step) for n in (columns, rows))
    corner = (panel.middle[0] - right * step // 2, panel.middle[1] - down * step // 2)
    return read_strokes(pixels, corner, step, 1 + max(right, down), right, down)
