"""cube_nets: read the net, fold it, turn the cube until an option shows."""

from __future__ import annotations

import numpy as np

from gfactor.examinees.observer.marks import read_cube, read_mark
from gfactor.examinees.observer.mind import Mind
from gfactor.examinees.observer.seeing import near
from gfactor.examinees.observer.sheets import letter
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board, Panel
from gfactor.imaging.cubes import Mark, folded_net, turned_cube, view
from gfactor.imaging.lattices import Cell2
from gfactor.imaging.polycubes import ROTATIONS, Cell3, angle

BOARD = Board(((340, 340),), 4)
FIELD, EDGE = 64, 78
INK = (20, 20, 20)

Fields = dict[Cell2, tuple[str, int]]


@solver("cube_nets")
def solve(pictures: tuple[Pixels, ...], mind: Mind) -> str:
    pixels, (panel,) = pictures[0], BOARD.panels
    fields = dict(mind.hold(list(_net(pixels, panel).items())))
    options = [read_cube(pixels, option, EDGE) for option in BOARD.option_panels]
    cube = _folded(fields)
    trials = [(k, r) for r in sorted(ROTATIONS, key=angle) for k in range(len(options))]
    for k, rotation in mind.consider(trials if len(fields) == 6 else []):
        if view(turned_cube(cube, rotation)) == options[k]:
            return letter(k)
    return letter(mind.guess(range(len(options))))


def _folded(fields: Fields) -> dict[Cell3, Mark]:
    return folded_net(fields) or {}


def _net(pixels: Pixels, panel: Panel) -> Fields:
    """The fields of the net: squares within the box of its ink."""
    ink = near(panel.of(pixels), INK, 60)
    rows, columns = (np.flatnonzero(ink.any(axis=k)) for k in (1, 0))
    top, left = panel.y + 2 + int(rows[0]) + 1, panel.x + 2 + int(columns[0]) + 1
    deep, across = (round((int(n[-1]) - int(n[0])) / FIELD) for n in (rows, columns))
    found: Fields = {}
    for r in range(deep):
        for c in range(across):
            x, y = left + c * FIELD, top + r * FIELD
            inside = pixels[y + 5 : y + FIELD - 5, x + 5 : x + FIELD - 5]
            if (inside[..., 2] < 245).mean() > 0.5:
                corners = [(x, y + FIELD), (x + FIELD, y + FIELD), (x + FIELD, y), (x, y)]
                found[r, c] = read_mark(pixels, corners)
    return found
