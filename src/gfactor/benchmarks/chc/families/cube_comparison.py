"""Comparison of cubes: which option can be the same cube, turned?

No mark occurs twice on a cube. An option can be the same cube if some rotation of the first cube
puts each mark that both show at its position in the option, and every other mark on a face that is
hidden there.

An extreme item shows the cube twice, with one mark in common, which the options hide. An option has
one other mark of each view. Its mirror image agrees with each of the two views, and only with both
together it does not: the common mark determines the relative position of the two marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

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
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.cubes import (
    DIRECTED,
    NORMALS,
    UPWARDS,
    Cube,
    Mark,
    Seen,
    can_be_one,
    clockwise,
    draw_cube,
    faces_of,
    turned_cube,
    view,
)
from gfactor.imaging.measures.cube_comparison import EDGE, OPTION_EDGE, board
from gfactor.imaging.polycubes import FACES, ROTATIONS, Cell3, Rotation, angle, turn
from gfactor.items import ItemRandom


@dataclass(frozen=True)
class Scene:
    """View of the cube: mark and clockwise quarter turns on top, in front, on the right."""

    seen: Seen


@dataclass(frozen=True)
class TwiceSeen(Scene):
    """Two views of the cube, in different positions."""

    second: Seen


def views_of(scene: Scene) -> tuple[Seen, ...]:
    """Return the views of the cube that a scene shows."""
    return (scene.seen, scene.second) if isinstance(scene, TwiceSeen) else (scene.seen,)


@lru_cache(maxsize=64)
def _rotations(shared: int, degrees: int) -> tuple[Rotation, ...]:
    """The rotations by an angle after which the given number of visible faces were visible
    before."""
    normals = set(NORMALS.values())
    return tuple(
        r
        for r in ROTATIONS
        if angle(r) == degrees and sum(turn(r, n) in normals for n in normals) == shared
    )


@lru_cache(maxsize=64)
def _second_rotations(rotation: Rotation) -> tuple[Rotation, ...]:
    """The rotations to a second view with one face in common with the first and one with the
    option, none of them seen in all three."""
    result = []
    first, option = _visible_faces(ROTATIONS[0]), _visible_faces(rotation)
    for other in ROTATIONS:
        second = _visible_faces(other)
        if len(first & second) == len(second & option) == 1 and not first & second & option:
            result.append(other)
    return tuple(result)


def _visible_faces(rotation: Rotation) -> set[Cell3]:
    """The faces of a cube that are visible after a rotation, by their normals before it."""
    return {n for n, _ in _FRAMES if turn(rotation, n) in NORMALS.values()}


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    marks = random_marks(rng, 6, int(levels["directed"]))
    cube: dict[Cell3, Mark] = {}
    for (normal, up), mark in zip(_FRAMES, marks, strict=True):
        cube[normal] = (mark, clockwise(up, normal, random_turn(rng, mark)))
    rotation = rng.choice(_rotations(int(levels["shared"]), int(levels["angle"])))
    before, after = view(cube), view(turned_cube(cube, rotation))
    scene = Scene(before)
    if levels["shared"] == 1:
        scene = TwiceSeen(before, view(turned_cube(cube, rng.choice(_second_rotations(rotation)))))
    names = {mark for seen in views_of(scene) for mark, _ in seen}
    both = [k for k in range(3) if after[k][0] in names]
    pointing = [k for k in both if after[k][0] in DIRECTED]
    if not pointing:
        return Draft(Scene(()), ())
    spot = rng.choice(pointing)
    quarters = 2 if levels["twist"] == "half" else rng.choice((1, 3))
    a, b = rng.sample(both, 2)
    wrong = turned_mark(after, spot, quarters)
    mirrored = _passed_on if isinstance(scene, TwiceSeen) else exchanged
    others = (
        Distractor(mirrored(after, a, b), "mirror image"),
        Distractor(wrong, "mark turned"),
        Distractor(mirrored(wrong, a, b), "mark turned and mirror image"),
    )
    return Draft(scene, after, others, ("rotation", ROTATIONS.index(rotation)))


def _passed_on(seen: Seen, a: int, b: int) -> Seen:
    """A view with two marks exchanged, each with the direction that it has after turning the cube
    about the visible corner, so that each mark alone is compatible with the cube."""
    out, normals = list(seen), (NORMALS[FACES[a]], NORMALS[FACES[b]])
    for rotation in _rotations(3, 120):
        turned = view(turned_cube(faces_of(seen), rotation))
        for before, after, index in ((*normals, b), (*normals[::-1], a)):
            if turn(rotation, before) == after:
                out[index] = turned[index]
    return tuple(out)


_FRAMES: tuple[tuple[Cell3, Cell3], ...] = (
    *((NORMALS[name], UPWARDS[name]) for name in FACES),
    ((0, 0, -1), (0, 1, 0)),
    ((0, 1, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, 0, 1)),
)
"""The six faces, each with a direction that counts as upwards."""


def solve(scene: Scene, options: Sequence[Seen]) -> Proof:
    """Solve by comparing every rotation of the visible faces with every option, face by face."""
    fits, cubes, tried = [], [faces_of(scene.seen)] if scene.seen else [], 0
    if isinstance(scene, TwiceSeen):
        tried += len(ROTATIONS)
        cubes = _joined(cubes[0], faces_of(scene.second))
    for option in options if cubes else ():
        for cube, rotation in product(cubes, ROTATIONS):
            tried += 1
            if can_be_one(turned_cube(cube, rotation), faces_of(option)):
                fits.append(option)
                break
    return Proof(tuple(fits), tried)


def _joined(first: Cube, second: Cube) -> list[Cube]:
    """Return the faces known from two views, for every turn by which both can be one cube."""
    turned = (turned_cube(second, rotation) for rotation in ROTATIONS)
    return [{**other, **first} for other in turned if can_be_one(first, other)]


def picture(scene: Scene, options: Sequence[Seen]) -> tuple[Pixels, ...]:
    views = views_of(scene)
    plan = board(len(options), len(views))
    canvas = plan.canvas()
    for panel, seen in zip(plan.panels, views, strict=True):
        draw_cube(canvas, seen, cube_origin(panel, EDGE), EDGE)
    for option_panel, seen in zip(plan.option_panels, options, strict=True):
        draw_cube(canvas, seen, cube_origin(option_panel, OPTION_EDGE), OPTION_EDGE)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    names = ("first", "second")
    return tuple(view_said(*one) for one in zip(names, views_of(scene), strict=False))


def from_twin(lines: Sequence[Say]) -> Scene:
    first, *others = map(view_read, lines)
    return TwiceSeen(first, others[0]) if others else Scene(first)


def question(scene: Scene) -> tuple[Say, ...]:
    return (say("ask_seen_twice" if isinstance(scene, TwiceSeen) else "ask"),)


register(
    Family(
        fits=lambda levels: bool(_rotations(int(levels["shared"]), int(levels["angle"]))),
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        question=question,
        option=lambda seen: view_said("view", seen),
        scene_type=Scene,
        content_type=Seen,
        options=(4,),
        version="2",  # as the version before, with plainer English
        **declared(__file__, COMMON, MARKS),
    )
)
