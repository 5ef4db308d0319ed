"""Figures on a grid whose points, crossings, regions and areas are counted.

A figure is one of three kinds: black and white points, straight lines across a square, or a gray
polygon. Everything is computed in whole numbers, so that no count depends on rounding: crossings by
cross products, regions by Euler's formula, areas by the shoelace formula.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from gfactor.benchmarks.chc.crossed_lines import UNITS, crossing, random_lines
from gfactor.benchmarks.chc.family import MisdrawnError
from gfactor.imaging import BLACK, RGB, WHITE, Canvas
from gfactor.imaging.figures import Box
from gfactor.imaging.lattices import Cell2, Point2, Strokes, has_hole, neighbors, outline
from gfactor.items import ItemRandom

STEP, RIM = 20, 12
"""Pixels of a step, and pixels between a figure and its box."""
SIDE = UNITS * STEP + 2 * RIM
"""Side of a figure's box in pixels."""
DOT = 6
"""Radius of a point in pixels."""
FILL: RGB = (190, 190, 190)
GRID: RGB = (150, 150, 150)

_TRIES = 24


@dataclass(frozen=True)
class CountedFigure:
    """Black and white points (x, y), or lines across the square, or the corners of a polygon."""

    black: tuple[Point2, ...] = ()
    white: tuple[Point2, ...] = ()
    lines: Strokes = ()
    corners: tuple[Point2, ...] = ()


KINDS: Mapping[str, tuple[str, ...]] = {
    "points": ("black", "white", "all"),
    "lines": ("crossings", "regions", "lines"),
    "area": ("area", "corners"),
}
"""Countable quantities by kind of figures."""

SEEN_TOO: Mapping[str, tuple[str, ...]] = {"points": ("difference",), "lines": (), "area": ()}
"""By kind of figures, quantities that no question asks for but that may be mistaken for them."""


def kind_of(figure: CountedFigure) -> str:
    """Return the kind of a figure, a key of `KINDS`."""
    return "lines" if figure.lines else "area" if figure.corners else "points"


def count(figure: CountedFigure, quantity: str) -> int:
    """Return the amount of a quantity in a figure.

    Parameters
    ----------
    figure : CountedFigure
        The figure.
    quantity : str
        One of the quantities of its kind, see `KINDS` and `SEEN_TOO`.

    Examples
    --------
    >>> cross = CountedFigure(lines=(((0, 4), (8, 4)), ((4, 0), (4, 8))))
    >>> count(cross, "crossings"), count(cross, "regions")
    (1, 4)
    >>> count(CountedFigure(corners=((1, 0), (3, 2), (1, 4))), "area")
    4
    """
    return _COUNTS[quantity](figure)


def _crossings(figure: CountedFigure) -> int:
    return len({one for pair in combinations(figure.lines, 2) if (one := crossing(*pair))})


def _regions(figure: CountedFigure) -> int:
    # Euler's formula: every end of a line adds a vertex to the square's four and an edge to its
    # four sides; a line that is crossed k times has k + 1 edges; the outer face is no region.
    crossed = _crossings(figure)
    vertices = 4 + 2 * len(figure.lines) + crossed
    edges = 4 + 3 * len(figure.lines) + 2 * crossed
    return edges - vertices + 1


def _area(figure: CountedFigure) -> int:
    return doubled_area(figure.corners) // 2


def doubled_area(corners: Sequence[Point2]) -> int:
    """Return twice the area of a polygon, in squares of the grid."""
    ring = list(corners)
    return abs(
        sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(ring, ring[1:] + ring[:1], strict=True))
    )


_COUNTS: Mapping[str, Callable[[CountedFigure], int]] = {
    "black": lambda figure: len(figure.black),
    "white": lambda figure: len(figure.white),
    "all": lambda figure: len(figure.black) + len(figure.white),
    "difference": lambda figure: abs(len(figure.black) - len(figure.white)),
    "crossings": _crossings,
    "regions": _regions,
    "lines": lambda figure: len(figure.lines),
    "area": _area,
    "corners": lambda figure: len(figure.corners),
}


def draw_lines(rng: ItemRandom, lines: int, crossings: int) -> CountedFigure:
    """Draw the given number of lines across the square, with the given number of crossings.

    Raises MisdrawnError if none were found.
    """
    return CountedFigure(lines=random_lines(rng, lines, crossings))


