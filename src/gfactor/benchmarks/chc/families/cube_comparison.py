"""Comparison of cubes: which option can be the same cube, turned?

No mark occurs twice on a cube. An option can be the same cube if some turn of the first puts each
mark that both show where the other shows it, and every other mark on a face that is hidden there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.chc.marks import (
    MARKS,
    cube_origin,
    exchanged,
    random_marks,
    random_turn,
    turned_mark,
    view_read,
    view_said,
)
from gfactor.benchmarks.texts import Say
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.cubes import (
    DIRECTED,
    NORMALS,
    SYMMETRIC,
    UPWARDS,
    Mark,
    Seen,
    clockwise,
    draw_cube,
    turned_cube,
    view,
)
from gfactor.imaging.measures.cube_comparison import EDGE, OPTION_EDGE
from gfactor.imaging.polycubes import FACES, ROTATIONS, Cell3, Rotation, angle, turn
from gfactor.items import ItemRandom


@dataclass(frozen=True)
class Scene:
    """View of the cube: mark and clockwise quarter turns on top, in front, on the right."""

    seen: Seen


@lru_cache(maxsize=64)
def _rotations(shared: int, degrees: int) -> tuple[Rotation, ...]:
    """The rotations by an angle after which so many visible faces were visible before."""
    normals = set(NORMALS.values())
    return tuple(
        r
        for r in ROTATIONS
        if angle(r) == degrees and sum(turn(r, n) in normals for n in normals) == shared
    )


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    marks = random_marks(rng, 6, int(levels["directed"]))
    cube: dict[Cell3, Mark] = {}
    for (normal, up), mark in zip(_FRAMES, marks, strict=True):
        cube[normal] = (mark, clockwise(up, normal, random_turn(rng, mark)))
    rotation = rng.choice(_rotations(int(levels["shared"]), int(levels["angle"])))
    before, after = view(cube), view(turned_cube(cube, rotation))
    names = {mark for mark, _ in before}
    both = [k for k in range(3) if after[k][0] in names]
    pointing = [k for k in both if after[k][0] in DIRECTED]
    if not pointing:
        return Draft(Scene(()), ())
    spot = rng.choice(pointing)
    quarters = 2 if levels["twist"] == "half" else rng.choice((1, 3))
    a, b = rng.sample(both, 2)
    wrong = turned_mark(after, spot, quarters)
    others = (
        Distractor(exchanged(after, a, b), "mirror image"),
        Distractor(wrong, "mark turned"),
        Distractor(exchanged(wrong, a, b), "mark turned and mirror image"),
    )
    return Draft(Scene(before), after, others, ("rotation", ROTATIONS.index(rotation)))


_FRAMES: tuple[tuple[Cell3, Cell3], ...] = (
    *((NORMALS[name], UPWARDS[name]) for name in FACES),
    ((0, 0, -1), (0, 1, 0)),
    ((0, 1, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, 0, 1)),
)
"""The six faces, each with a direction that counts as upwards."""


def solve(scene: Scene, options: Sequence[Seen]) -> Proof:
    """Solve by comparing every rotation of the visible faces with every option, face by face."""
    fits, tried = [], 0
    for option in options if scene.seen else ():
        for rotation in ROTATIONS:
            tried += 1
            if _agrees(scene.seen, option, rotation):
                fits.append(option)
                break
    return Proof(tuple(fits), tried)


def _agrees(seen: Seen, option: Seen, rotation: Rotation) -> bool:
    """Return True if the turned faces and the option's could be faces of one cube."""
    there: dict[Cell3, tuple[str, int]] = {}
    for name, (mark, quarters) in zip(FACES, seen, strict=True):
        up = turn(rotation, clockwise(UPWARDS[name], NORMALS[name], quarters))
        normal = turn(rotation, NORMALS[name])
        for position, front in NORMALS.items():
            if normal == front:
                turns = next(k for k in range(4) if clockwise(UPWARDS[position], front, k) == up)
                there[front] = (mark, 0 if mark in SYMMETRIC else turns)
    for position, option_mark in zip(FACES, option, strict=True):
        if there.get(NORMALS[position], option_mark) != option_mark:
            return False
    hidden_before = {mark for mark, _ in seen} - {mark for mark, _ in there.values()}
    new = {
        m for position, (m, _) in zip(FACES, option, strict=True) if NORMALS[position] not in there
    }
    return not hidden_before & {m for m, _ in option} and not new & {m for m, _ in seen}


def board(options: int) -> Board:
    """Return the plan of the picture."""
    return Board(((300, 210),), options)


def picture(scene: Scene, options: Sequence[Seen]) -> tuple[Pixels, ...]:
    plan = board(len(options))
    canvas, (panel,) = plan.canvas(), plan.panels
    draw_cube(canvas, scene.seen, cube_origin(panel, EDGE), EDGE)
    for option_panel, seen in zip(plan.option_panels, options, strict=True):
        draw_cube(canvas, seen, cube_origin(option_panel, OPTION_EDGE), OPTION_EDGE)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    return (view_said("first", scene.seen),)


def from_twin(lines: Sequence[Say]) -> Scene:
    return Scene(view_read(lines[0]))


register(
    Family(
        fits=lambda levels: bool(_rotations(int(levels["shared"]), int(levels["angle"]))),
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda seen: view_said("view", seen),
        scene_type=Scene,
        content_type=Seen,
        options=(4,),
        **declared(__file__, COMMON, MARKS),
    )
)
