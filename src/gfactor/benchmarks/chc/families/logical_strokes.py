"""Logical strokes: two pictures are combined into a third; what do the last two make?

Pictures hold strokes between the points of a lattice, or black cells. In every row the third
picture is made of the first two by one logical operation on each place (and, or, exclusive or, the
first without the second), perhaps turned by a quarter or a half afterwards. The solver tries all 16
operations with each of the four turns and, since version 2, their mirror images; those that every
whole row follows must agree on the last picture.

The paradigm is that of the addition and subtraction matrices of Raven, J. C. (1936), and of the
"logical operation" of MM-IQ (2025); the pictures are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

from gfactor.benchmarks.chc.common import COMMON, crossed
from gfactor.benchmarks.chc.family import Draft, Family, Levels, MisdrawnError, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Sheet, draw_lattice, draw_missing, lattice_places
from gfactor.items import ItemRandom

OPERATIONS: Mapping[str, tuple[int, int, int, int]] = {
    "or": (0, 1, 1, 1), "and": (0, 0, 0, 1), "minus": (0, 0, 1, 0), "xor": (0, 1, 1, 0),
}  # fmt: skip
"""Levels of the radical `operation`: the result for a place that is empty in both, only in the
first, only in the second, and in neither."""

Panel = tuple[int, ...]
"""The places that are filled, by number from 1, in order."""


@dataclass(frozen=True)
class Scene:
    """The rows of panels without the last one, the kind of places, and the grid's size."""

    element: str
    size: int
    panels: tuple[Panel, ...]


@lru_cache(maxsize=8)
def turns(element: str, size: int) -> tuple[tuple[int, ...], ...]:
    """Return the target of each place when a panel is turned by 0 to 3 quarters, clockwise, and
    when it is mirrored first."""
    positions = lattice_places(element, size)
    high = size - 1

    def quarter(place: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted((column, high - row) for row, column in place))

    def mirrored(place: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted((row, high - column) for row, column in place))

    result = []
    for first in (positions, [mirrored(place) for place in positions]):
        current = list(first)
        for _ in range(4):
            result.append(tuple(positions.index(place) for place in current))
            current = [quarter(place) for place in current]
    return tuple(result)


def combined(
    scene: Scene, table: Sequence[int], quarters: int, first: Panel, second: Panel
) -> Panel:
    """Return the third panel of a row by an operation and a turn."""
    where = turns(scene.element, scene.size)[quarters]
    filled = [
        where[k] + 1
        for k in range(len(where))
        if table[2 * ((k + 1) in first) + ((k + 1) in second)]
    ]
    return tuple(sorted(filled))


def solve(scene: Scene, options: Sequence[Panel]) -> Proof:
    """Return the last panels by every operation, turn and mirror image that all complete rows
    follow."""
    *whole, last = [scene.panels[k : k + 3] for k in range(0, len(scene.panels), 3)]
    result, tried = [], 0
    for table in product((0, 1), repeat=4):
        for quarters in range(8):
            tried += 1
            if all(combined(scene, table, quarters, a, b) == c for a, b, c in whole):
                result.append(combined(scene, table, quarters, *last))
    return Proof(tuple(dict.fromkeys(result)), tried)


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    element, size = str(levels["element"]), int(levels["size"])
    operation, quarters = str(levels["operation"]), int(levels["turn"])
    total = len(lattice_places(element, size))
    frame = Scene(element, size, ())
    panels: list[Panel] = []
    for _ in range(int(levels["examples"]) + 1):
        first, second = (_random_panel(rng, total) for _ in range(2))
        third = combined(frame, OPERATIONS[operation], quarters, first, second)
        panels += [first, second, third]
    if len(set(panels)) < len(panels) or not all(panels):
        raise MisdrawnError
    *first_panels, answer = panels
    scene = Scene(element, size, tuple(first_panels))
    groups = _groups(rng, scene, operation, quarters, answer, options.bit_length() - 1)
    distractors = crossed(answer, groups, _flipped, _error_for(groups, scene))
    return Draft(scene, answer, distractors, (operation, quarters))


def _random_panel(rng: ItemRandom, total: int) -> Panel:
    filled = rng.sample(range(1, total + 1), rng.integer(total // 3, total * 2 // 3))
    return tuple(sorted(filled))


def _groups(
    rng: ItemRandom, scene: Scene, operation: str, quarters: int, answer: Panel, count: int
) -> dict[str, tuple[int, ...]]:
    """Pairs of places to change in wrong options, one filled and one empty in the answer. Flipping
    a pair keeps the number of filled places, so that no option differs in it. If possible, one
    place of a pair is one in which another operation differs.
    """
    first, second = scene.panels[-2:]
    other = rng.choice([name for name in OPERATIONS if name != operation])
    wrong = combined(scene, OPERATIONS[other], quarters, first, second)
    differing = set(wrong) ^ set(answer)
    if not differing:
        raise MisdrawnError
    every = range(1, len(lattice_places(scene.element, scene.size)) + 1)
    filled = rng.shuffled(list(answer))
    empty = rng.shuffled([k for k in every if k not in answer])
    # Places of the other operation come first on both sides.
    sides = (sorted(side, key=lambda k: k not in differing) for side in (filled, empty))
    pairs = zip(*sides, strict=False)
    groups = {}
    for number, pair in zip(range(count), pairs, strict=False):
        kind = "operation" if differing & set(pair) else "slip"
        groups[f"{kind} {number}"] = pair
    if len(groups) < count:
        raise MisdrawnError
    return groups


def _flipped(panel: Panel, _: str, positions: tuple[int, ...]) -> Panel:
    return tuple(sorted(set(panel) ^ set(positions)))


def _error_for(
    groups: Mapping[str, tuple[int, ...]], scene: Scene
) -> Callable[[Any, tuple[str, ...]], str]:
    operations = {name for name in groups if name.startswith("operation")}

    def error(panel: Panel, wrong: tuple[str, ...]) -> str:
        missed = operations & set(wrong)
        if panel in scene.panels:
            return "repetition"
        if not missed:
            return "slip in one place"
        return "wrong operation" if missed == operations else "mixed operations"

    return error


def picture(scene: Scene, options: Sequence[Panel]) -> tuple[Pixels, ...]:
    sheet = Sheet((len(scene.panels) + 1) // 3, 3, len(options), side=SIDE)
    canvas, boxes = sheet.canvas(), [box for row in sheet.boxes for box in row]
    boxed_panels = [
        *zip(scene.panels, boxes, strict=False),
        *zip(options, sheet.option_boxes, strict=True),
    ]
    for panel, box in boxed_panels:
        draw_lattice(canvas, scene.element, scene.size, panel, box)
    draw_missing(canvas, boxes[-1])
    return (canvas.pixels,)


SIDE = 112
"""Side of a box in pixels."""


def twin(scene: Scene) -> tuple[Say, ...]:
    head = say(f"{scene.element}_numbered", side=scene.size)
    lines = [
        say("panel_of", row=k // 3 + 1, column=k % 3 + 1, numbers=panel)
        for k, panel in enumerate(scene.panels)
    ]
    return (head, *lines)


def from_twin(says: Sequence[Say]) -> Scene:
    head, *lines = says
    panels: list[Any] = [one["numbers"] for one in lines]
    panels = [(p,) if isinstance(p, int) else tuple(p) for p in panels]
    return Scene(head.template.split("_")[0], int(str(head["side"])), tuple(panels))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=lambda panel: say("numbers_only", numbers=panel) if panel else say("nothing"),
        scene_type=Scene,
        content_type=Panel,
        options=(8, 4),
        version="2",
        **declared(__file__, COMMON),
    )
)
