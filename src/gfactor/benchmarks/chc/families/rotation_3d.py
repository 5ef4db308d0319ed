"""Rotation of a body of cubes: which option is the same body, turned in space?

Bodies are straight arms, each grown from a cube of an earlier one. All four options are variants
of one hidden body (arms of other lengths), or two variants with their mirror images, and the body
in the question is any of them. All options are rotated by the same angle from the position of the
body in the question, so that the options alone do not reveal the answer. (In version 1 only the
right one was, so that its position differed from the others'.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.measures.rotation_3d import OPTION_UNIT, UNIT
from gfactor.imaging.polycubes import (
    ROTATIONS,
    Cell3,
    Cells3,
    Rotation,
    all_visible,
    angle,
    canonical,
    centered,
    draw_cells,
    drawn_size,
    is_chiral,
    mirrored,
    neighbors,
    normalized,
    rotated,
)
from gfactor.items import ItemRandom

LEAST_SHARE = 0.45
"""Smallest visible share of one face of every cube."""
LARGEST = 5.6
"""Greatest width and height of a body's picture, in edges of a cube."""
_DIRECTIONS: tuple[Cell3, ...] = (
    (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1),
)  # fmt: skip
_DRAWS = 200


@dataclass(frozen=True)
class Scene:
    """The cells (x to the right, y to the back, z up) of the body in the question."""

    body: Cells3


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    degrees, mirrors = int(levels["angle"]), int(levels["mirrors"])
    for _ in range(_DRAWS):
        bodies = _bodies(rng, int(levels["cubes"]), int(levels["arms"]), options, mirrors)
        first = _first_view(rng, bodies[0][0]) if bodies else None
        if first is None:
            continue
        placed = [rotated(body, first) for body, _ in bodies]
        views = [_view(rng, body, degrees) for body in placed]
        wrong = [
            Distractor(cells, error)
            for cells, (_, error) in zip(views[1:], bodies[1:], strict=True)
            if cells
        ]
        if views[0] and len(wrong) == options - 1:
            return Draft(Scene(placed[0]), views[0], tuple(wrong), ("angle", degrees))
    return Draft(Scene(()), ())


def _bodies(
    rng: ItemRandom, cubes: int, arms: int, options: int, mirrors: int
) -> list[tuple[Cells3, str]]:
    """The body in the question and the others, each with the error that confuses it with the
    first."""
    turns = _turns(rng, arms)
    roots = [rng.integer(0, 99) for _ in turns]
    result: dict[Cells3, Cells3] = {}
    for _ in range(12):
        body = _grown(turns, roots, _lengths(rng, cubes, arms))
        if body and is_chiral(body):
            keys = {canonical(body), canonical(mirrored(body))}
            if not keys & set(result):
                result[canonical(body)] = body
        if len(result) == options - mirrors:
            break
    else:
        return []
    # Each is followed by its mirror image, if there are mirror images.
    bodies = rng.shuffled(list(result.values()))
    if rng.chance(1, 2):
        bodies = [mirrored(body) for body in bodies]
    listed = [(body, "other arms") for body in bodies]
    if mirrors:
        flipped = [(mirrored(body), "other arms and mirror image") for body in bodies]
        listed += [(flipped[0][0], "mirror image"), *flipped[1:mirrors]]
    return listed


def _turns(rng: ItemRandom, arms: int) -> list[Cell3]:
    """Directions of the arms, each at a right angle to the one before it."""
    path = [rng.choice(_DIRECTIONS)]
    while len(path) < arms:
        last = path[-1]
        path.append(
            rng.choice(
                [d for d in _DIRECTIONS if not sum(a * b for a, b in zip(d, last, strict=True))]
            )
        )
    return path


def _lengths(rng: ItemRandom, cubes: int, arms: int) -> list[int]:
    """Steps of each arm, together one fewer than the cubes."""
    lengths = [1] * arms
    for _ in range(cubes - 1 - arms):
        lengths[rng.integer(0, arms - 1)] += 1
    return lengths


def _grown(turns: Sequence[Cell3], roots: Sequence[int], lengths: Sequence[int]) -> Cells3:
    """The cells of the arms; () if arms meet.

    Each arm starts from a cube of the one before it: the last, or for every third number in
    `roots` another one.
    """
    arm, cells = [(0, 0, 0)], [(0, 0, 0)]
    for (dx, dy, dz), root, length in zip(turns, roots, lengths, strict=True):
        x, y, z = arm[root % len(arm)] if root % 3 == 0 else arm[-1]
        arm = [(x + dx * k, y + dy * k, z + dz * k) for k in range(1, length + 1)]
        cells += arm
    touching = sum(len(set(neighbors(cell)) & set(cells)) for cell in cells)
    # A tree of n cubes has n - 1 faces between them, each counted twice.
    return normalized(cells) if touching == 2 * (len(cells) - 1) == 2 * len(set(cells)) - 2 else ()


def _first_view(rng: ItemRandom, body: Cells3) -> Rotation | None:
    """A rotation after which every cube of the body can be seen."""
    for rotation in rng.sample(ROTATIONS, 6):
        if _is_clear(rotated(body, rotation)):
            return rotation
    return None


def _is_clear(body: Cells3) -> bool:
    """Return True if the picture of a body fits its panel and shows every cube."""
    return max(drawn_size(body)) <= LARGEST and all_visible(body, LEAST_SHARE)


def _view(rng: ItemRandom, body: Cells3, degrees: int) -> Cells3:
    """The body after a rotation by that angle in which every cube can be seen; () for none."""
    for rotation in rng.shuffled([r for r in ROTATIONS if angle(r) == degrees]):
        seen = rotated(body, rotation)
        if _is_clear(seen):
            return seen
    return ()


def solve(scene: Scene, options: Sequence[Cells3]) -> Proof:
    fits, tried = [], 0
    for option in options if scene.body else ():
        for rotation in ROTATIONS:
            tried += 1
            if rotated(scene.body, rotation) == option:
                fits.append(option)
                break
    return Proof(tuple(fits), tried)


def board(options: int) -> Board:
    """Return the plan of the picture."""
    return Board(((300, 260),), options)


def picture(scene: Scene, options: Sequence[Cells3]) -> tuple[Pixels, ...]:
    plan = board(len(options))
    canvas = plan.canvas()
    draw_cells(canvas, centered(scene.body), plan.panels[0].middle, UNIT)
    for panel, cells in zip(plan.option_panels, options, strict=True):
        draw_cells(canvas, centered(cells), panel.middle, OPTION_UNIT)
    return (canvas.pixels,)


def _cells(cells: Cells3) -> tuple[Say, ...]:
    return tuple(say("cube", x=x, y=y, z=z) for x, y, z in cells)


def twin(scene: Scene) -> tuple[Say, ...]:
    return (say("axes"), say("body", cubes=_cells(scene.body)))


def from_twin(lines: Sequence[Say]) -> Scene:
    return Scene(tuple((c["x"], c["y"], c["z"]) for c in lines[1]["cubes"]))  # pyright: ignore


def option(cells: Cells3) -> Say:
    return say("cubes", cubes=_cells(cells))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        scene_type=Scene,
        content_type=Cells3,
        option=option,
        options=(4,),
        version="2",
        **declared(__file__, COMMON),
    )
)
