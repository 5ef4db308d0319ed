"""Views of a stack: how does it look from the side that an arrow points at?

An option is the outline of a view: how many cubes high it is at each place from left to right. The
options are two outlines and their mirror images, so that the options alone do not tell the answer.
Of the right outline and the one that differs by a cube at one place, each is the taller one equally
often. (In version 1 it had any other height there, and the right one, which shows the highest
cubes, was the taller one more often: to guess a tallest outline gained 7 points.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON, crossed
from gfactor.benchmarks.chc.family import Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.chc.stacks import (
    PANEL,
    STACKS,
    UNIT,
    Heights,
    draw_stack,
    origin_in,
    rows_read,
    rows_said,
    scattered_heights,
)
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import BLACK, Pixels
from gfactor.imaging.boards import Board, Panel
from gfactor.imaging.canvas import Canvas
from gfactor.imaging.measures.block_views import ARROW, SQUARE
from gfactor.imaging.polycubes import SHADES, place
from gfactor.items import ItemRandom

_DRAWS = 40

Profile = tuple[int, ...]


@dataclass(frozen=True)
class Scene:
    """Heights of the columns, row by row from the front, and the side of the view."""

    heights: Heights
    side: str


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    side = str(levels["side"])
    base, layers, columns = (int(levels[name]) for name in ("base", "layers", "columns"))
    rises, lower = rng.chance(1, 2), rng.chance(1, 2)
    for _ in range(_DRAWS):
        heights = scattered_heights(rng, base, layers, columns)
        if not heights:
            continue
        right = profile(heights, side)
        spots = [k for k, top in enumerate(right) if (top > 1 if lower else top < layers)]
        if not spots:
            continue
        spot = rng.choice(spots)
        changed = (*right[:spot], right[spot] + (-1 if lower else 1), *right[spot + 1 :])
        # Visible outlines are mostly higher on the left; so rising outlines are made equally
        # frequent.
        if (_slope(right) > 0) == rises and len({*_both(right), *_both(changed)}) == options:
            wrong = crossed(right, {"height": changed, "mirror": True}, _put, _error)
            return Draft(Scene(heights, side), right, wrong, ("place", spot))
    return Draft(Scene((), side), ())


def _slope(outline: Profile) -> int:
    return sum(height * (2 * x - len(outline) + 1) for x, height in enumerate(outline))


def _both(outline: Profile) -> tuple[Profile, Profile]:
    return outline, outline[::-1]


def _put(content: Profile, attribute: str, value: Profile | bool) -> Profile:
    return content[::-1] if value is True else tuple(value)  # pyright: ignore


def _error(_: Profile, wrong: tuple[str, ...]) -> str:
    names = {"height": "another height", "mirror": "mirror image"}
    return " and ".join(names[w] for w in wrong)


def profile(heights: Heights, side: str) -> Profile:
    """Return the heights of a view from left to right: the highest column of each line of sight."""
    across = tuple(max(column) for column in zip(*heights, strict=True))
    deep = tuple(max(row) for row in heights)
    return {"front": across, "right": deep, "left": deep[::-1]}[side]


def solve(scene: Scene, options: Sequence[Profile]) -> Proof:
    """Return the options that agree with every line of sight, each followed through the stack."""
    fits, tried = [], 0
    base = len(scene.heights)
    for option in options if base else ():
        agrees = True
        for k in range(base):
            line = {
                "front": [scene.heights[y][k] for y in range(base)],
                "right": list(scene.heights[k]),
                "left": list(scene.heights[base - 1 - k]),
            }[scene.side]
            tried += len(line)
            agrees &= max(line) == option[k]
        if agrees:
            fits.append(option)
    return Proof(tuple(fits), tried)


def board(options: int) -> Board:
    """Return the plan of the picture."""
    return Board((PANEL,), options, (140, 124))


def picture(scene: Scene, options: Sequence[Profile]) -> tuple[Pixels, ...]:
    plan = board(len(options))
    canvas = plan.canvas()
    draw_stack(canvas, scene.heights, plan.panels[0])
    _draw_arrow(canvas, scene, plan.panels[0])
    for panel, heights in zip(plan.option_panels, options, strict=True):
        _draw_profile(canvas, heights, panel)
    return (canvas.pixels,)


def _draw_arrow(canvas: Canvas, scene: Scene, panel: Panel) -> None:
    """Draw an arrow on the floor that points at the viewed side."""
    base, origin = len(scene.heights), origin_in(panel)
    middle = base / 2
    tip, way = {
        "front": ((middle, -0.25), (0, 1)),
        "right": ((base + 0.25, middle), (-1, 0)),
        "left": ((-0.25, 0.5), (1, 0)),
    }[scene.side]
    (tx, ty), (wx, wy) = tip, way
    flat = [
        (0, 0),
        (-0.6, 0.45),
        (-0.6, 0.17),
        (-1.3, 0.17),
        (-1.3, -0.17),
        (-0.6, -0.17),
        (-0.6, -0.45),
    ]
    points = [(tx + a * wx - b * wy, ty + a * wy + b * wx, 0) for a, b in flat]
    canvas.polygon([place(p, origin, UNIT) for p in points], ARROW, ARROW, 1)


def _draw_profile(canvas: Canvas, heights: Profile, panel: Panel) -> None:
    left = panel.middle[0] - len(heights) * SQUARE // 2
    bottom = panel.y + panel.height - 14
    canvas.line(panel.x + 8, bottom, panel.x + panel.width - 8, bottom, BLACK, 2)
    for x, height in enumerate(heights):
        for z in range(height):
            a, b = left + x * SQUARE, bottom - z * SQUARE
            corners = [(a, b), (a + SQUARE, b), (a + SQUARE, b - SQUARE), (a, b - SQUARE)]
            canvas.polygon(corners, SHADES[1], BLACK, 2)


def twin(scene: Scene) -> tuple[Say, ...]:
    return (*rows_said(scene.heights), say("arrow", side=scene.side))


def from_twin(lines: Sequence[Say]) -> Scene:
    return Scene(rows_read(lines), str(lines[-1]["side"]))


register(
    Family(
        fits=lambda levels: (
            int(levels["columns"]) in {4: (6, 8), 5: (8, 10, 11)}[int(levels["base"])]
        ),
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda heights: say("view", numbers=tuple(heights)),
        scene_type=Scene,
        version="2",
        content_type=Profile,
        options=(4,),
        **declared(__file__, COMMON, STACKS),
    )
)
