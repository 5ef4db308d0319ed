"""Circle location: find where the axes cross, count the circles on each side of them."""

from __future__ import annotations

from gfactor.examinees.observer.circles import discs
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import differs, ground_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

QUADRANTS = ((True, True), (False, True), (False, False), (True, False))
"""Position to the right of and above the crossing, for quadrants 1 to 4."""

LINE_SHARE = 0.8
"""A row or column with more ink than this belongs to an axis."""


@solver("circle_location")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    ink = differs(picture, ground_of(picture))
    by_column, by_row = ink.mean(axis=0), ink.mean(axis=1)
    x, y = int(by_column.argmax()), int(by_row.argmax())
    ink[:, by_column > LINE_SHARE] = False
    ink[by_row > LINE_SHARE] = False
    sides = [(c.cx > x, c.cy < y) for c in perception.hold(discs(ink, picture))]
    counts = [sides.count(side) for side in QUADRANTS]
    return f"QUADRANT:{counts.index(max(counts)) + 1} COUNT:{max(counts)}"
