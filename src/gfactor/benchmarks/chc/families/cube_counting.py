"""Counting cubes: how many cubes are in a stack, with those that are hidden?

The top of every column can be seen and no hidden cube could be on an empty place, so that the
picture determines the number of cubes; how many of them are hidden from view is a radical.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.benchmarks.chc.common import COMMON
from gfactor.benchmarks.chc.family import Distractor, Draft, Family, Levels, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.chc.numbers import around, draw_numbers
from gfactor.benchmarks.chc.stacks import (
    PANEL,
    STACKS,
    Heights,
    draw_stack,
    random_heights,
    rows_read,
    rows_said,
    shares_of,
    shows_all,
    unseen,
)
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board
from gfactor.items import ItemRandom, OutputFormat

_DRAWS, _DRAWS_OF_TOTAL = 40, 400
_POSSIBLE = {
    (4, 2): {"few": (1, 3, 5), "some": (1,)},
    (4, 3): {"few": (3, 5), "some": (1, 3, 5), "many": (1,)},
    (4, 4): {"few": (5,), "some": (1, 3, 5), "many": (1, 3)},
    (5, 2): {"few": (5,), "some": (1, 3, 5)},
    (5, 3): {"some": (5,), "many": (1, 3, 5)},
    (5, 4): {"many": (1, 3, 5)},
    (5, 5): {"many": (1, 3, 5)},
}
"""By base and layers, and by number of hidden cubes, the numbers of gaps with which stacks are not
rare."""
_HIDDEN = {"few": (1, 7), "some": (8, 14), "many": (15, 60)}
"""Range of the number of hidden cubes."""


@dataclass(frozen=True)
class Scene:
    """Heights of the columns, row by row from the front, from left to right."""

    heights: Heights


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    # The right one of four neighboring numbers is drawn with equal probabilities, and then a stack
    # with this number: otherwise middle numbers would be frequent and give the answer away.
    first = _stack(rng, levels)
    if not first:
        return Draft(Scene(()), 0)
    near = [d.content for d in around(rng, _total(first), {}, options, 1)]
    total = rng.choice([_total(first), *near])
    heights = _stack(rng, levels, total)
    if not heights:
        return Draft(Scene(()), 0)
    base, layers, gaps = (int(levels[name]) for name in ("base", "layers", "gaps"))
    hidden = hidden_cubes(heights)
    errors = {
        total - hidden: "hidden cubes left out",
        total - base * base + gaps: "lowest layer left out",
        base * base * layers: "gaps counted",
        total + hidden: "hidden cubes counted twice",
    }
    wrong = sorted({_total(first), *near} - {total})
    distractors = tuple(Distractor(n, errors.get(n, f"off by {abs(n - total)}")) for n in wrong)
    return Draft(Scene(heights), total, distractors, ("hidden", hidden))


def _stack(rng: ItemRandom, levels: Levels, total: int = 0) -> Heights:
    """A stack of these levels, with the given number of cubes if there is one; () if none was
    found."""
    low, high = _HIDDEN[str(levels["hidden"])]
    shape = [int(levels[name]) for name in ("base", "layers", "gaps")]
    for _ in range(_DRAWS_OF_TOTAL if total else _DRAWS):
        heights = random_heights(rng, *shape)
        if total and _total(heights) != total:
            continue
        # The quick count comes first; it is the lower one.
        if covered_cubes(heights) > high or not low <= hidden_cubes(heights) <= high:
            continue
        if shows_all(heights):
            return heights
    return ()


def _total(heights: Heights) -> int:
    return sum(map(sum, heights))


def covered_cubes(heights: Heights) -> int:
    """Count the cubes hidden by others on top, before them and on their right."""
    right = [[*row[1:], 0] for row in heights]
    before = [[0] * len(heights), *heights[:-1]]
    columns = zip(heights, right, before, strict=True)
    return sum(
        min(max(0, n - 1), *others)
        for row, *sides in columns
        for n, *others in zip(row, *sides, strict=True)
    )


def hidden_cubes(heights: Heights) -> int:
    """Count the cubes of a stack that show none of their faces."""
    visible = {cell for (cell, _), share in shares_of(heights).items() if share > 0}
    return _total(heights) - len(visible)


def solve(scene: Scene, options: Sequence[int]) -> Proof:
    """Return every number of cubes that gives this picture, given the places where a cube may be
    hidden."""
    if not scene.heights:
        return Proof((), 0)
    total = _total(scene.heights)
    hiding, tried = unseen(scene.heights)
    return Proof((total, *(total + k + 1 for k in range(len(hiding)))), tried + 1)


def board(options: int) -> Board:
    """Return the plan of the picture."""
    return Board((PANEL,), options, (110, 60))


def picture(scene: Scene, options: Sequence[int]) -> tuple[Pixels, ...]:
    plan = board(len(options))
    canvas = plan.canvas()
    draw_stack(canvas, scene.heights, plan.panels[0])
    draw_numbers(canvas, plan, options)
    return (canvas.pixels,)


def twin(scene: Scene) -> tuple[Say, ...]:
    return rows_said(scene.heights)


def from_twin(lines: Sequence[Say]) -> Scene:
    return Scene(rows_read(lines))


register(
    Family(
        fits=lambda levels: (
            levels["gaps"]
            in _POSSIBLE[int(levels["base"]), int(levels["layers"])].get(str(levels["hidden"]), ())
        ),
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        scene_type=Scene,
        option=lambda number: say("number", number=number),
        answer_types=("choice", "open"),
        options=(4,),
        seed_classes=2,
        output_format=OutputFormat("value", labels=("ANSWER",)),
        version="3",  # as the version before, with plainer English
        **declared(__file__, COMMON, STACKS),
    )
)
