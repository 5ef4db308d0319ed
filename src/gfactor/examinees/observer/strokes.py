"""Reading figures of strokes on a lattice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gfactor.imaging import Pixels
from gfactor.imaging.boards import Panel
from gfactor.imaging.lattices import Stroke, Strokes, lattice_strokes

_DARK = 110
_ALONG = (0.2, 0.35, 0.65, 0.8)
"""Positions along a stroke that are examined: not its middle, where diagonals cross."""


def read_strokes(
    pixels: Pixels,
    corner: tuple[float, float],
    step: int,
    points: int,
    right: int = 99,
    down: int = 99,
) -> Strokes:
    """Return the strokes of a lattice with the given number of points per row, from its upper left
    point.

    `right` and `down` are the greatest x and y of its points, if it is not a square.
    """
    strokes = [
        (a, b)
        for a, b in lattice_strokes(points, True)
        if max(a[0], b[0]) <= right and max(a[1], b[1]) <= down
    ]
    return tuple(drawn(pixels, strokes, corner, step, _ALONG))


def drawn(
    pixels: Pixels,
    strokes: Sequence[Stroke],
    corner: tuple[float, float],
    step: int,
    along: tuple[float, ...],
) -> list[Stroke]:
    """Return the strokes that are dark at all points `along` them; `corner` is their origin."""
    ends = np.array(strokes, float).reshape(-1, 2, 1, 2)
    spots = ends[:, 0] + np.array(along)[:, None] * (ends[:, 1] - ends[:, 0])
    columns, rows = np.moveaxis(np.rint(np.array(corner) + step * spots).astype(int), -1, 0)
    dark = pixels[rows, columns].mean(axis=-1).max(axis=-1, initial=0) < _DARK
    return [stroke for stroke, is_dark in zip(strokes, dark, strict=True) if is_dark]


def read_centered(pixels: Pixels, panel: Panel, step: int) -> Strokes:
    """Read the strokes of a figure in a panel's middle, from the figure's upper left corner."""
    dark = panel.of(pixels).mean(axis=-1) < _DARK
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    right, down = (round((int(n[-1]) - int(n[0])) / step) for n in (columns, rows))
    corner = (panel.middle[0] - right * step // 2, panel.middle[1] - down * step // 2)
    return read_strokes(pixels, corner, step, 1 + max(right, down), right, down)
