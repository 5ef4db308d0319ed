"""Boards as observers see them: the cells between straight lines, and the ink in a cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.seeing import Mask
from gfactor.imaging import RGB, Pixels

Span = tuple[int, int]
"""First and last pixel + 1 along one axis."""

_COLORFUL = 40
"""Smallest difference between two channels of an ink that has a hue (blends at edges have less)."""


@dataclass(frozen=True)
class CellInteriors:
    """The inside of every row and column of cells, lines left out."""

    rows: tuple[Span, ...]
    columns: tuple[Span, ...]

    @property
    def cells(self) -> list[tuple[int, int]]:
        """Every (row, column), from 0, in reading order."""
        return [
            (row, column) for row in range(len(self.rows)) for column in range(len(self.columns))
        ]

    def patch(self, image: NDArray, cell: tuple[int, int], inset: int = 0) -> NDArray:
        """Return the part of `image` (a picture or a mask) in a cell, `inset` pixels off its
        lines."""
        (top, bottom), (left, right) = self.rows[cell[0]], self.columns[cell[1]]
        return image[top + inset : bottom - inset, left + inset : right - inset]

    def share(self, mask: Mask, cell: tuple[int, int], inset: int = 0) -> float:
        """Return the share of a cell, `inset` pixels off its lines, that is in a mask."""
        return share(self.patch(mask, cell, inset))

    def center(self, cell: tuple[int, int]) -> tuple[int, int]:
        """Return the middle (x, y) of a cell."""
        (top, bottom), (left, right) = self.rows[cell[0]], self.columns[cell[1]]
        return (left + right) // 2, (top + bottom) // 2

    def color(self, image: Pixels, cell: tuple[int, int]) -> RGB:
        """Return the color in the middle of a cell: the median over its inner third; raise
        ValueError if the cell is too small to have one."""
        patch = self.patch(image, cell)
        height, width = patch.shape[0] // 3, patch.shape[1] // 3
        if not height or not width:
            raise ValueError("no color can be made out in so small a cell")
        r, g, b = np.median(patch[height:-height, width:-width], axis=(0, 1))
        return round(float(r)), round(float(g)), round(float(b))


def share(mask: Mask) -> float:
    """Return the share of a mask that is True; 0 without pixels, as in the small cells of a blurred
    picture."""
    return float(mask.mean()) if mask.size else 0.0


def colored(image: Pixels) -> Mask:
    """Return True if there is ink with a hue."""
    high, low = _extremes(image)
    return cv2.subtract(high, low) >= _COLORFUL


def gray_ink(image: Pixels, lightest: int = 200) -> Mask:
    """Return True if there is black or gray ink, no lighter than `lightest` of 255."""
    high, low = _extremes(image)
    return (cv2.subtract(high, low) < _COLORFUL) & (high <= lightest)


def _extremes(image: Pixels) -> tuple[NDArray, NDArray]:
    red, green, blue = cv2.split(image)
    return cv2.max(cv2.max(red, green), blue), cv2.min(cv2.min(red, green), blue)


def lattice_of(image: Pixels) -> CellInteriors:
    """Return the cells of the board in a picture; raise ValueError if none is seen.

    A line runs through the whole board, so a row of pixels on a line has (nearly) the most gray ink
    of all. The cells lie between the first and the last line.
    """
    ink = gray_ink(image, lightest=225).astype(np.uint8)
    spans = []
    for axis in (1, 0):
        counts = cv2.reduce(ink, axis, cv2.REDUCE_SUM, dtype=cv2.CV_32S).ravel()
        lines = np.flatnonzero(counts > 0.95 * counts.max())
        gaps = np.flatnonzero(np.diff(lines) > 1)
        spans.append(tuple((int(lines[k]) + 1, int(lines[k + 1])) for k in gaps))
    if not spans[0] or not spans[1]:
        raise ValueError("there is no board to be seen")
    return CellInteriors(*spans)


def write_cells(cells: Iterable[tuple[int, int]]) -> str:
    """Return cells in reading order, counted from 1: "(1,2) (3,1)"."""
    return " ".join(f"({row + 1},{column + 1})" for row, column in sorted(cells))
