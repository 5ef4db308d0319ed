"""Circle right triangle: name the shape in each cell and look to the right of each triangle."""

from __future__ import annotations

from gfactor.examinees.observer.grids import colored, lattice_of
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import kind_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels


@solver("circle_right_triangle")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    lattice, ink = lattice_of(picture), colored(picture)
    seen = []
    for cell in lattice.cells:
        patch = lattice.patch(ink, cell)
        if patch.mean() > 0.05:
            seen.append((cell, kind_of(patch, ("circle", "triangle"))))
    kinds = dict(perception.hold(seen))
    found = any(
        kind == "triangle" and kinds.get((row, column + 1)) == "circle"
        for (row, column), kind in kinds.items()
    )
    return "YES" if found else "NO"
