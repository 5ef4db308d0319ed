"""figure_counts: count what can be counted in each figure, find a rule, choose the figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from gfactor.examinees.observer.counting import read_counts
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import letter, sheet_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Sheet

SIDE = 184
PLANS = [Sheet(1, 5, 4, side=SIDE), Sheet(3, 3, 4, side=SIDE)]
RULES = ("same", "step", "growing", "sum", "difference")


@solver("figure_counts")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    sheet = sheet_of(pictures[0], PLANS)
    boxes = [box for row in sheet.boxes for box in row][:-1]
    figures = [read_counts(pictures[0], box) for box in boxes]
    options = [read_counts(pictures[0], box) for box in sheet.option_boxes]
    # A forgotten figure is replaced by another one.
    figures = perception.hold(figures, options)
    shared = [name for name in options[0] if all(name in one for one in (*figures, *options))]
    for rule, name in perception.consider(product(RULES, shared)):
        for following in _following(rule, [figure[name] for figure in figures]):
            fitting = [k for k, option in enumerate(options) if option[name] == following]
            if len(fitting) == 1:
                return letter(fitting[0])
    return letter(perception.guess(range(len(options))))


def _following(rule: str, counts: Sequence[int]) -> Iterator[int]:
    """The count that goes on by a rule; none if the counts do not follow it."""
    if len(counts) == len(PLANS[0].boxes[0]) - 1:
        steps = [b - a for a, b in pairwise(counts)]
        growth = [b - a for a, b in pairwise(steps)]
        follows = {
            "same": not any(steps),
            "step": len(set(steps)) == 1,
            "growing": len(set(growth)) == 1,
        }
        if follows.get(rule, False):
            yield counts[-1] + steps[-1] + growth[-1]
        return
    sign = {"sum": 1, "difference": -1}.get(rule, 0)
    one, other, (a, b) = counts[:3], counts[3:6], counts[6:]
    if sign and all(row[0] + sign * row[1] == row[2] for row in (one, other)):
        yield a + sign * b
