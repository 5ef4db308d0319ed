"""Axes of symmetry: how many mirror lines has a square with its pattern?

The pattern is a more symmetric one that was changed in a few places, so that some lines almost are
axes and every line must be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.chc.numbers import draw_numbers
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import RGB, Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.figures import SHADES
from gfactor.imaging.lattices import Cell2
from gfactor.imaging.measures.symmetry_axes import SIDE
from gfactor.items import ItemRandom, OutputFormat

COLORS: tuple[RGB, ...] = ((255, 255, 255), (190, 190, 190), (110, 110, 110), (0, 0, 0))
"""Colors of the shades, in their order."""
LINE = (60, 60, 60)
COUNTS = (0, 1, 2, 4)
"""Possible numbers of axes of a square."""

Pattern = tuple[tuple[str, ...], ...]
Map = Callable[[int, Cell2], Cell2]

MIRRORS: Mapping[str, Map] = {
    "vertical": lambda n, p: (p[0], n - 1 - p[1]),
    "horizontal": lambda n, p: (n - 1 - p[0], p[1]),
    "falling": lambda n, p: (p[1], p[0]),
    "rising": lambda n, p: (n - 1 - p[1], n - 1 - p[0]),
}
"""The lines in which a square is its own mirror image; n is the number of fields across."""


@dataclass(frozen=True)
class Scene:
    """The shades of the fields, row by row."""

    fields: Pattern


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    side, shades, broken = (int(levels[name]) for name in ("grid", "shades", "broken"))
    # The order is long enough to be independent of the levels, which are balanced as well.
    right = rng.balanced(COUNTS * 25)
    mirror_axes = _axes(rng, right, levels["lines"] == "diagonal")
    more = _superset(rng, mirror_axes)
    palette = rng.sample(SHADES, shades)
    colors: dict[Cell2, str] = {}
    for cell in [(r, c) for r in range(side) for c in range(side)]:
        if cell not in colors:
            shade = rng.choice(palette)
            colors |= dict.fromkeys(_orbit(side, cell, more), shade)
    if right < len(COUNTS):
        for cell in rng.sample(list(colors), broken):
            shade = rng.choice([s for s in palette if s != colors[cell]])
            colors |= dict.fromkeys(_orbit(side, cell, mirror_axes), shade)
    fields = tuple(tuple(colors[r, c] for c in range(side)) for r in range(side))
    wrong = tuple(
        Distractor(n, "axis overlooked" if n < right else "broken symmetry counted")
        for n in COUNTS
        if n != right
    )
    scene = Scene(fields)
    if axes(scene.fields) != sorted(mirror_axes):
        return Draft(Scene(()), 0)
    return Draft(scene, right, wrong, ("axes", tuple(sorted(mirror_axes))))


def _axes(rng: ItemRandom, count: int, diagonal: bool) -> list[str]:
    """The given number of axes, along the sides or diagonals; there are four in all."""
    pair = ["falling", "rising"] if diagonal else ["horizontal", "vertical"]
    return [[], [rng.choice(pair)], pair, None, list(MIRRORS)][count] or []


def _superset(rng: ItemRandom, mirror_axes: Sequence[str]) -> list[str]:
    """Axes of a pattern with more symmetry."""
    if len(mirror_axes) == 1:
        pairs = (["falling", "rising"], ["horizontal", "vertical"])
        return rng.choice([*(pair for pair in pairs if mirror_axes[0] in pair), list(MIRRORS)])
    if not mirror_axes:
        return rng.choice((["vertical"], ["falling"], ["horizontal", "vertical"], list(MIRRORS)))
    return list(MIRRORS)


def _orbit(side: int, cell: Cell2, names: Sequence[str]) -> set[Cell2]:
    """The fields that a field is carried to by reflections in these lines."""
    result, front = {cell}, [cell]
    while front:
        here = front.pop()
        for name in names:
            there = MIRRORS[name](side, here)
            if there not in result:
                result.add(there)
                front.append(there)
    return result


def axes(fields: Pattern) -> list[str]:
    """Return the names of the axes in which a pattern is symmetric."""
    side = len(fields)
    cells = list(product(range(side), repeat=2))
    return sorted(
        name
        for name, there in MIRRORS.items()
        if all(fields[r][c] == fields[a][b] for r, c in cells for a, b in (there(side, (r, c)),))
    )


def solve(scene: Scene, options: Sequence[int]) -> Proof:
    """Solve by trying every axis of the square."""
    if not scene.fields:
        return Proof((), 0)
    return Proof((len(axes(scene.fields)),), len(MIRRORS))


def board(options: int) -> Board:
    """Return the plan of the picture."""
    return Board(((SIDE + 24, SIDE + 24),), options, (80, 60))


def picture(scene: Scene, options: Sequence[int]) -> tuple[Pixels, ...]:
    plan = board(len(options))
    canvas, (panel,) = plan.canvas(), plan.panels
    step = SIDE / len(scene.fields)
    for r, row in enumerate(scene.fields):
        for c, shade in enumerate(row):
            x, y = panel.x + 12 + c * step, panel.y + 12 + r * step
            corners = [(x, y), (x + step, y), (x + step, y + step), (x, y + step)]
            canvas.polygon(corners, COLORS[SHADES.index(shade)], LINE, 1)
    draw_numbers(canvas, plan, options)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    return tuple(
        say("tile_row", row=r + 1, tiles=tuple(say("tile", shade=shade) for shade in row))
        for r, row in enumerate(scene.fields)
    )


def from_twin(lines: Sequence[Say]) -> Scene:
    return Scene(
        tuple(tuple(str(one["shade"]) for one in line["tiles"]) for line in lines)  # pyright: ignore
    )


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        scene_type=Scene,
        option=lambda number: say("number", number=number),
        answer_types=("choice", "open"),
        options=(4,),
        seed_classes=4,
        output_format=OutputFormat("value", labels=("ANSWER",)),
        version="2",  # as the version before, with plainer English
        **declared(__file__, COMMON),
    )
)
