"""block_views: read the stack and the arrow, find the height of every line of sight."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import near
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.examinees.observer.stacks import CORNER, PANEL, UNIT, read_heights
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board, Panel
from gfactor.imaging.measures.block_views import ARROW, SQUARE
from gfactor.imaging.polycubes import SHADES, place

BOARD = Board((PANEL,), 4, (140, 124))

Profile = tuple[int, ...]


@solver("block_views")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels, (panel,) = pictures[0], BOARD.panels
    heights = read_heights(pixels, panel)
    base = 1 + max(max(spot) for spot in heights)
    side = _side(pixels, panel, base)
    remembered = dict(perception.hold(list(heights.items())))
    options = [_profile(pixels, option, base) for option in BOARD.option_panels]
    left = list(range(len(options)))
    # One line of sight after the other leaves fewer options.
    lines = {k: _line(side, k, base) for k in perception.search(range(base))}
    for k in perception.consider(_looks(side, lines, remembered)):
        if k < 0:
            continue
        highest = max(remembered.get(spot, 0) for spot in lines[k])
        left = [n for n in left if options[n][k] == highest] or left
    return letter(left[0] if len(left) == 1 else perception.guess(left))


def _looks(
    side: str, lines: Mapping[int, list[tuple[int, int]]], remembered: Container[tuple[int, int]]
) -> Iterator[int]:
    """Yield lines of sight by number, each after a -1 for comparing its columns; from another side,
    a -1 for turning every column in the perception comes first."""
    for k, line in lines.items():
        for _ in (spot for spot in line if spot in remembered):
            yield from [-1] * (1 if side == "front" else 2)
        yield k


def _line(side: str, k: int, base: int) -> list[tuple[int, int]]:
    """The places on the line of sight that is the `k`th from the left."""
    if side == "front":
        return [(k, y) for y in range(base)]
    return [(x, k if side == "right" else base - 1 - k) for x in range(base)]


def _side(pixels: Pixels, panel: Panel, base: int) -> str:
    """Return the side at which the arrow lies."""
    red = near(panel.of(pixels), ARROW, 60)
    middles = {
        "front": (base / 2, -0.9, 0),
        "right": (base + 0.9, base / 2, 0),
        "left": (-0.9, 0.5, 0),
    }
    result = {}
    for side, point in middles.items():
        x, y = (round(v) - 2 for v in place(point, CORNER, UNIT))
        result[side] = int(red[y - 8 : y + 9, x - 8 : x + 9].sum())
    return max(result, key=lambda side: result[side])


def _profile(pixels: Pixels, panel: Panel, base: int) -> Profile:
    left = panel.middle[0] - base * SQUARE // 2
    bottom = panel.y + panel.height - 14
    filled = near(pixels, SHADES[1], 60)
    return tuple(
        sum(
            bool(filled[bottom - z * SQUARE - SQUARE // 2, left + x * SQUARE + SQUARE // 2])
            for z in range(4)
        )
        for x in range(base)
    )
