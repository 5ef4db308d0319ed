"""Ten capitals made of square cells, with strokes two cells wide.

The letters are our own, and those of a larger alphabet that differ most: of each at least eight
cells lie beside any other one, wherever it is put.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

Cell = tuple[int, int]
"""Row and column, counted from the upper left corner."""

_ROWS = {
    "D": "1111. 1...1 1...1 1...1 1...1 1...1 1111.",
    "F": "11111 1.... 1.... 1111. 1.... 1.... 1....",
    "G": ".1111 1.... 1.... 1..11 1...1 1...1 .1111",
    "H": "1...1 1...1 1...1 11111 1...1 1...1 1...1",
    "K": "1...1 1..1. 1.1.. 11... 1.1.. 1..1. 1...1",
    "M": "1...1 11.11 1.1.1 1.1.1 1...1 1...1 1...1",
    "S": ".1111 1.... 1.... .111. ....1 ....1 1111.",
    "W": "1...1 1...1 1...1 1.1.1 1.1.1 11.11 1...1",
    "X": "1...1 1...1 .1.1. ..1.. .1.1. 1...1 1...1",
    "Z": "11111 ....1 ...1. ..1.. .1... 1.... 11111",
}

LETTERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {letter: tuple(rows.split()) for letter, rows in _ROWS.items()}
)
"""Each letter's rows of a stroke's width: `1` for ink."""

STROKE = 2
"""Cells across a stroke."""
ROWS, COLUMNS = 7 * STROKE, 5 * STROKE
"""Cells of a letter down and across."""


@lru_cache(maxsize=32)
def letter_cells(letter: str) -> tuple[Cell, ...]:
    """Return the cells of a letter, row by row."""
    rows = LETTERS[letter]
    return tuple(
        (row, column)
        for row in range(ROWS)
        for column in range(COLUMNS)
        if rows[row // STROKE][column // STROKE] == "1"
    )
