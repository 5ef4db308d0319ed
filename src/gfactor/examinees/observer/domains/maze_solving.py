"""Maze solving: find the open cells, walk from S to E, read the numbers on the way."""

from __future__ import annotations

import cv2
import numpy as np

from gfactor.examinees.observer.grids import CellInteriors, colored, gray_ink, lattice_of
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import Mask, differs, ground_of, read_glyphs
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels

Cell = tuple[int, int]

SMALL = 45
"""Size of cells in pixels below which they are enlarged for reading."""


@solver("maze_solving")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    lattice, walls, ink = lattice_of(picture), gray_ink(picture), colored(picture)
    rooms = [cell for cell in lattice.cells if lattice.patch(walls, cell).mean() < 0.5]
    tinted = [cell for cell in rooms if lattice.patch(ink, cell).mean() > 0.5]
    lettered = tinted or [c for c in rooms if _is_single(lattice.patch(ink, c))]
    signs = "SE" if tinted else "0123456789SE"
    marks = {_read(lattice, picture, cell, signs): cell for cell in lettered}
    goal = marks["E"]
    path = _way(set(rooms), marks.get("S", goal), goal)
    numbers = [_read(lattice, picture, cell, "0123456789") for cell in path[1:-1]]
    inner = perception.hold(numbers, guesses=numbers)
    return ", ".join(["S", *inner, "E"] if len(path) > 1 else ["E"])


def _is_single(ink: Mask) -> bool:
    """Return True if the writing is one sign, which is higher than wide."""
    rows, columns = ink.any(axis=1), ink.any(axis=0)
    return bool(columns.any() and np.ptp(np.flatnonzero(columns)) < np.ptp(np.flatnonzero(rows)))


def _read(lattice: CellInteriors, picture: Pixels, cell: Cell, signs: str) -> str:
    patch = lattice.patch(picture, cell, inset=2)
    if len(patch) < SMALL:
        patch = cv2.resize(patch, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        patch = patch.astype(np.uint8, copy=False)
    return read_glyphs(differs(patch, ground_of(patch)), signs)


def _way(rooms: set[Cell], start: Cell, goal: Cell) -> list[Cell]:
    """The shortest way through the rooms, both ends included."""
    ways, front = {start: [start]}, [start]
    for row, column in front:
        for there in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
            if there in rooms and there not in ways:
                ways[there] = [*ways[row, column], there]
                front.append(there)
    return ways[goal]
