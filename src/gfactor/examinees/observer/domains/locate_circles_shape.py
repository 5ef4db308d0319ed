"""Locate circles shape: name the shape in each cell."""

from __future__ import annotations

from gfactor.examinees.observer.grids import colored, lattice_of, write_cells
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import kind_of
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

KINDS = ("circle", "square", "triangle_down")


@solver("locate_circles_shape")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    lattice, ink = lattice_of(picture), colored(picture)
    circles = [c for c in lattice.cells if kind_of(lattice.patch(ink, c), KINDS) == "circle"]
    return write_cells(perception.hold(circles))
