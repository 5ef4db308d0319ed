"""balance_puzzles: read the scales as equations, then eliminate one form after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from gfactor.examinees.observer.numbers import chosen_number
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import (
    framed,
    letter,
    read_cells,
    read_number,
    sheet_of,
)
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box, Sheet
from gfactor.imaging.measures.balance_puzzles import PAN, SIDE

PLANS = [
    Sheet(rows, 9, options, side=SIDE, leading=leading)
    for leading in (24, 0)
    for rows in range(2, 9)
    for options in (0, 4)
]
_DARK = 128

Equation = dict[str, Fraction]
"""Form -> coefficient; the sum is under the empty name."""


@solver("balance_puzzles")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    pixels = pictures[0]
    sheet = sheet_of(pixels, PLANS, in_frames=False)
    options = [read_number(pixels, box) for box in sheet.option_boxes]
    *rows, last = sheet.boxes
    (probe,) = read_cells(pixels, last[PAN - 1 : PAN], 1)
    equations = [_equation(pixels, row) for row in rows]
    for reduced in perception.consider(_eliminations(perception.hold(equations))):
        weight = next((e[""] / e[probe.form] for e in reduced if set(e) <= {probe.form, ""}), None)
        if weight is not None:
            return chosen_number(round(weight), options)
    if options:
        return letter(perception.guess(range(len(options))))
    return f"ANSWER:{perception.guess(range(1, 13))}"


def _eliminations(equations: list[Equation]) -> Iterator[list[Equation]]:
    """The equations as they stand, then after each combination of two that drops a form."""
    reduced = [e for e in equations if set(e) - {""}]
    yield [e for e in reduced if len(set(e) - {""}) == 1]
    # Equations of fewer forms are used first: they give a weight, which is then put in elsewhere.
    used = 0
    while used < len(reduced):
        reduced[used:] = sorted(reduced[used:], key=len)
        first = reduced[used]
        used += 1
        form = next((name for name in first if name), "")
        for k, other in enumerate(reduced):
            if other is first or form not in other:
                continue
            reduced[k] = _without(other, first, form)
            yield [e for e in reduced if len(set(e) - {""}) == 1]
        reduced = [e for e in reduced if set(e) - {""}]


def _without(equation: Equation, other: Equation, form: str) -> Equation:
    share = equation[form] / other[form]
    names = {*equation, *other, ""}
    left = {n: equation.get(n, Fraction(0)) - share * other.get(n, Fraction(0)) for n in names}
    return {n: value for n, value in left.items() if value or not n}


def _equation(pixels: Pixels, row: list[Box]) -> Equation:
    counts: Counter[str] = Counter({"": 0})
    for k, box in enumerate(row):
        if k == PAN or (box.of(pixels)[4:-4, 4:-4].mean(axis=-1) < _DARK).mean() < 0.005:
            continue
        sign = 1 if k < PAN else -1
        if framed(pixels, box):
            counts[""] -= sign * read_number(pixels, box)
        else:
            (cell,) = read_cells(pixels, [box], 1)
            counts[cell.form] += sign
    return {name: Fraction(n) for name, n in counts.items() if n or not name}
