"""A square of paper that is folded along lines of a lattice and punched: layers, holes, outlines.

The paper is 12 units wide; coordinates are (x, y), y downwards. Folds go along vertical and
horizontal lines at whole units and along the diagonals x + y = c and x - y = c. Holes are punched
at points with odd coordinates (the middles of a 6 x 6 grid of fields). All arithmetic is exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from gfactor.imaging.canvas import RGB, Canvas

SIZE = 12
"""Width of the paper in units."""

Number = int | Fraction
PaperPoint = tuple[Number, Number]

FIELDS: tuple[tuple[int, int], ...] = tuple(
    (x, y) for y in range(1, SIZE, 2) for x in range(1, SIZE, 2)
)
"""The places where a hole can be, in reading order."""


@dataclass(frozen=True)
class Fold:
    """A fold: the paper on one side of the line a * x + b * y = c is folded over to the other side.

    The side with a * x + b * y > c moves. (a, b) is one of (1, 0), (-1, 0), (0, 1), (0, -1), (1,
    1), (1, -1), (-1, 1), (-1, -1).
    """

    a: int
    b: int
    c: int

    def side(self, point: PaperPoint) -> Number:
        """Return a number above zero on the side that moves, 0 on the crease."""
        return self.a * point[0] + self.b * point[1] - self.c

    def reflect(self, point: PaperPoint) -> PaperPoint:
        """Return the mirror image of a point in the crease."""
        away = self.side(point)
        if self.a and self.b:
            return point[0] - self.a * away, point[1] - self.b * away
        return point[0] - 2 * self.a * away, point[1] - 2 * self.b * away

    @property
    def is_diagonal(self) -> bool:
        """Return True if the crease is a diagonal."""
        return bool(self.a and self.b)


Polygon = tuple[PaperPoint, ...]


def _cut(polygon: Polygon, fold: Fold, moving: bool) -> Polygon:
    """The part of a convex polygon on one side of a crease; empty if it has no area."""
    sign = 1 if moving else -1
    corners: list[PaperPoint] = []
    for a, b in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        da, db = sign * fold.side(a), sign * fold.side(b)
        if da >= 0:
            corners.append(a)
        if (da > 0 > db) or (da < 0 < db):
            share = Fraction(da) / Fraction(da - db)
            crossing = (a[k] + share * (b[k] - a[k]) for k in (0, 1))
            # Whole numbers are counted with many times faster than fractions.
            x, y = (int(v) if v.denominator == 1 else v for v in crossing)
            corners.append((x, y))
    inside = [sign * fold.side(p) > 0 for p in corners]
    return tuple(corners) if any(inside) else ()


SHEET: Polygon = ((0, 0), (SIZE, 0), (SIZE, SIZE), (0, SIZE))


def folded(folds: Iterable[Fold]) -> list[Polygon]:
    """Return the layers of the paper after some folds, each a convex polygon, from the lowest
    up."""
    layers = [SHEET]
    for fold in folds:
        staying = [part for layer in layers if (part := _cut(layer, fold, False))]
        moving = [part for layer in layers if (part := _cut(layer, fold, True))]
        # What is laid over comes on top, and its own order is turned round.
        layers = staying + [tuple(fold.reflect(p) for p in part) for part in reversed(moving)]
    return layers


def moves(layers: Iterable[Polygon], fold: Fold) -> tuple[bool, bool]:
    """Return two booleans: True if there is paper on the moving side, and on the other side."""
    polygons = list(layers)
    return (
        any(fold.side(p) > 0 for layer in polygons for p in layer),
        any(fold.side(p) < 0 for layer in polygons for p in layer),
    )


def position(point: tuple[int, int], folds: Iterable[Fold]) -> tuple[int, int] | None:
    """Return the position of a point of the paper after the folds; None on a crease."""
    here: PaperPoint = point
    for fold in folds:
        away = fold.side(here)
        if away == 0:
            return None
        if away > 0:
            here = fold.reflect(here)
    return int(here[0]), int(here[1])


def holes(folds: Iterable[Fold], punches: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return the holes in the unfolded paper, in reading order.

    Parameters
    ----------
    folds: the folds in their order.
    punches: places where the folded paper is punched through all its layers.

    Examples
    --------
    >>> holes([Fold(1, 0, 4)], [(1, 1)])
    ((1, 1), (7, 1))
    """
    built = set(punches)
    positions = _positions(tuple(folds))
    return tuple(point for point, slot in zip(FIELDS, positions, strict=True) if slot in built)


