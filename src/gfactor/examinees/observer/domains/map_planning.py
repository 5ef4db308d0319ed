"""map_planning: read ends, roadblocks and houses; spread from S, street by street, until G."""

from __future__ import annotations

from collections.abc import Iterator

from gfactor.examinees.observer.numbers import read_options
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import near, read_glyphs
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board, Panel
from gfactor.imaging.lattices import Point2, Stroke, stroke
from gfactor.imaging.measures.map_planning import BLOCK, EDGE, HOUSE, STEP, streets_of

SIGN = (30, 110, 60)
BOARDS = [
    Board((((n - 1) * STEP + 2 * EDGE, (n - 1) * STEP + 2 * EDGE),), options, (80, 60))
    for n in (4, 5, 6, 8)
    for options in (4, 0)
]


@solver("map_planning")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels = pictures[0]
    board, options = read_options(pixels, BOARDS)
    panel = board.panels[0]
    size = (panel.width - 2 * EDGE) // STEP + 1
    streets = streets_of(size)
    closed = [s for s in streets if _colored(pixels, panel, s, (0, -6), BLOCK, 3)]
    start, goal = _ends(pixels, panel, size)
    houses = {}
    for street in streets:
        at = (0, -21) if street[0][1] == street[1][1] else (21, 0)
        if _colored(pixels, panel, street, at, HOUSE, 11):
            houses[street] = _number(pixels, panel, street, at)
    # Roadblocks and houses are held together while ways are followed.
    remembered = perception.hold([*((s, 0) for s in closed), *((s, 1) for s in houses)])
    houses = {s: n for s, n in houses.items() if (s, 1) in remembered}
    free = {s for s in streets if (s, 0) not in remembered}
    for way in perception.consider(_ways(free, start, goal)):
        if way[-1] == goal:
            passed = [houses[s] for s in map(stroke, way, way[1:]) if s in houses]
            offered = [n for n in passed if not options or n in options]
            number = (
                offered[0]
                if len(offered) == 1
                else perception.guess(offered or options or [1, 2, 3])
            )
            if not options:
                return f"ANSWER:{number}"
            return letter(
                options.index(number) if number in options else perception.guess(range(4))
            )
    return (
        letter(perception.guess(range(len(options))))
        if options
        else f"ANSWER:{perception.guess([1, 2, 3])}"
    )


def _ways(streets: set[Stroke], start: Point2, goal: Point2) -> Iterator[list[Point2]]:
    """Ways from S, the shortest first, the first one to each crossing."""
    seen, queue = {start}, [[start]]
    for way in queue:
        yield way
        x, y = way[-1]
        for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if other not in seen and stroke((x, y), other) in streets:
                seen.add(other)
                queue.append([*way, other])


def _middle(panel: Panel, street: Stroke, at: tuple[int, int]) -> tuple[int, int]:
    (ax, ay), (bx, by) = street
    return (
        panel.x + EDGE + STEP * (ax + bx) // 2 + at[0],
        panel.y + EDGE + STEP * (ay + by) // 2 + at[1],
    )


def _colored(
    pixels: Pixels,
    panel: Panel,
    street: Stroke,
    at: tuple[int, int],
    color: tuple[int, int, int],
    reach: int,
) -> bool:
    x, y = _middle(panel, street, at)
    window = pixels[y - reach : y + reach + 1, x - reach : x + reach + 1]
    return bool(near(window, color, 50).mean() > 0.4)


def _number(pixels: Pixels, panel: Panel, street: Stroke, at: tuple[int, int]) -> int:
    x, y = _middle(panel, street, at)
    return int(
        read_glyphs(pixels[y - 10 : y + 11, x - 10 : x + 11].mean(axis=-1) < 128, "12345678")
    )


def _ends(pixels: Pixels, panel: Panel, size: int) -> tuple[Point2, Point2]:
    result = {}
    for y in range(size):
        for x in range(size):
            cx, cy = panel.x + EDGE + STEP * x, panel.y + EDGE + STEP * y
            window = pixels[cy - 12 : cy + 13, cx - 12 : cx + 13]
            if near(window, SIGN, 50).mean() > 0.4:
                result[read_glyphs(window[2:-2, 2:-2].min(axis=-1) > 150, "SG")] = (x, y)
    return result["S"], result["G"]
