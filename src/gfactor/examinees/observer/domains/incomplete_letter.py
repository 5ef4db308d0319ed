"""Incomplete letter: find the cells, and the letter that covers all of them at some place."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import Mask
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels
from gfactor.imaging.mosaics import LETTERS, letter_cells

INK = 128


@solver("incomplete_letter")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    cells = _cells(picture.max(axis=2) < INK)
    letter = max(LETTERS, key=lambda letter: _covered(cells, letter))
    return f"LETTER:{perception.hold([letter], guesses=tuple(LETTERS))[0]}"


def _cells(ink: Mask) -> list[tuple[int, int]]:
    """Return (row, column) of the cells that are inked, counted from the first inked ones."""
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    figure = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    side = _side(figure)
    down, right = (round(length / side) for length in figure.shape)
    return [
        (row, column)
        for row in range(down)
        for column in range(right)
        if figure[int((row + 0.5) * side), int((column + 0.5) * side)]
    ]


def _side(figure: Mask) -> float:
    """Return the side of a cell: the most frequent of the short runs of ink."""
    lengths = np.concatenate([_runs(figure), _runs(figure.T)])
    shortest = np.percentile(lengths, 5)
    return float(np.median(lengths[lengths < 1.5 * shortest]))


def _runs(figure: Mask) -> NDArray[np.int_]:
    """Return the lengths of all runs of ink along the rows."""
    flat = np.pad(figure, ((0, 0), (0, 1))).ravel().astype(np.int8)
    changes = np.flatnonzero(np.diff(np.concatenate([[0], flat])))
    return np.array([b - a for a, b in pairwise(changes)][::2])


def _covered(cells: list[tuple[int, int]], letter: str) -> int:
    """Return the largest number of the cells that a letter covers at any position."""
    moves = Counter((r - a, c - b) for r, c in cells for a, b in letter_cells(letter))
    return max(moves.values())
