"""Stacks of cubes on a tiled floor, shared by the families of stacks.

`heights[y][x]` cubes stand on the place (x, y); x counts to the right, y to the back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from gfactor.benchmarks.chc.family_files import texts_beside
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Canvas
from gfactor.imaging.boards import Panel
from gfactor.imaging.polycubes import (
    Cell3,
    Point,
    draw_cells,
    draw_floor,
    stacked,
    visible_shares,
)
from gfactor.items import ItemRandom

Heights = tuple[tuple[int, ...], ...]

UNIT = 38
"""Edge of a cube in pixels."""
PANEL = (420, 350)
"""Width and height of the panel that a stack stands in: 5 x 5 places, up to 4 cubes high."""
_SCATTERINGS = 200
LEAST_TOP = 0.35
"""Share of the top of every column that can be seen."""


def random_heights(rng: ItemRandom, base: int, layers: int, gaps: int) -> Heights:
    """Return columns of 1 to `layers` cubes, one of them `layers` high, with `gaps` empty places.

    Columns are higher towards the back and the left, where they hide nothing, except for one or two
    that were exchanged. Every row and every column of places has a cube.
    """
    while True:
        flat = [rng.integer(1, layers) for _ in range(base * base - gaps - 1)]
        flat = rng.shuffled([*flat, layers, *[0] * gaps])
        rows = [sorted(flat[r * base : (r + 1) * base], reverse=True) for r in range(base)]
        columns = [sorted(column) for column in zip(*rows, strict=True)]
        rows = [list(row) for row in zip(*columns, strict=True)]
        for _ in range(rng.integer(1, 2)):
            (ax, ay), (bx, by) = (
                (rng.integer(0, base - 1), rng.integer(0, base - 1)) for _ in range(2)
            )
            rows[ay][ax], rows[by][bx] = rows[by][bx], rows[ay][ax]
        if all(map(any, rows)) and all(map(any, zip(*rows, strict=True))):
            return tuple(map(tuple, rows))


def scattered_heights(rng: ItemRandom, base: int, layers: int, columns: int) -> Heights:
    """Return the given number of columns of 1 to `layers` cubes, at least one in every row and
    column of places, whose tops are all visible; () if none was found."""
    for _ in range(_SCATTERINGS):
        flat = [0] * (base * base)
        for position in rng.sample(range(base * base), columns):
            flat[position] = rng.integer(1, layers)
        rows = tuple(tuple(flat[r * base : (r + 1) * base]) for r in range(base))
        whole = all(map(any, rows)) and all(map(any, zip(*rows, strict=True)))
        if whole and tops_shown(rows):
            return rows
    return ()


@lru_cache(maxsize=64)
def shares_of(heights: Heights) -> Mapping[tuple[Cell3, str], float]:
    """Return the visible share of each face of each cube (`visible_shares`), cached."""
    return visible_shares(stacked(heights))


def tops_shown(heights: Heights) -> bool:
    """Return True if the top of every column can be seen."""
    shares = shares_of(heights)
    return all(
        shares[(x, y, n - 1), "top"] >= LEAST_TOP
        for y, row in enumerate(heights)
        for x, n in enumerate(row)
        if n
    )


def shows_all(heights: Heights) -> bool:
    """Return True if the top of every column, and the emptiness of empty places, are visible."""
    return tops_shown(heights) and not unseen(heights)[0]


def unseen(heights: Heights) -> tuple[list[Point], int]:
    """Return the empty places where a cube would be hidden, and the number of places tried."""
    positions = [(x, y) for y, row in enumerate(heights) for x, n in enumerate(row) if not n]
    result = []
    for x, y in positions:
        more = [list(row) for row in heights]
        more[y][x] = 1
        shares = shares_of(tuple(map(tuple, more)))
        if max((s for ((a, b, _), _), s in shares.items() if (a, b) == (x, y)), default=0) < 0.05:
            result.append((x, y))
    return result, len(positions)


def origin_in(panel: Panel) -> Point:
    """Return the position of the front left corner of the floor in the panel."""
    return panel.x + 65, panel.y + 255


def draw_stack(canvas: Canvas, heights: Heights, panel: Panel) -> None:
    """Draw the stack on its floor."""
    base = len(heights)
    origin = origin_in(panel)
    draw_floor(canvas, base, base, origin, UNIT)
    draw_cells(canvas, stacked(heights), origin, UNIT)


def rows_said(heights: Heights) -> tuple[Say, ...]:
    """Return the stack in words, a line for each row of places, the front row first."""
    return tuple(say("row", row=y + 1, numbers=row) for y, row in enumerate(heights))


def rows_read(lines: Sequence[Say]) -> Heights:
    """Return the inverse of `rows_said`."""
    return tuple(line["numbers"] for line in lines if line.template == "row")  # pyright: ignore


STACKS = texts_beside(__file__)
"""Sentences of stacks of cubes."""
