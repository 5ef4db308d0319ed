"""Cross and knots: find the crosses, then the first cell that none of them touches."""

from __future__ import annotations

from gfactor.examinees.observer.grids import gray_ink, lattice_of
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels


@solver("cross_and_knots")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    lattice, ink = lattice_of(picture), gray_ink(picture)
    crosses = [c for c in lattice.cells if lattice.share(ink, c, inset=3) > 0.03]
    remembered = perception.hold(crosses)
    for row, column in lattice.cells:
        if all(abs(row - r) + abs(column - c) > 1 for r, c in remembered):
            return f"({row},{column})"
    return "None"
