"""Updating: keep track of the current value of several counters.

Each counter is a form. A picture shows a form with a number: the counter's new value, or, beside an
arrow, by how much it goes up or down. In the last turns some of the counters are asked for, one in
each. Since version 2 these have changed; in version 1 one of them kept its first value in 10 to
20 % of the items.

Yntema, D. B., & Mueser, G. E. (1960) introduced keeping track of several variables; the arithmetic
version follows Salthouse, Babcock and Shaw (1991). The sequences are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gfactor.benchmarks.chc.common import ATTRIBUTES, COMMON
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
from gfactor.imaging.figures import INK, CellFigures, Sheet, draw_cell, draw_missing
from gfactor.imaging.measures.updating import SIDE
from gfactor.items import ItemRandom

SHEET = Sheet(1, 3, side=SIDE)
"""The counter, the arrow (or nothing) and the number."""

HIGHEST = 20
"""Greatest value of a counter."""


@dataclass(frozen=True)
class CounterUpdate:
    """A counter's form, the kind of change (`set`, `up`, `down`) and the number shown."""

    form: str
    change: str
    number: int


@dataclass(frozen=True)
class Scene:
    """The updates of each turn, and the counters asked for, in order."""

    turns: tuple[tuple[CounterUpdate, ...], ...]
    asked: tuple[str, ...]


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    counters, together = int(levels["counters"]), int(levels["together"])
    forms = rng.sample(ATTRIBUTES["form"], counters)
    values = {form: rng.integer(1, 9) for form in forms}
    updates = [CounterUpdate(form, "set", values[form]) for form in forms]
    before = ""
    for _ in range(int(levels["updates"])):
        form = rng.choice([form for form in forms if form != before])
        change = "set"
        if levels["operation"] == "arithmetic":
            change = rng.choice(["up", "down"])
        number = rng.integer(1, 9 if change == "set" else 5)
        moved = {"set": number, "up": values[form] + number, "down": values[form] - number}[change]
        if moved == values[form] or not 0 <= moved <= HIGHEST:
            raise MisdrawnError
        values[form], before = moved, form
        updates.append(CounterUpdate(form, change, number))
    if len({u.form for u in updates[counters:]}) < min(counters, int(levels["updates"])) - 1:
        raise MisdrawnError
    turns = (tuple(updates[k : k + together]) for k in range(0, len(updates), together))
    scene = Scene(tuple(turns), tuple(rng.sample(forms, 2)))
    if not {u.form for u in updates[counters:]}.issuperset(scene.asked):
        raise MisdrawnError
    return Draft(scene, _keys(scene))


def _keys(scene: Scene) -> tuple[int, ...]:
    values: dict[str, int] = {}
    for update in (update for turn in scene.turns for update in turn):
        sign = {"set": 0, "up": 1, "down": -1}[update.change]
        before = values.get(update.form, 0)
        values[update.form] = before + sign * update.number if sign else update.number
    return tuple(values[form] for form in scene.asked)


def solve(scene: Scene, options: Sequence[Any]) -> Proof:
    """Solve by going back for each counter to its last `set`, and adding the later changes."""
    updates = [update for turn in scene.turns for update in turn]
    answer, tried = [], 0
    for form in scene.asked:
        value = 0
        for update in reversed(updates):
            tried += 1
            if update.form != form:
                continue
            value += -update.number if update.change == "down" else update.number
            if update.change == "set":
                break
        answer.append(value)
    return Proof((tuple(answer),), tried)


def _updates(updates: Sequence[CounterUpdate]) -> Pixels:
    sheet = Sheet(len(updates), 3, side=SIDE)
    canvas = sheet.canvas()
    for update, (form, arrow, number) in zip(updates, sheet.boxes, strict=True):
        draw_cell(canvas, CellFigures(update.form), form, 1)
        if update.change != "set":
            turn = 0 if update.change == "up" else 4
            draw_cell(canvas, CellFigures("arrow", "medium", "black", turn=turn), arrow, 1)
        canvas.text(number.cx, number.cy, str(update.number), 30, INK, 3)
    return canvas.pixels


def _asking(form: str) -> Pixels:
    sheet = Sheet(1, 2, side=SIDE)
    canvas = sheet.canvas()
    draw_cell(canvas, CellFigures(form), sheet.boxes[0][0], 1)
    draw_missing(canvas, sheet.boxes[0][1])
    return canvas.pixels


def turns(scene: Scene) -> tuple[Turn, ...]:
    out = []
    arithmetic = any(update.change != "set" for turn in scene.turns for update in turn)
    for k, updates in enumerate(scene.turns):
        begin = (say("begin"), say("begin_arrows")) if arithmetic else (say("begin"),)
        says = (*begin, say("reply_ok")) if k == 0 else (say("reply_ok"),)
        words = [say("turn", place=k + 1)]
        words += [say(update.change, form=update.form, n=update.number) for update in updates]
        out.append(Turn((_updates(updates),), says, tuple(words)))
    for form, key in zip(scene.asked, _keys(scene), strict=True):
        out.append(Turn((_asking(form),), (say("ask"),), (say("asked", form=form),), key))
    return tuple(out)


def from_twin(says: Sequence[Say]) -> Scene:
    result: list[list[CounterUpdate]] = []
    for one in says:
        if one.template == "turn":
            result.append([])
        elif one.template != "asked":
            result[-1].append(CounterUpdate(str(one["form"]), one.template, int(str(one["n"]))))
    probes = tuple(str(one["form"]) for one in says if one.template == "asked")
    return Scene(tuple(map(tuple, result)), probes)


register(
    Family(
        draw=draw,
        solve=solve,
        from_twin=from_twin,
        scene_type=Scene,
        answer_types=("turns",),
        seed_classes=4,
        **conversation(turns),
        version="3",  # as the version before, with plainer English
        **declared(__file__, COMMON),
    )
)
