"""odd_one_out: read the figures, look for a property that all have but one."""

from __future__ import annotations

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import GUESSES, letter, read_cells, sheet_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Sheet, properties

PLANS = [Sheet(0, 0, options, across=options) for options in (5, 4)]


@solver("odd_one_out")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    sheet = sheet_of(pictures[0], PLANS)
    cells = perception.hold(read_cells(pictures[0], sheet.option_boxes), GUESSES)
    have = [properties(cell) for cell in cells]
    for prop in perception.consider(in_order(frozenset().union(*have))):
        lacking = [k for k, inner in enumerate(have) if prop not in inner]
        if len(lacking) == 1:
            return letter(lacking[0])
    return letter(perception.guess(range(len(cells))))


EARLY = ("form", "shade", "size", "turn", "count", "curved", "straight", "stroke", "even", "odd")
"""Attributes that are looked at first; relations between attributes come last."""


def in_order(props: frozenset[str]) -> list[str]:
    """Return properties in the order in which they are considered."""

    def place(prop: str) -> tuple[int, str]:
        first, *_ = prop.split()
        return (EARLY.index(first) if first in EARLY else len(EARLY)), prop

    return sorted(props, key=place)
