"""Letters made of square cells: which of ten letters do the cells fit?

Visible cells fit a letter if the letter covers them all at some position; a field of dark cells
holds a letter if all of its cells are dark at some position. All positions count, not only the one
at which the letter was placed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.imaging.mosaics import COLUMNS, LETTERS, ROWS, Cell, letter_cells

Grid = NDArray[np.float32]
"""Rows x columns, 1 for a cell that is inked."""


def grid_of(cells: Iterable[Cell], rows: int, columns: int) -> Grid:
    """Return cells as a grid."""
    grid = np.zeros((rows, columns), np.float32)
    for cell in cells:
        grid[cell] = 1
    return grid


@lru_cache(maxsize=32)
def _mask(letter: str) -> Grid:
    return grid_of(letter_cells(letter), ROWS, COLUMNS)


def most_in_common(grid: Grid, letter: str) -> int:
    """Return the largest number of inked cells that a letter covers at any position."""
    room = np.pad(grid, ((ROWS, ROWS), (COLUMNS, COLUMNS)))
    return round(float(cv2.matchTemplate(room, _mask(letter), cv2.TM_CCORR).max()))


def rivals(letter: str) -> tuple[str, ...]:
    """Return the other letters."""
    return tuple(other for other in LETTERS if other != letter)