def draw_points(rng: ItemRandom, black: int, white: int) -> CountedFigure:
    """Draw the given numbers of black and white points at different places of the grid."""
    spots = [(x, y) for x in range(UNITS + 1) for y in range(UNITS + 1)]
    drawn = rng.sample(spots, black + white)
    return CountedFigure(black=tuple(sorted(drawn[:black])), white=tuple(sorted(drawn[black:])))


def draw_polygon(rng: ItemRandom, area: int) -> CountedFigure:
    """Draw a polygon with an area of the given number of grid squares, some of them in halves.

    Raises MisdrawnError if none was found.
    """
    for _ in range(_TRIES):
        cut, filled = rng.choice(((0, 0), (1, 1), (2, 0), (0, 2), (2, 2), (3, 1), (1, 3)))
        cells = _grown(rng, area + (cut - filled) // 2)
        ring = cells and _slanted(rng, outline(cells), cut, filled)
        if ring:
            return CountedFigure(corners=tuple(ring))
    raise MisdrawnError


def _grown(rng: ItemRandom, size: int) -> list[Cell2]:
    """The given number of connected cells in the square without a hole; [] if the draw left a
    hole."""
    inside = range(UNITS)
    cells = [(rng.integer(2, UNITS - 3), rng.integer(2, UNITS - 3))]
    taken = set(cells)
    while len(cells) < size:
        near = [c for c in neighbors(rng.choice(cells)) if c[0] in inside and c[1] in inside]
        free = [cell for cell in near if cell not in taken]
        if free:
            # Cells that touch several others come first, which gives outlines with long sides.
            free.sort(key=lambda cell: -len(taken.intersection(neighbors(cell))))
            cells.append(free[0] if rng.chance(1, 2) else rng.choice(free))
            taken.add(cells[-1])
    return [] if has_hole(cells) else cells


def _slanted(rng: ItemRandom, ring: Sequence[Point2], cut: int, filled: int) -> list[Point2] | None:
    """Cut off or fill up the given number of corners by half a square each; None if there are too
    few."""
    free = {k: _length(ring[k - 1], point) for k, point in enumerate(ring)}
    slanted: set[int] = set()
    for k in rng.shuffled(range(len(ring))):
        after = (k + 1) % len(ring)
        outer = _turn(ring[k - 1], ring[k], ring[after]) > 0
        if min(free[k], free[after]) < 2 or not (cut if outer else filled):
            continue
        free[k], free[after] = free[k] - 1, free[after] - 1
        cut, filled = (cut - 1, filled) if outer else (cut, filled - 1)
        slanted.add(k)
    if cut or filled:
        return None
    result: list[Point2] = []
    for k, point in enumerate(ring):
        beside = (ring[k - 1], ring[(k + 1) % len(ring)])
        result += [_toward(point, other) for other in beside] if k in slanted else [point]
    return result


def _length(a: Point2, b: Point2) -> int:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _turn(a: Point2, b: Point2, c: Point2) -> int:
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _toward(a: Point2, b: Point2) -> Point2:
    """The grid point next to `a` on the way to `b`."""
    length = _length(a, b)
    return a[0] + (b[0] - a[0]) // length, a[1] + (b[1] - a[1]) // length


def draw_figure(canvas: Canvas, figure: CountedFigure, box: Box) -> None:
    """Draw a figure in its box."""

    def at(point: Point2) -> tuple[int, int]:
        return box.x + RIM + STEP * point[0], box.y + RIM + STEP * point[1]

    for points, ink in ((figure.black, BLACK), (figure.white, WHITE)):
        for point in points:
            canvas.disc(*at(point), DOT, ink, BLACK, 2)
    if figure.lines:
        frame = [at(p) for p in ((0, 0), (UNITS, 0), (UNITS, UNITS), (0, UNITS))]
        canvas.polygon(frame, None, BLACK, 3)
        for a, b in figure.lines:
            canvas.line(*at(a), *at(b), BLACK, 2)
    if figure.corners:
        canvas.polygon([at(p) for p in figure.corners], FILL)
        for k in range(UNITS + 1):
            for a, b in (((k, 0), (k, UNITS)), ((0, k), (UNITS, k))):
                canvas.line(*at(a), *at(b), GRID, 1)
        canvas.polygon([at(p) for p in figure.corners], None, BLACK, 3)
