"""matrices: read every cell, find a rule for each attribute, look for its completion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import (
    GUESSES,
    SCALES,
    chosen,
    narrowed,
    read_cells,
    sheet_of,
)
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import SPOTS, CellFigures, Sheet

PLANS = [Sheet(side, side, options) for side in (3, 2) for options in (8, 4)]

Lines = list[list[Any]]


@solver("matrices")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    sheet = sheet_of(pictures[0], PLANS)
    boxes = [box for row in sheet.boxes for box in row][:-1]
    cells = perception.hold(read_cells(pictures[0], boxes), GUESSES)
    options = read_cells(pictures[0], sheet.option_boxes)
    # Rules are found one after the other: each costs its own steps in addition to those of the
    # others (Carpenter, Just and Shell 1990, Psychological Review 97, 404).
    wanted: dict[str, Any] = {}
    for name, lines, rule in perception.consider(_trials(cells, sheet.rows, wanted)):
        *whole, last = lines
        if all(rule(line[:-1]) == line[-1] for line in whole) and _begins(rule, last):
            wanted[name] = rule(last)
    return chosen(narrowed(options, wanted), perception)


def _trials(
    cells: Sequence[CellFigures], side: int, done: Mapping[str, Any]
) -> Iterator[tuple[str, Lines, Callable[[list[Any]], Any]]]:
    """One attribute after the other, lines and rule by rule until it is done."""
    for name in ("form", "size", "shade", "count", "turn", "marks"):
        for lines, rule in _hypotheses([getattr(cell, name) for cell in cells], name, side):
            if name not in done:
                yield name, lines, rule


def _begins(rule: Callable[[list[Any]], Any], line: list[Any]) -> bool:
    """Return True if the cells of the last line, if they are two, can be the start of a line."""
    return getattr(rule, "starts", lambda _: True)(line)


def _hypotheses(
    values: Sequence[Any], attribute: str, side: int
) -> Iterator[tuple[Lines, Callable[[list[Any]], Any]]]:
    """Yield pairs of lines and rules: the simplest rules first, and rows before columns."""
    rows = [list(values[r * side : (r + 1) * side]) for r in range(side)]
    columns = [[row[c] for row in rows if c < len(row)] for c in range(side)]
    for rule in _rules(attribute, side):
        yield rows, rule(rows)
        yield columns, rule(columns)


class _Rule:
    """A rule seen from the start of a line: the required last value, and the starts that fit it."""

    def __init__(self, end: Callable[[list[Any]], Any], starts: Callable[[list[Any]], bool]):
        self._end = end
        self.starts = starts

    def __call__(self, line: list[Any]) -> Any:
        return self._end(line) if self.starts(line) else None


def _rules(attribute: str, side: int) -> Iterator[Callable[[Lines], _Rule]]:
    yield lambda _: _Rule(lambda line: line[-1], lambda line: len(set(line)) == 1)
    if attribute in SCALES:
        scale = list(SCALES[attribute])
        for by in (1, -1, 2, -2, 3, -3, 4):
            yield lambda _, by=by: _stepping(scale, by, attribute == "turn")
    if side == 2:
        return
    if attribute != "marks":
        yield lambda lines: _of_three(set(lines[0]))
    if attribute == "count":
        yield lambda _: _Rule(lambda line: line[0] + line[1], lambda _: True)
        yield lambda _: _Rule(lambda line: line[0] - line[1], lambda _: True)
    if attribute == "marks":
        for keep in (_both, _either, _one):
            yield lambda _, keep=keep: _Rule(
                lambda line: tuple(s for s in SPOTS if keep(s in line[0], s in line[1])),
                lambda _: True,
            )


def _stepping(scale: list[Any], by: int, round_: bool) -> _Rule:
    def after(value: Any) -> Any:
        position = scale.index(value) + by
        if round_:
            return scale[position % len(scale)]
        return scale[position] if 0 <= position < len(scale) else None

    return _Rule(
        lambda line: after(line[-1]),
        lambda line: all(after(a) == b for a, b in pairwise(line)),
    )


def _of_three(values: set[Any]) -> _Rule:
    def end(line: list[Any]) -> Any:
        left = values - set(line)
        return left.pop() if len(left) == 1 else None

    return _Rule(end, lambda line: len(values) == 3 and len(set(line)) == 2 and set(line) < values)


def _both(a: bool, b: bool) -> bool:
    return a and b


def _either(a: bool, b: bool) -> bool:
    return a or b


def _one(a: bool, b: bool) -> bool:
    return a != b
