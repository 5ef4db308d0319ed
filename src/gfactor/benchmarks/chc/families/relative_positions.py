"""Relative positions: which cube is reached by steps described from another person's side?

Colored cubes stand on a floor, some on others. Steps to the left, to the right, nearer, farther, up
and down are those of a person whose place and direction of view an arrow shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Canvas, Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.polycubes import (
    HUES,
    Cell3,
    Point,
    all_visible,
    draw_cells,
    draw_floor,
    place,
    shaded,
)
from gfactor.items import ItemRandom

UNIT, OPTION_UNIT = 46, 40
PANEL = (460, 340)
CORNER = (75, 235)
"""Position of the front left corner of the floor in the panel."""
ARROW = (30, 30, 30)
_DRAWS = 60

WAYS: Mapping[str, tuple[int, int]] = {
    "front": (0, 1), "right": (-1, 0), "back": (0, -1), "left": (1, 0),
}  # fmt: skip
"""Side that the person stands on -> the direction (x, y) in which the person looks."""
MOVES = ("left", "right", "farther", "nearer", "up", "down")


@dataclass(frozen=True)
class Scene:
    """Places along a side of the floor, cubes (x, y, z, color), the person's side, start and
    moves."""

    base: int
    cubes: tuple[tuple[int, int, int, str], ...]
    side: str
    start: str
    moves: tuple[str, ...]


@dataclass(frozen=True)
class ApartScene(Scene):
    """A scene whose arrow does not overlap the cubes, as it could in version 1."""

    apart: bool = True


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    base, count, stacked, steps = (
        int(levels[name]) for name in ("base", "cubes", "stacked", "steps")
    )
    side = str(levels["side"])
    for _ in range(_DRAWS):
        cubes = _cubes(rng, base, count, stacked)
        if not cubes or not all_visible(cubes, 0.4):
            continue
        named = {cell: hue for cell, hue in zip(cubes, rng.sample(list(HUES), count), strict=True)}
        walk = _walk(rng, named, base, side, steps)
        if walk is None:
            continue
        start, moves, end = walk
        placed = tuple((*cell, named[cell]) for cell in sorted(named))
        scene = ApartScene(base, placed, side, named[start], moves)
        wrong = _errors(rng, scene, named, start, options)
        return Draft(scene, named[end], wrong)
    return Draft(Scene(0, (), side, "", ()), "")


def _cubes(rng: ItemRandom, base: int, count: int, stacked: int) -> list[Cell3]:
    """Cubes near each other on the floor, and the given number on top of others."""
    positions = [(x, y) for x in range(base) for y in range(base)]
    below = rng.sample(positions, count - stacked)
    if stacked > len(below):
        return []
    above = rng.sample(below, stacked)
    return [(x, y, 0) for x, y in below] + [(x, y, 1) for x, y in above]


def step(cell: Cell3, move: str, side: str) -> Cell3:
    """Return the next place in a direction, as seen by a person on that side."""
    ahead = WAYS[side]
    # For a person who looks along (x, y), right is along (y, -x).
    right = (ahead[1], -ahead[0])
    x, y, z = {
        "left": (-right[0], -right[1], 0),
        "right": (*right, 0),
        "farther": (*ahead, 0),
        "nearer": (-ahead[0], -ahead[1], 0),
        "up": (0, 0, 1),
        "down": (0, 0, -1),
    }[move]
    return cell[0] + x, cell[1] + y, cell[2] + z


_OPPOSITE = {
    "left": "right", "right": "left", "farther": "nearer", "nearer": "farther", "up": "down",
    "down": "up",
}  # fmt: skip


def _walk(
    rng: ItemRandom, named: Mapping[Cell3, str], base: int, side: str, steps: int
) -> tuple[Cell3, tuple[str, ...], Cell3] | None:
    """A cube, steps over the floor that never turn back, and the other cube where they end."""
    for _ in range(20):
        start = rng.choice(sorted(named))
        here, moves = start, []
        while len(moves) < steps:
            fitting = []
            for move in MOVES:
                x, y, z = step(here, move, side)
                inside = 0 <= x < base and 0 <= y < base and 0 <= z <= 1
                back = bool(moves) and move == _OPPOSITE[moves[-1]]
                if inside and not back and (z == 0 or (x, y, 0) in named):
                    fitting.append(move)
            if not fitting:
                break
            moves.append(rng.choice(fitting))
            here = step(here, moves[-1], side)
        if len(moves) == steps and here in named and here != start:
            return start, tuple(moves), here
    return None


def _reached(start: Cell3, moves: Sequence[str], side: str) -> Cell3:
    for move in moves:
        start = step(start, move, side)
    return start


def _errors(
    rng: ItemRandom, scene: Scene, named: Mapping[Cell3, str], start: Cell3, options: int
) -> tuple[Distractor, ...]:
    """Other cubes; those to which an error leads come first."""
    right = _reached(start, scene.moves, scene.side)
    turned = {"front": "back", "back": "front", "left": "right", "right": "left"}
    flipped = [_OPPOSITE[m] if m in ("left", "right") else m for m in scene.moves]
    errors = {}
    for cell, error in (
        (_reached(start, scene.moves, "front"), "the onlooker's view"),
        (_reached(start, flipped, scene.side), "left and right exchanged"),
        (_reached(start, scene.moves, turned[scene.side]), "the opposite view"),
        (_reached(start, scene.moves[:-1], scene.side), "a step left out"),
    ):
        if cell in named and cell not in (right, start):
            errors.setdefault(named[cell], error)
    # The start, which the question names, is not an option.
    others = rng.shuffled([h for c, h in named.items() if c not in (right, start)])
    chosen = sorted(others, key=lambda hue: hue not in errors)[: options - 1]
    return tuple(Distractor(hue, errors.get(hue, "another cube")) for hue in chosen)


def solve(scene: Scene, options: Sequence[str]) -> Proof:
    """Solve by following the moves from the start cube."""
    cells = {(x, y, z): hue for x, y, z, hue in scene.cubes}
    starts = [cell for cell, hue in cells.items() if hue == scene.start]
    ends = [cells.get(_reached(cell, scene.moves, scene.side), "") for cell in starts]
    fits = tuple(option for option in options if option in ends)
    return Proof(fits, max(1, len(scene.moves) * len(starts)))


def board(options: int) -> Board:
    """Return the plan of the picture."""
    return Board((PANEL,), options, (110, 100))


def picture(scene: Scene, options: Sequence[str]) -> tuple[Pixels, ...]:
    plan = board(len(options))
    canvas, (panel,) = plan.canvas(), plan.panels
    origin = (panel.x + CORNER[0], panel.y + CORNER[1])
    draw_floor(canvas, scene.base, scene.base, origin, UNIT)
    shades = {(x, y, z): shaded(HUES[hue]) for x, y, z, hue in scene.cubes}
    if isinstance(scene, ApartScene):
        _draw_arrow(canvas, scene, origin, _AWAY)
        draw_cells(canvas, list(shades), origin, UNIT, shades)
    else:
        draw_cells(canvas, list(shades), origin, UNIT, shades)
        _draw_arrow(canvas, scene, origin, dict.fromkeys(_AWAY, 0.2))
    for option_panel, hue in zip(plan.option_panels, options, strict=True):
        x, y = option_panel.middle
        cell = (0, 0, 0)
        corner = (x - 0.70 * OPTION_UNIT, y + 0.57 * OPTION_UNIT)
        draw_cells(canvas, [cell], corner, OPTION_UNIT, {cell: shaded(HUES[hue])})
    return (canvas.pixels,)


_AWAY = {"front": 0.2, "right": 0.2, "back": 3.0, "left": 1.7}
"""Tiles from the floor to the tip of the arrow: cubes hide what is close behind them."""


def _draw_arrow(
    canvas: Canvas, scene: Scene, origin: Point, distances: Mapping[str, float]
) -> None:
    """An arrow on the floor beside the tiles, in the direction in which the person looks."""
    base, away = scene.base, distances[scene.side]
    tip = {
        "front": (base / 2, -away), "right": (base + away, base / 2),
        "back": (base / 2, base + away), "left": (-away, base / 2),
    }[scene.side]  # fmt: skip
    (tx, ty), (wx, wy) = tip, WAYS[scene.side]
    flat = [(0.0, 0.0), (-0.5, 0.4), (-0.5, 0.15), (-1.1, 0.15)]
    flat += [(a, -b) for a, b in reversed(flat[1:])]
    points = [(tx + a * wx - b * wy, ty + a * wy + b * wx, 0) for a, b in flat]
    canvas.polygon([place(p, origin, UNIT) for p in points], ARROW, ARROW, 1)


def twin(scene: Scene) -> tuple[Say, ...]:
    return (
        say("floor", base=scene.base),
        *(say("block", hue=hue, x=x + 1, y=y + 1, z=z + 1) for x, y, z, hue in scene.cubes),
        say("person", stand=scene.side),
        *question(scene)[1:],
    )


def from_twin(lines: Sequence[Say]) -> Scene:
    floor, *blocks, person, steps = lines
    cubes = tuple(
        (one["x"] - 1, one["y"] - 1, one["z"] - 1, str(one["hue"]))  # pyright: ignore
        for one in blocks
    )
    moves = tuple(str(one["move"]) for one in steps["moves"])  # pyright: ignore
    return ApartScene(
        int(str(floor["base"])), cubes, str(person["stand"]), str(steps["hue"]), moves
    )


def question(scene: Scene) -> tuple[Say, ...]:
    moves = tuple(say("one_move", move=move) for move in scene.moves)
    return (say("ask"), say("steps", hue=scene.start, moves=moves))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=lambda hue: say("which", hue=hue),
        scene_type=Scene,
        version="3",  # as the version before, with plainer English
        options=(4,),
        **declared(__file__, COMMON),
    )
)
