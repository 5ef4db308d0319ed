"""Locate circles colour: name the color in the middle of each cell."""

from __future__ import annotations

from gfactor.examinees.observer.grids import lattice_of, write_cells
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import name_color
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import FOUR, Pixels


@solver("locate_circles_colour")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    lattice = lattice_of(picture)
    green = [
        cell for cell in lattice.cells if name_color(lattice.color(picture, cell), FOUR) == "green"
    ]
    return write_cells(perception.hold(green))
