"""rotation_3d: read the cubes of every body, turn the first one until it equals an option."""

from __future__ import annotations

from gfactor.examinees.observer.blocks import read_cells
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board
from gfactor.imaging.measures.rotation_3d import OPTION_UNIT, UNIT
from gfactor.imaging.polycubes import (
    ROTATIONS,
    Cell3,
    Cells3,
    angle,
    neighbors,
    normalized,
    rotated,
)

BOARD = Board(((300, 260),), 4)


@solver("rotation_3d")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (asks,), options = BOARD.panels, BOARD.option_panels
    middle = (asks.width / 2 - 2, asks.height / 2 - 2)
    cubes = read_cells(asks.of(pictures[0]), middle, UNIT)
    # Cubes and bends are held separately; if a bend is lost, so is its cube.
    remembered = perception.hold(
        [*((cell, 0) for cell in cubes), *((cell, 1) for cell in _bends(cubes))]
    )
    body = [
        c
        for c in cubes
        if (c, 0) in remembered and ((c, 1) in remembered or c not in _bends(cubes))
    ]
    middle = (options[0].width / 2 - 2, options[0].height / 2 - 2)
    seen = [read_cells(panel.of(pictures[0]), middle, OPTION_UNIT) for panel in options]
    shapes = [normalized(cells) if cells else () for cells in seen]
    trials = [(k, r) for r in sorted(ROTATIONS, key=angle) for k in range(len(shapes))]
    for k, rotation in perception.consider(trials):
        if body and rotated(body, rotation) == shapes[k]:
            return letter(k)
    return letter(perception.guess(range(len(shapes))))


def _bends(cubes: Cells3) -> list[Cell3]:
    """The cubes whose neighbors do not lie on one line with them."""
    result = []
    for cell in cubes:
        beside = [n for n in neighbors(cell) if n in cubes]
        lines = {tuple(a != b for a, b in zip(cell, n, strict=True)) for n in beside}
        if len(lines) > 1:
            result.append(cell)
    return result
