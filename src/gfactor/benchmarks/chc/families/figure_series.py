"""Figure series: which figure comes next?

Every attribute of the figures follows a rule of its own along the row: it stays, goes on by a fixed
step, alternates between two values or repeats after three figures. The solver tries every rule of
the grammar on every attribute; a rule counts only if the figures shown verify it. All rules that
are left must agree on the next figure.

Counting how often each value was shown finds at most 31 % of the medium, hard and extreme items,
where a guess finds 25 %. In version 1 it found all hard ones: three values took turns, and the one
shown once came next. Since version 2 an attribute that repeats after three figures has two values,
as one that alternates does. Since version 3 a wrong value of an attribute that alternates is in
about half of the items one that was not shown, and a wrong step goes too far; before, the value
shown least often came next in a row of five. Figures stand apart since then, too.

Thurstone, L. L., & Thurstone, T. G. (1941) used series of figures as a test of induction. The
figures and rules are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from gfactor.benchmarks.chc.common import (
    ATTRIBUTES,
    COMMON,
    another,
    cell_line,
    cell_of,
    cell_says,
    cells_picture,
    crossed,
    random_cell,
    rule_errors,
    with_value,
)
from gfactor.benchmarks.chc.family import (
    Draft,
    Family,
    Levels,
    MisdrawnError,
    Proof,
    register,
)
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import APART, CLOSE, SIDE, CellFigures, Sheet
from gfactor.imaging.measures.figure_series import SIDE_APART
from gfactor.items import ItemRandom

STEPS = {"size": (1, -1), "shade": (1, -1), "count": (1, -1), "turn": (1, -1, 2, -2, 3, -3)}
"""Steps of the attributes that have an order; turns are steps of an eighth and go round."""

LONG = ("count", "turn")
"""Attributes with enough values for steps along the whole row."""

OTHERS = {"step": ("step",), "alternate": ("step", "alternate"), "cycle": ("step", "alternate")}

OTHER_VALUE = {4: (1, 2), 5: (2, 5)}
"""Probability that the wrong value of an attribute that alternates is its other value and not a new
one, by the length of the row: counts, the first and the last figure then tell about equally little.
"""
"""Kinds of rules of the attributes that do not follow the item's own kind."""


@dataclass(frozen=True)
class Scene:
    """The figures in their order; the next one is asked for."""

    cells: tuple[CellFigures, ...]


@dataclass(frozen=True)
class SpacedSeries(Scene):
    """A scene whose figures stand apart in their boxes; in earlier versions, large ones touch."""

    spaced: bool = True


def stepped(attribute: str, value: Any, by: int) -> Any:
    """Return the value `by` steps later; None if there is none."""
    values = ATTRIBUTES[attribute]
    position = values.index(value) + by
    if attribute == "turn":
        return values[position % len(values)]
    return values[position] if 0 <= position < len(values) else None


