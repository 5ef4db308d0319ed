"""symmetry_axes: read the shades of the fields, try one line after the other."""

from __future__ import annotations

from itertools import product

import numpy as np

from gfactor.examinees.observer.numbers import chosen_number, read_options
from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.boards import Board, Panel
from gfactor.imaging.measures.symmetry_axes import SIDE

GRAYS = (255, 190, 110, 0)
BOARDS = [Board(((SIDE + 24, SIDE + 24),), options, (80, 60)) for options in (4, 0)]
FIELDS = (4, 6, 8, 10, 12)

Place = tuple[int, int]


@solver("symmetry_axes")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    board, options = read_options(pictures[0], BOARDS)
    size, shades = _pattern(pictures[0], board.panels[0])
    axes = 0
    # Upright lines are considered before diagonal ones; those pairs of fields joined by a line that
    # are held are compared.
    for mirror in perception.consider(range(4)):
        pairs = {frozenset((p, _mirrored(mirror, size, p))) for p in shades}
        compared = perception.hold(sorted(map(sorted, pairs)))
        axes += all(len({shades[p] for p in pair}) == 1 for pair in compared)
    return chosen_number(axes, options)


def _mirrored(mirror: int, size: int, position: Place) -> Place:
    r, c = position
    last = size - 1
    return ((r, last - c), (last - r, c), (c, r), (last - c, last - r))[mirror]


def _pattern(pixels: Pixels, panel: Panel) -> tuple[int, dict[Place, int]]:
    """Fields across, and the shade of each: the number of fields whose insides are flat."""
    gray = pixels.mean(axis=-1)
    best: tuple[float, int, dict[Place, int]] = (float("inf"), 0, {})
    for size in FIELDS:
        step, result, rough = SIDE / size, {}, 0.0
        for r, c in product(range(size), repeat=2):
            x, y = panel.x + 12 + c * step, panel.y + 12 + r * step
            inside = gray[round(y + 4) : round(y + step - 4), round(x + 4) : round(x + step - 4)]
            result[r, c] = int(np.abs(np.array(GRAYS) - np.median(inside)).argmin())
            rough = max(rough, float(inside.std()))
        if rough < best[0] - 1:
            best = (rough, size, result)
    return best[1], best[2]
