"""Figures of strokes on a lattice of 3 x 3 points: new to everybody who sees them.

The points are numbered 1 to 9, row by row; a stroke is the number of two neighboring points (12 is
the stroke from point 1 to point 2, 15 the diagonal from 1 to 5), a figure the sorted tuple of its
strokes. Shared by those who draw and those who look.
"""

from __future__ import annotations

from gfactor.imaging.canvas import Canvas
from gfactor.imaging.figures import INK, Box

Strokes = tuple[int, ...]
"""A figure: its strokes, in ascending order."""

SIDE = 3
"""Points along a side of the lattice."""


def _neighbors() -> tuple[int, ...]:
    result = []
    for one in range(SIDE**2):
        for other in range(one + 1, SIDE**2):
            (r1, c1), (r2, c2) = divmod(one, SIDE), divmod(other, SIDE)
            if max(abs(r1 - r2), abs(c1 - c2)) == 1:
                result.append(10 * (one + 1) + other + 1)
    return tuple(result)


STROKES = _neighbors()
"""Every stroke of the lattice: 6 across, 6 down, 8 diagonals."""


def ends(stroke: int, box: Box) -> tuple[float, float, float, float]:
    """Return both ends of a stroke of a figure in a box, in pixels."""
    (r1, c1), (r2, c2) = (divmod(point - 1, SIDE) for point in divmod(stroke, 10))
    low, step = 0.18 * box.side, 0.32 * box.side
    return (
        box.x + low + c1 * step, box.y + low + r1 * step,
        box.x + low + c2 * step, box.y + low + r2 * step,
    )  # fmt: skip


def draw_strokes(canvas: Canvas, figure: Strokes, box: Box, shift: float = 0) -> None:
    """Draw a figure in its box, with faint dots at the lattice's points.

    `shift` moves the strokes right and down by a part of a pixel, so that equal figures differ in
    their pixels and the bytes of a PNG do not reveal repetitions.
    """
    width = max(2, round(box.side / 22))
    for point in range(SIDE**2):
        row, column = divmod(point, SIDE)
        x, y = ((0.18 + 0.32 * k) * box.side for k in (column, row))
        canvas.disc(box.x + x, box.y + y, max(1.0, box.side / 60), (190, 190, 190))
    for stroke in figure:
        x1, y1, x2, y2 = ends(stroke, box)
        canvas.line(x1 + shift, y1 + shift, x2 + shift, y2 + shift, INK, width)


def mirrored(figure: Strokes) -> Strokes:
    """Return the figure with left and right exchanged."""

    def across(point: int) -> int:
        row, column = divmod(point - 1, SIDE)
        return row * SIDE + SIDE - column

    pairs = (sorted(map(across, divmod(stroke, 10))) for stroke in figure)
    return tuple(sorted(10 * a + b for a, b in pairs))
