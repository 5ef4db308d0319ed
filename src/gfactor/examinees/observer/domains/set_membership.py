"""set_membership: read both sides, look for a property that all on the left have and none on the
right."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from gfactor.examinees.observer.domains.odd_one_out import in_order
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import GUESSES, chosen, read_cells, sheet_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Box, Sheet, properties

PLANS = [Sheet(2, 2 * across + 1, 4, side=116) for across in (2, 3)]


@solver("set_membership")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    sheet = sheet_of(pictures[0], PLANS, in_frames=False)
    across = sheet.columns // 2
    sides = [_boxes(sheet, 0, across), _boxes(sheet, across + 1, sheet.columns)]
    seen = read_cells(pictures[0], [*sides[0], *sides[1]])
    cells = [properties(cell) for cell in perception.hold(seen, GUESSES)]
    left, right = cells[: len(sides[0])], cells[len(sides[0]) :]
    options = [properties(o) for o in read_cells(pictures[0], sheet.option_boxes)]
    for concept in perception.consider(_concepts(frozenset.intersection(*left))):
        if not any(inner >= concept for inner in right):
            fitting = [k for k, inner in enumerate(options) if inner >= concept]
            return chosen(fitting or range(len(options)), perception)
    return chosen(range(len(options)), perception)


def _boxes(sheet: Sheet, first: int, last: int) -> list[Box]:
    return [box for row in sheet.boxes for box in row[first:last]]


def _concepts(shared: frozenset[str]) -> Iterator[frozenset[str]]:
    """Yield what the left side shares: every property by itself, then two and three together."""
    ordered = in_order(shared)
    for size in (1, 2, 3):
        yield from map(frozenset, combinations(ordered, size))
