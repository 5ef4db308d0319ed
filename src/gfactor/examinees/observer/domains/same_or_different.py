"""same_or_different: hold the left string of a row, compare place by place with the right one."""

from __future__ import annotations

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import read_cells
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.figures import GAP, MARGIN, Box, Sheet
from gfactor.imaging.measures.same_or_different import HEAD, SIDE

_DARK = 128


@solver("same_or_different")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    picture = pictures[0]
    sizes = (s - HEAD - 2 * MARGIN + GAP for s in picture.shape[:2])
    count, columns = (size // (SIDE + GAP) for size in sizes)
    length = (columns - 1) // 2
    sheet = Sheet(count, columns, side=SIDE)
    boxes = [[Box(b.x + HEAD, b.y + HEAD, SIDE) for b in row] for row in sheet.boxes]
    left = [read_cells(picture, row[:length], 1) for row in boxes]
    right = [read_cells(picture, row[length + 1 :], 1) for row in boxes]
    remembered = [perception.hold(signs, signs) for signs in left]
    # All rows are compared at their first position, then all at the second, so that late
    # differences are found late.
    order = [(row, position) for position in range(length) for row in range(count)]
    differ = {row for row, k in perception.consider(order) if remembered[row][k] != right[row][k]}
    fitting = [row for row in range(count) if (row in differ) != _asks_same(picture)]
    row = fitting[0] if len(fitting) == 1 else perception.guess(fitting or range(count))
    return f"ANSWER:{row + 1}"


def _asks_same(picture: Pixels) -> bool:
    """Return True if the equals sign is not crossed out: its middle is light."""
    x, y = (picture.shape[1] + HEAD) // 2, HEAD // 2 + 4
    return bool(picture[y - 1 : y + 2, x - 1 : x + 2].mean() > _DARK)
