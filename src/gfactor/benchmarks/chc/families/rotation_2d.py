"""Rotation in the plane: which option is the same figure, turned but not turned over?

Figures are squares joined by their sides, of which only the outline is drawn. All options are one
hidden figure with one or two squares added at different places, or two of these and their mirror
images, and the figure in the question is any of them, so that the options alone do not reveal the
answer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import BLACK, Canvas, Pixels
from gfactor.imaging.boards import Board, Panel
from gfactor.imaging.lattices import (
    Cells2,
    canonical,
    flipped,
    has_hole,
    is_chiral,
    neighbors,
    normalized,
    outline,
    rotations,
    turned,
)
from gfactor.imaging.measures.rotation_2d import FILL, OPTION_UNIT, UNIT
from gfactor.items import ItemRandom

LARGEST = 6
"""Greatest width and height of a figure in squares."""
SLIM, LONGEST = 10, 9
"""Squares of figures whose diagonals are not measured, and the greatest length along a diagonal of
those that have more, in halves of a square's diagonal."""
_DRAWS = 40

Shape = tuple[Cells2, int]
"""Squares (row, column), and the angle by which they are turned clockwise, in degrees."""


@dataclass(frozen=True)
class Scene:
    """The squares (row, column) of the figure in the question."""

    figure: Cells2


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    squares, degrees, mirrors, moved = (
        int(levels[name]) for name in ("squares", "angle", "mirrors", "moved")
    )
    for _ in range(_DRAWS):
        base = _grown(rng, ((0, 0),), squares - moved)
        result: dict[Cells2, Cells2] = {}
        for _ in range(3 * options):
            figure = _grown(rng, base, squares)
            if _is_clear(figure) and not {canonical(figure), canonical(flipped(figure))} & set(
                result
            ):
                result[canonical(figure)] = figure
            if len(result) == options - mirrors:
                break
        if len(result) == options - mirrors:
            break
    else:
        return Draft(Scene(()), ())
    listed = [(figure, "square elsewhere") for figure in rng.shuffled(list(result.values()))]
    if rng.chance(1, 2):
        listed = [(flipped(figure), error) for figure, error in listed]
    if mirrors:
        listed += [
            (flipped(listed[0][0]), "mirror image"),
            (flipped(listed[1][0]), "square elsewhere and mirror image"),
        ]
    start = turned(listed[0][0], rng.integer(0, 3))
    candidates = [(start, rng.choice((degrees, 360 - degrees)))]
    candidates += [
        (turned(figure, rng.integer(0, 3)), rng.choice((degrees, 360 - degrees)))
        for figure, _ in listed[1:]
    ]
    wrong = zip(candidates[1:], (error for _, error in listed[1:]), strict=True)
    return Draft(Scene(start), candidates[0], tuple(Distractor(s, error) for s, error in wrong))


def _grown(rng: ItemRandom, cells: Cells2, count: int) -> Cells2:
    """The squares with further ones beside them, up to a number of squares."""
    grown = list(cells)
    while len(grown) < count:
        beside = sorted({n for cell in grown for n in neighbors(cell)} - set(grown))
        grown.append(rng.choice(beside))
    return tuple(sorted(grown))


def _is_clear(figure: Cells2) -> bool:
    """Return True if a figure has a simple outline, fits its panel and is not its mirror image."""
    deep, across = (1 + max(c[k] for c in normalized(figure)) for k in (0, 1))
    fits = max(deep, across) <= LARGEST and (len(figure) <= SLIM or _fits_turned(figure))
    return fits and not has_hole(figure) and is_chiral(figure)


def _fits_turned(figure: Cells2) -> bool:
    """Return True if a figure that is turned by an eighth stays clear of its panel's frame."""
    diagonals = ([r + c for r, c in figure], [r - c for r, c in figure])
    return max(max(one) - min(one) for one in diagonals) + 2 <= LONGEST


def solve(scene: Scene, options: Sequence[Shape]) -> Proof:
    """Solve by comparing the figure in its four rotations with the squares of every option."""
    fits, tried = [], 0
    for option in options if scene.figure else ():
        for cells in rotations(scene.figure):
            tried += 1
            if cells == normalized(option[0]):
                fits.append(option)
                break
    return Proof(tuple(fits), tried)


def board(options: int) -> Board:
    """Return the plan of the picture."""
    return Board(((260, 240),), options, (160, 160))


def picture(scene: Scene, options: Sequence[Shape]) -> tuple[Pixels, ...]:
    plan = board(len(options))
    canvas = plan.canvas()
    _draw_figure(canvas, (scene.figure, 0), plan.panels[0], UNIT)
    for panel, shape in zip(plan.option_panels, options, strict=True):
        _draw_figure(canvas, shape, panel, OPTION_UNIT)
    return (canvas.pixels,)


def _draw_figure(canvas: Canvas, shape: Shape, panel: Panel, unit: int) -> None:
    cells, degrees = shape
    points = outline(cells)
    cos, sin = (f(math.radians(degrees)) for f in (math.cos, math.sin))
    spun = [(x * cos - y * sin, x * sin + y * cos) for x, y in points]
    (left, right), (top, bottom) = (
        (min(p[k] for p in spun), max(p[k] for p in spun)) for k in (0, 1)
    )
    cx, cy = panel.middle
    placed = [
        (cx + unit * (x - (left + right) / 2), cy + unit * (y - (top + bottom) / 2))
        for x, y in spun
    ]
    canvas.polygon(placed, FILL, BLACK, 2)


def _steps(shape: Shape) -> tuple[Say, ...]:
    """The outline, clockwise: lengths, and directions in degrees clockwise from the right."""
    cells, degrees = shape
    points = outline(cells)
    lines = []
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        quarter = {(1, 0): 0, (0, 1): 90, (-1, 0): 180, (0, -1): 270}[
            ((bx > ax) - (bx < ax), (by > ay) - (by < ay))
        ]
        length = abs(bx - ax) + abs(by - ay)
        lines.append(say("step", length=length, angle=(quarter + degrees) % 360))
    return tuple(lines)


def twin(scene: Scene) -> tuple[Say, ...]:
    return (say("figure", steps=_steps((scene.figure, 0))),)


def from_twin(lines: Sequence[Say]) -> Scene:
    x = y = 0
    walls = set()
    for one in lines[0]["steps"]:  # pyright: ignore
        dx, dy = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[one["angle"]]
        for _ in range(one["length"]):
            if dx:
                walls.add((x if dx > 0 else x - 1, y))
            x, y = x + dx, y + dy
    cells = []
    # Between two horizontal walls of a column, every second stretch is inside.
    for column in {c for c, _ in walls}:
        edges = sorted(r for c, r in walls if c == column)
        for top, bottom in zip(edges[::2], edges[1::2], strict=True):
            cells += [(r, column) for r in range(top, bottom)]
    return Scene(normalized(cells))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda shape: say("shape", steps=_steps((tuple(map(tuple, shape[0])), shape[1]))),
        scene_type=Scene,
        content_type=Shape,
        options=(4,),
        **declared(__file__, COMMON),
    )
)
