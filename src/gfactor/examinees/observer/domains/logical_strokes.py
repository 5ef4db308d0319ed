"""logical_strokes: read the panels, try operations and turns until every whole row follows one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import chosen, lattice_of, read_lattice, sheet_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import Place, Sheet, lattice_places

PLANS = [Sheet(rows, 3, options, side=112) for rows in (3, 2) for options in (8, 4)]
COMMON = ((0, 1, 1, 1), (0, 0, 0, 1), (0, 0, 1, 0), (0, 1, 1, 0))
"""The operations that are tried first: or, and, the first without the second, exclusive or."""

Panel = frozenset[Place]


@solver("logical_strokes")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    image = pictures[0]
    sheet = sheet_of(image, PLANS)
    boxes = [box for row in sheet.boxes for box in row][:-1]
    element, size = lattice_of(image, boxes)
    positions = lattice_places(element, size)

    def panel(box) -> Panel:
        return frozenset(positions[k - 1] for k in read_lattice(image, element, size, box))

    panels = perception.hold([panel(box) for box in boxes], [frozenset(), frozenset(positions)])
    options = [panel(box) for box in sheet.option_boxes]
    *whole, last = [panels[k : k + 3] for k in range(0, len(panels), 3)]
    for table, quarters in perception.consider(_rules()):
        built = [_third(positions, size, table, quarters, row[0], row[1]) for row in (*whole, last)]
        if all(one == row[2] for one, row in zip(built, whole, strict=False)):
            fitting = [k for k, option in enumerate(options) if option == built[-1]]
            return chosen(fitting or range(len(options)), perception)
    return chosen(range(len(options)), perception)


def _rules() -> Iterator[tuple[Sequence[int], int]]:
    tables = [*COMMON, *(t for t in product((0, 1), repeat=4) if t not in COMMON)]
    for quarters in range(4):
        for table in tables:
            yield table, quarters


def _third(
    positions: Sequence[Place],
    size: int,
    table: Sequence[int],
    quarters: int,
    first: Panel,
    second: Panel,
) -> Panel:
    remaining = [p for p in positions if table[2 * (p in first) + (p in second)]]
    for _ in range(quarters):
        remaining = [
            tuple(sorted((c, size - 1 - r) for r, c in position)) for position in remaining
        ]
    return frozenset(remaining)
