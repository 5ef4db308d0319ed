"""N-back: is this figure the same as the one shown n turns before?

One figure a turn. From turn n + 1 on each turn is answered: 1 if the figure equals the one n
turns before in every respect, else 0; half of the answers are 1. A lure is a figure that was shown
n - 1 or n + 1 turns before, but not n turns before. Beside each figure stands the number n.

Kirchner, W. K. (1958) introduced the paradigm; lures follow Gray, Chabris and Braver (2003). The
figures and sequences are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from gfactor.benchmarks.chc.common import (
    ATTRIBUTES,
    COMMON,
    cell_of,
    cell_says,
)
from gfactor.benchmarks.chc.conversations import conversation
from gfactor.benchmarks.chc.family import (
    Draft,
    Family,
    Levels,
    MisdrawnError,
    Proof,
    Turn,
    register,
)
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import INK, SHADES, SIZES, CellFigures, Sheet, draw_cell
from gfactor.imaging.measures.n_back import MOST
from gfactor.items import ItemRandom

POOL = 7
"""Number of different figures in an item."""

SHEET = Sheet(1, 2)
"""The number n, and the figure."""


@dataclass(frozen=True)
class Scene:
    """The figures in the order of the turns, and the number of turns between compared figures."""

    back: int
    cells: tuple[CellFigures, ...]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    back, decisions, lures = int(levels["back"]), int(levels["asked"]), int(levels["lures"])
    pool = _pool(rng, str(levels["similarity"]))
    kinds = rng.shuffled(
        ["same"] * (decisions // 2) + ["lure"] * lures + ["new"] * (decisions // 2 - lures)
    )
    positions = [rng.integer(0, POOL - 1) for _ in range(back)]
    for k, kind in enumerate(kinds, back):
        at = {d: positions[k - d] for d in (back - 1, back, back + 1) if 0 < d <= k}
        right = at.pop(back)
        lured = sorted({position for position in at.values() if position != right})
        fresh = sorted(set(range(POOL)) - set(positions[max(0, k - back - 1) :]))
        if kind == "lure" and not lured:
            raise MisdrawnError
        positions.append(
            right if kind == "same" else rng.choice(lured if kind == "lure" else fresh)
        )
    scene = Scene(back, tuple(pool[position] for position in positions))
    return Draft(scene, _keys(scene), design=tuple(kinds))


def _pool(rng: ItemRandom, similarity: str) -> list[CellFigures]:
    """Figures of different forms, or of one form that differ in size, shade or number."""
    if similarity == "near":
        form = rng.choice(ATTRIBUTES["form"])
        cells = [CellFigures(form, *values) for values in product(SIZES, SHADES, (1, 2))]
        return rng.sample(cells, POOL)
    forms = rng.shuffled(ATTRIBUTES["form"])
    return [
        CellFigures(f, rng.choice(SIZES), rng.choice(SHADES), rng.integer(1, MOST)) for f in forms
    ]


def _keys(scene: Scene) -> tuple[int, ...]:
    pairs = zip(scene.cells, scene.cells[scene.back :], strict=False)
    return tuple(int(before == now) for before, now in pairs)


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Solve by finding every turn in which a figure was shown, and checking whether it was shown n
    turns before."""
    turns_of_cell: dict[CellFigures, list[int]] = {}
    keys, tried = [], 0
    for turn, cell in enumerate(scene.cells):
        earlier = turns_of_cell.setdefault(cell, [])
        tried += len(earlier)
        if turn >= scene.back:
            keys.append(int(turn - scene.back in earlier))
        earlier.append(turn)
    return Proof((tuple(keys),), max(1, tried))


def _picture(back: int, cell: CellFigures) -> Pixels:
    number, figure = SHEET.boxes[0]
    canvas = SHEET.canvas()
    canvas.text(number.cx, number.cy, str(back), 40, INK, 3)
    draw_cell(canvas, cell, figure, MOST)
    return canvas.pixels


def turns(scene: Scene) -> tuple[Turn, ...]:
    keys = (None,) * scene.back + _keys(scene)
    out = []
    count = {"n": scene.back, "turn": "turn"}
    for k, (cell, key) in enumerate(zip(scene.cells, keys, strict=True)):
        says = [say("begin", **count)] if k == 0 else []
        says.append(say("ask", **count) if key is not None else say("reply_ok"))
        words = [say("depth", n=scene.back)] if k == 0 else []
        words.append(say("shown", place=k + 1, cells=cell_says(cell)))
        out.append(Turn((_picture(scene.back, cell),), tuple(says), tuple(words), key))
    return tuple(out)


def from_twin(says: Sequence[Say]) -> Scene:
    cells: list[Any] = [one["cells"] for one in says if one.template == "shown"]
    return Scene(int(str(says[0]["n"])), tuple(map(cell_of, cells)))


register(
    Family(
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        scene_type=Scene,
        answer_types=("turns",),
        version="2",  # as the version before, with plainer English
        **conversation(turns),
        **declared(__file__, COMMON),
    )
)
