"""Matrices: which cell completes the grid?

Rules run along the rows or along the columns, one for each attribute that changes. In a grid of 3 x
3 an attribute is constant along a line, goes on by a fixed step, takes the same three values in
every line, or its third value is computed from the first two: sums and differences of counts; AND,
OR and XOR of the strokes at the rim. In a grid of 2 x 2 it is constant or goes on. Since version 2
no wrong option follows one of the rules of `matrix_rivals`, which are never drawn. Counting helps:
as the cell asked for is missing, the option whose values are shown least often is right in 60 % of
hard and extreme items, where a guess among the options is right in 12.5 %.

Raven, J. C. (1936) introduced the paradigm; the grammar of rules follows Carpenter, Just and Shell
(1990). The drawings, rules and texts here are new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from gfactor.benchmarks.chc.common import (
    ATTRIBUTES,
    COMMON,
    ORDERED,
    cell_line,
    cell_of,
    cell_says,
    cells_picture,
    crossed,
    random_cell,
    rule_errors,
    with_value,
    wrong_values,
)
from gfactor.benchmarks.chc.family import Draft, Family, Levels, MisdrawnError, Proof, register
from gfactor.benchmarks.chc.family_files import declared
from gfactor.benchmarks.chc.matrix_rivals import follows_rival
from gfactor.benchmarks.texts import Say, say
from gfactor.imaging import Pixels
from gfactor.imaging.figures import SPOTS, CellFigures, Sheet
from gfactor.items import ItemRandom

Line = tuple[Any, ...]


@dataclass(frozen=True)
class Scene:
    """The cells, row by row; the last one, which is asked for, is left out."""

    side: int
    cells: tuple[CellFigures, ...]


@dataclass(frozen=True)
class Rule:
    """A rule of the grammar: it maps the complete lines and the start of the last line to its end.

    `ends` gives None if the lines do not follow the rule.
    """

    name: str
    attributes: tuple[str, ...]
    ends: Callable[[str, Sequence[Line], Line], Any]


def _constant(_: str, whole: Sequence[Line], last: Line) -> Any:
    alike = all(len(set(line)) == 1 for line in (*whole, last))
    return last[0] if alike else None


def _step(by: int) -> Callable[[str, Sequence[Line], Line], Any]:
    def ends(attribute: str, whole: Sequence[Line], last: Line) -> Any:
        values = ATTRIBUTES[attribute]

        def after(value: Any) -> Any:
            position = values.index(value) + by
            if attribute == "turn":
                return values[position % len(values)]
            return values[position] if 0 <= position < len(values) else None

        for line in (*whole, last):
            if any(after(a) != b for a, b in pairwise(line)):
                return None
        return after(last[-1])

    return ends


def _three(_: str, whole: Sequence[Line], last: Line) -> Any:
    values = set(whole[0])
    if len(values) != 3 or any(set(line) != values for line in whole):
        return None
    left = values - set(last)
    return left.pop() if len(left) == 1 else None


def _computed(built: Callable[[Any, Any], Any]) -> Callable[[str, Sequence[Line], Line], Any]:
    def ends(attribute: str, whole: Sequence[Line], last: Line) -> Any:
        if any(built(line[0], line[1]) != line[2] for line in whole):
            return None
        end = built(last[0], last[1])
        return end if attribute == "marks" or end in ATTRIBUTES["count"] else None

    return ends


def _strokes(keep: Callable[[bool, bool], bool]) -> Callable[[Any, Any], Any]:
    return lambda a, b: tuple(spot for spot in SPOTS if keep(spot in a, spot in b))


GRAMMAR: tuple[Rule, ...] = (
    Rule("constant", ("form", "size", "shade", "count", "turn", "marks"), _constant),
    *(Rule(f"step {by:+d}", ORDERED, _step(by)) for by in (1, -1, 2, -2)),
    Rule("step +3", ("turn",), _step(3)),
    Rule("step -3", ("turn",), _step(-3)),
    Rule("step 4", ("turn",), _step(4)),
    Rule("three", ("form", "size", "shade", "count", "turn"), _three),
    Rule("sum", ("count",), _computed(lambda a, b: a + b)),
    Rule("difference", ("count",), _computed(lambda a, b: a - b)),
    Rule("and", ("marks",), _computed(_strokes(lambda a, b: a and b))),
    Rule("or", ("marks",), _computed(_strokes(lambda a, b: a or b))),
    Rule("xor", ("marks",), _computed(_strokes(lambda a, b: a != b))),
)
"""Every rule; a rule set has one for each attribute and direction."""

KINDS: Mapping[str, tuple[str, ...]] = {
    "constant": ("constant",),
    "progression": ("step +1", "step -1", "step +2", "step -2"),
    "distribution": ("three",),
    "arithmetic": ("sum", "difference"),
    "logic": ("and", "or", "xor"),
}
"""Levels of the radical `kind`: the hardest rule of an item; the others are among the easier."""

_THREE_BY_THREE = ("three", "sum", "difference", "and", "or", "xor")
_BY_NAME = {rule.name: rule for rule in GRAMMAR}
_EVERY = (*ATTRIBUTES, "marks")


def draw(rng: ItemRandom, levels: Levels, options: int) -> Draft[Scene]:
    side, kind, wanted = int(levels["grid"]), str(levels["kind"]), int(levels["rules"])
    pool = ["size", "shade", "count", rng.choice(("form", "turn"))]
    rules: dict[str, str] = {}
    kinds_in_order = list(KINDS)
    for k in range(wanted):
        upto = kinds_in_order[: kinds_in_order.index(kind) + 1]
        rule = rng.choice(KINDS[kind if k == 0 else rng.choice(upto)])
        free = [a for a in (*pool, "marks") if a in _BY_NAME[rule].attributes and a not in rules]
        if rule == "constant":
            free = [a for a in free if a != "marks"]
        if not free:
            rule, free = "constant", [a for a in pool if a not in rules]
        rules[rng.choice(free)] = rule
    grids = {a: _grid(rng, a, rule, side) for a, rule in rules.items()}
    if levels["direction"] == "columns":
        grids = {a: [list(line) for line in zip(*g, strict=True)] for a, g in grids.items()}
    base = random_cell(rng, "turn" in pool)
    cells = []
    for row, column in product(range(side), repeat=2):
        cell = base
        for attribute, grid in grids.items():
            cell = with_value(cell, attribute, grid[row][column])
        cells.append(cell)
    scene = Scene(side, tuple(cells[:-1]))
    # Strokes are used only if there are some, because an option with the only stroke would be
    # recognizably wrong.
    spare = [a for a in pool if a not in rules]
    order = [*rng.shuffled(list(rules)), *rng.shuffled(spare)]
    along = levels["direction"] == "rows"
    ends = cells[side - 1 :: side] if along else cells[-side:]
    start = cells[-side] if along else cells[side - 1]
    like = (ends[:-1], [start], scene.cells)
    others = wrong_values(rng, cells[-1], like, order, options.bit_length() - 1)
    distractors = crossed(cells[-1], others, with_value, rule_errors(scene.cells, tuple(rules)))
    return Draft(scene, cells[-1], distractors, tuple(sorted(rules.items())))


def _grid(rng: ItemRandom, attribute: str, rule: str, side: int) -> list[list[Any]]:
    """Values along the lines of a rule; the solver decides if the rule is determined."""
    if attribute == "marks":
        return _marks_grid(rng, rule)
    values = ATTRIBUTES[attribute]
    if rule == "three":
        trio, shift = rng.sample(values, 3), rng.choice((1, 2))
        return [[trio[(c + shift * r) % 3] for c in range(3)] for r in range(3)]
    if rule in ("sum", "difference"):
        pairs = [
            (a, b)
            for a in ATTRIBUTES["count"]
            for b in ATTRIBUTES["count"]
            if a + b in ATTRIBUTES["count"]
        ]
        chosen = rng.sample(pairs, 3)
        if rule == "sum":
            return [[a, b, a + b] for a, b in chosen]
        return [[a + b, b, a] for a, b in chosen]
    if rule == "constant":
        return [[value] * side for value in rng.sample(values, side)]
    by, grid = int(rule.split()[1]), []
    reach = by * (side - 1)
    starts = range(len(values)) if attribute == "turn" else [
        k for k in range(len(values)) if 0 <= k + reach < len(values)
    ]  # fmt: skip
    if not starts:
        raise MisdrawnError
    for start in [rng.choice(starts) for _ in range(side)]:
        grid.append([values[(start + by * c) % len(values)] for c in range(side)])
    return grid


def _marks_grid(rng: ItemRandom, rule: str) -> list[list[Any]]:
    built = {"and": lambda a, b: a and b, "or": lambda a, b: a or b, "xor": lambda a, b: a != b}
    lines = []
    for _ in range(3):
        one, two = (
            tuple(spot for spot in SPOTS if rng.chance(1, 2)) for _ in range(2)
        )  # fmt: skip
        lines.append([one, two, _strokes(built[rule])(one, two)])
    return lines


def lines_of(scene: Scene, attribute: str, direction: str) -> tuple[list[Line], Line]:
    """Return the values of an attribute in the complete lines, and in the start of the last
    line."""
    side, values = scene.side, [getattr(cell, attribute) for cell in scene.cells]
    if direction == "columns":
        lines = [tuple(values[k] for k in range(c, len(values), side)) for c in range(side)]
    else:
        lines = [tuple(values[r * side : (r + 1) * side]) for r in range(side)]
    return lines[:-1], lines[-1]


def completions(scene: Scene, attribute: str) -> Iterator[tuple[str, str, Any]]:
    """Yield every rule and direction of the grammar that an attribute follows, with its
    prediction."""
    for direction in ("rows", "columns"):
        whole, last = lines_of(scene, attribute, direction)
        for rule in GRAMMAR:
            if attribute not in rule.attributes or (
                scene.side == 2 and rule.name in _THREE_BY_THREE
            ):
                continue
            end = rule.ends(attribute, whole, last)
            if end is not None:
                yield direction, rule.name, end


def solve(scene: Scene, options: Sequence[CellFigures]) -> Proof:
    """Return the last cells that the rule sets of the grammar predict, and the options that only
    rules outside the grammar predict.

    A rule set has an independent rule and direction for each attribute, so the predicted cells are
    all combinations of the predictions by attribute.
    """
    tried, predicted = 0, []
    attributes = [a for a in _EVERY if (a != "form") or scene.cells[0].form != "arrow"]
    attributes = [a for a in attributes if a != "turn" or scene.cells[0].form == "arrow"]
    for attribute in attributes:
        tried += 2 * sum(attribute in rule.attributes for rule in GRAMMAR)
        ends: list[Any] = []
        for _, _, end in completions(scene, attribute):
            if end not in ends:
                ends.append(end)
        predicted.append(ends)
    answers = []
    for values in product(*predicted):
        cell = scene.cells[0]
        for attribute, value in zip(attributes, values, strict=True):
            cell = with_value(cell, attribute, value)
        answers.append(cell)
    rivals = [o for o in options if o not in answers and follows_rival(scene.side, scene.cells, o)]
    return Proof((*answers, *rivals), tried)


def picture(scene: Scene, options: Sequence[CellFigures]) -> tuple[Pixels, ...]:
    sheet = Sheet(scene.side, scene.side, len(options))
    return (cells_picture(sheet, (*scene.cells, None), options),)


def twin(scene: Scene) -> tuple[Say, ...]:
    position = [divmod(k, scene.side) for k in range(scene.side**2)]
    lines = [
        say("place", row=row + 1, column=column + 1, cells=cell_says(cell))
        for (row, column), cell in zip(position, scene.cells, strict=False)
    ]
    return (*lines, say("missing", row=scene.side, column=scene.side))


def from_twin(says: Sequence[Say]) -> Scene:
    cells: list[Any] = [one["cells"] for one in says if one.template == "place"]
    return Scene(int(str(says[-1]["row"])), tuple(map(cell_of, cells)))


def fits(levels: Levels) -> bool:
    """Return True if a grid is large enough for a kind of rule: 2 x 2 cells fit only two kinds."""
    if levels["grid"] == 2:
        return levels["kind"] in ("constant", "progression")
    return True


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
        options=(8, 4),
        fits=fits,
        version="2",
        **declared(__file__, COMMON),
    )
)