def predictions(attribute: str, values: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield every rule that the values follow and confirm, with its next value."""
    if len(set(values)) == 1:
        yield "constant", values[-1]
        return
    for by in STEPS.get(attribute, ()):
        ahead = [stepped(attribute, value, by) for value in values]
        if ahead[:-1] == list(values[1:]) and ahead[-1] is not None:
            yield f"step {by:+d}", ahead[-1]
    for period in (2, 3):
        repeats = all(a == b for a, b in zip(values, values[period:], strict=False))
        if repeats and len(values) >= period + 2:
            yield f"period {period}", values[len(values) - period]


def _hypotheses(attribute: str) -> int:
    return 1 + len(STEPS.get(attribute, ())) + 2


def solve(scene: Scene, options: Sequence[CellFigures]) -> Proof:
    """Return the next cells by every combination of rules that the attributes follow."""
    turned = scene.cells[0].form == "arrow"
    attributes = [a for a in ATTRIBUTES if a != ("form" if turned else "turn")]
    result = []
    for attribute in attributes:
        values = [getattr(cell, attribute) for cell in scene.cells]
        result.append(list(dict.fromkeys(end for _, end in predictions(attribute, values))))
    answers = []
    for ends in product(*result):
        cell = scene.cells[0]
        for attribute, end in zip(attributes, ends, strict=True):
            cell = with_value(cell, attribute, end)
        answers.append(cell)
    return Proof(tuple(answers), sum(map(_hypotheses, attributes)))


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    length, turned = int(levels["shown"]), levels["figure"] == "turned"
    pool = rng.shuffled(["turn" if turned else "form", "size", "shade", "count"])
    if levels["kind"] == "step":
        first = rng.choice([attribute for attribute in pool if attribute in LONG])
        pool = [first, *(attribute for attribute in pool if attribute != first)]
    base, rules = random_cell(rng, turned), {}
    values: dict[str, list[Any]] = {}
    ruled, kind = pool[: int(levels["rules"])], str(levels["kind"])
    main = _some(rng, ruled) if kind == "cycle" else ruled[:1]
    for attribute in ruled:
        rule = kind if attribute in main else rng.choice(OTHERS[kind])
        if rule == "step" and attribute not in (("turn",) if kind == "cycle" else LONG):
            rule = "alternate"
        rules[attribute] = rule
        values[attribute] = _values(rng, attribute, rule, length + 1)
    cells = []
    for k in range(length + 1):
        cell = base
        for attribute, row in values.items():
            cell = with_value(cell, attribute, row[k])
        cells.append(cell)
    *terms, answer = cells
    # Of the rows that show the right option, three of five are drawn again: it is no clue then.
    if kind == "cycle" and answer in terms and rng.chance(3, 5):
        raise MisdrawnError
    spare = [attribute for attribute in pool if attribute not in rules]
    wrong = [*rng.shuffled(list(rules)), *spare][: options.bit_length() - 1]
    if levels["kind"] == "cycle":
        others = {attribute: _as_frequent(rng, attribute, terms, answer) for attribute in wrong}
    else:
        # One lot for all attributes in most items: else the middle count would be right.
        lots = [rng.chance(*OTHER_VALUE[length]) for _ in wrong]
        lots = lots[:1] * len(lots) if rng.chance(3, 4) else lots
        others = {
            attribute: _mistaken(rng, attribute, rules.get(attribute, ""), terms, answer, other)
            for attribute, other in zip(wrong, lots, strict=True)
        }
    distractors = crossed(answer, others, with_value, rule_errors(terms, tuple(rules)))
    return Draft(SpacedSeries(tuple(terms)), answer, distractors, tuple(sorted(rules.items())))


def _some(rng: ItemRandom, attributes: Sequence[str]) -> list[str]:
    """Return some of the attributes or all; every such set is equally likely."""
    chosen = rng.integer(1, 2 ** len(attributes) - 1)
    return [attribute for position, attribute in enumerate(attributes) if chosen >> position & 1]


def _as_frequent(
    rng: ItemRandom, attribute: str, terms: Sequence[CellFigures], answer: CellFigures
) -> Any:
    """Return a wrong value that was shown as often as the right one; if there is none, the other
    value of the attribute that was shown."""
    values = [getattr(cell, attribute) for cell in terms]
    right = getattr(answer, attribute)
    alike = [
        value for value in ATTRIBUTES[attribute]
        if value != right and values.count(value) == values.count(right)
    ]  # fmt: skip
    return rng.choice(alike or sorted({*values} - {right}) or [another(rng, attribute, right)])


def _mistaken(
    rng: ItemRandom,
    attribute: str,
    rule: str,
    terms: Sequence[CellFigures],
    answer: CellFigures,
    other: bool,
) -> Any:
    """Return a wrong value of an attribute that stays, steps or alternates.

    A wrong step goes too far. If there is no value beyond, it repeats the last value, or the first
    one if all other values were shown. An attribute that alternates has its other value (`other`)
    or one that was not shown; one that stays has another.
    """
    values = [getattr(cell, attribute) for cell in terms]
    right, scale = getattr(answer, attribute), ATTRIBUTES[attribute]
    if rule == "step":
        by = scale.index(right) - scale.index(values[-1])
        beyond = stepped(attribute, right, by)
        if beyond is not None:
            return beyond
        return values[0] if len(set(values)) == len(scale) - 1 else values[-1]
    if rule == "alternate" and other:
        return values[-1]
    return rng.choice([value for value in scale if value not in values])


def _values(rng: ItemRandom, attribute: str, kind: str, length: int) -> list[Any]:
    values = ATTRIBUTES[attribute]
    if kind != "step":
        one, two = rng.sample(values, 2)
        period = [one, two] if kind == "alternate" else [one, two, rng.choice((one, two))]
        return [period[k % len(period)] for k in range(length)]
    steps = STEPS[attribute]
    runs = [
        run
        for by in steps
        for start in values
        if None not in (run := _run(attribute, start, by, length))
    ]
    return rng.choice(runs)


def _run(attribute: str, start: Any, by: int, length: int) -> list[Any]:
    run = [start]
    while len(run) < length and run[-1] is not None:
        run.append(stepped(attribute, run[-1], by))
    return run


def picture(scene: Scene, options: Sequence[CellFigures]) -> tuple[Pixels, ...]:
    spaced = isinstance(scene, SpacedSeries)
    sheet = Sheet(1, len(scene.cells) + 1, len(options), side=SIDE_APART if spaced else SIDE)
    return (cells_picture(sheet, (*scene.cells, None), options, APART if spaced else CLOSE),)


def twin(scene: Scene) -> tuple[Say, ...]:
    lines = [say("place", place=k, cells=cell_says(cell)) for k, cell in enumerate(scene.cells, 1)]
    return (*lines, say("missing", place=len(lines) + 1))


def from_twin(says: Sequence[Say]) -> Scene:
    cells: list[Any] = [one["cells"] for one in says if one.template == "place"]
    return SpacedSeries(tuple(map(cell_of, cells)))


register(
    Family(
        draw=draw,
        solve=solve,
        picture=picture,
        twin=twin,
        from_twin=from_twin,
        option=cell_line,
        scene_type=Scene,
        content_type=CellFigures,
        options=(4, 8),
        version="3",
        fits=lambda levels: not (levels["kind"] == "cycle" and levels["shown"] == 4),
        **declared(__file__, COMMON),
    )
)