@lru_cache(maxsize=8192)
def _positions(folds: tuple[Fold, ...]) -> tuple[tuple[int, int] | None, ...]:
    return tuple(position(point, folds) for point in FIELDS)


def fold_lines() -> tuple[Fold, ...]:
    """Return every fold of the grammar: lines between rows or columns of fields, and diagonals."""
    straight = [
        Fold(a * s, b * s, c * s)
        for a, b in ((1, 0), (0, 1))
        for c in (2, 4, 6, 8, 10)
        for s in (1, -1)
    ]
    diagonal = [
        Fold(a * s, b * s, c * s)
        for a, b, c in ((1, 1, SIZE), (1, -1, 0), (1, 1, 8), (1, 1, 16), (1, -1, 4), (1, -1, -4))
        for s in (1, -1)
    ]
    return (*straight, *diagonal)


FRONT: RGB = (246, 242, 228)
BACK: RGB = (196, 214, 236)
INK: RGB = (40, 40, 40)
GUIDE: RGB = (190, 190, 190)
ARROW: RGB = (200, 60, 30)


def draw_paper(
    canvas: Canvas,
    corner: tuple[float, float],
    unit: float,
    folds: Sequence[Fold],
    punches: Iterable[tuple[int, int]] = (),
    arrow: bool = False,
) -> None:
    """Draw the folded paper in the outline of the whole sheet, its back in another color.

    Parameters
    ----------
    canvas: canvas to draw on.
    corner: position of the sheet's upper left corner, in scene units.
    unit: scene units of a unit of the paper.
    folds: made so far.
    punches: holes through all layers, shown as dots.
    arrow: True to show by an arrow how the last part was laid over.
    """

    def at(point: PaperPoint) -> tuple[float, float]:
        return corner[0] + unit * float(point[0]), corner[1] + unit * float(point[1])

    canvas.polygon([at(p) for p in SHEET], None, GUIDE, 1)
    for layer in folded(folds):
        canvas.polygon([at(p) for p in layer], FRONT if _area(layer) > 0 else BACK, INK, 2)
    if arrow and folds:
        start, end = (at(p) for p in _laid_over(folds))
        _draw_arrow(canvas, start, end)
    for punch in punches:
        canvas.disc(*at(punch), 0.55 * unit, INK)


def _area(polygon: Polygon) -> Number:
    """Return twice the signed area, which is positive if the paper's front is up."""
    pairs = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs)


def _laid_over(folds: Sequence[Fold]) -> tuple[PaperPoint, PaperPoint]:
    """Return the middle of the part that the last fold moved, before and after the fold."""
    *before, last = folds
    points = [p for layer in folded(before) for p in _cut(layer, last, True)]
    middle = (Fraction(sum(p[0] for p in points), len(points)),
              Fraction(sum(p[1] for p in points), len(points)))  # fmt: skip
    return middle, last.reflect(middle)


def _draw_arrow(canvas: Canvas, start: tuple[float, float], end: tuple[float, float]) -> None:
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    ux, uy = dx / length, dy / length
    tip = (end[0], end[1])
    canvas.line(*start, end[0] - 6 * ux, end[1] - 6 * uy, ARROW, 3)
    wings = [(tip[0] - 10 * ux - s * 6 * uy, tip[1] - 10 * uy + s * 6 * ux) for s in (1, -1)]
    canvas.polygon([tip, *wings], ARROW, ARROW, 1)


def draw_holes(
    canvas: Canvas, corner: tuple[float, float], unit: float, holes: Iterable[tuple[int, int]]
) -> None:
    """Draw the unfolded sheet with holes, its fields marked by thin lines."""
    x, y, side = corner[0], corner[1], unit * SIZE
    canvas.polygon([(x, y), (x + side, y), (x + side, y + side), (x, y + side)], FRONT, INK, 2)
    for k in range(2, SIZE, 2):
        canvas.line(x + k * unit, y, x + k * unit, y + side, GUIDE, 1)
        canvas.line(x, y + k * unit, x + side, y + k * unit, GUIDE, 1)
    for hx, hy in holes:
        canvas.disc(x + unit * hx, y + unit * hy, 0.55 * unit, INK)
