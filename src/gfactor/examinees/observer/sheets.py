"""Reading sheets of the figures' grammar: boxes, cells of figures and strokes, numbers, letters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.seeing import read_glyphs
from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.figures import (
    CLOSE,
    FORMS,
    SHADES,
    SIZES,
    SPOTS,
    Box,
    CellFigures,
    Sheet,
    Spacing,
    draw_cell,
    inner,
    lattice_cell,
    lattice_places,
    lattice_point,
    stroke,
)

MOST = 6
"""Greatest number of figures in a cell of the families of figures."""

SCALES: Mapping[str, Sequence[Any]] = {
    "size": SIZES, "shade": SHADES, "count": range(1, MOST + 1), "turn": range(8),
}  # fmt: skip
"""Attributes that have an order, with their values."""

GUESSES = (CellFigures("circle"), CellFigures("square"), CellFigures("star"))
"""Cells that replace a forgotten cell."""

_LOOK = 32
"""Side in pixels at which figures are compared."""


def sheet_of(pixels: Pixels, plans: Iterable[Sheet], in_frames: bool = True) -> Sheet:
    """Return the layout among `plans` that fits the picture's size and the positions of its frames.

    `in_frames` is True if the boxes above the options are framed, too.

    Raises ValueError if none fits.
    """
    height, width = pixels.shape[:2]
    for plan in plans:
        if (plan.width, plan.height) == (width, height):
            question_boxes = [box for row in plan.boxes[:1] for box in row] if in_frames else []
            boxes = [*question_boxes, *plan.option_boxes]
            if all(framed(pixels, box) for box in boxes):
                return plan
    raise ValueError("the picture is not a sheet of a known layout")


def framed(pixels: Pixels, box: Box) -> bool:
    """Return True if the frame of a box can be seen: its upper and left edges are darker than the
    paper beside them.
    """
    s = box.side
    gray = box.of(pixels)[..., 1].astype(np.float32)
    beside = (gray[3, 4 : s - 4], gray[4 : s - 4, 3])
    edges = (gray[0, 4 : s - 4], gray[4 : s - 4, 0])
    pairs = zip(beside, edges, strict=True)
    return all(np.median(near) - np.quantile(edge, 0.9) > _FRAME_DEPTH for near, edge in pairs)


_FRAME_DEPTH = 10
"""Smallest difference in gray levels of a frame; it is 105 levels darker than paper, less after
blurring."""


def letter(number: int) -> str:
    """Return the reply that names an option, from 0."""
    return chr(ord("A") + number)


def read_number(pixels: Pixels, box: Box) -> int:
    """Return the whole number in a box; raise ValueError if there is none."""
    return int(read_line(pixels, box, "0123456789"))


def read_line(pixels: Pixels, box: Box, alphabet: str) -> str:
    """Return the glyphs in a box."""
    inside = box.of(pixels)[3:-3, 3:-3]
    return read_glyphs(inside.mean(axis=-1) < _DARK, alphabet)


_DARK = 128


def read_cells(
    pixels: Pixels, boxes: Sequence[Box], most: int = MOST, spacing: Spacing = CLOSE
) -> list[CellFigures]:
    """Return the cells of the grammar that are most similar to the contents of boxes of one size.

    `most` is the greatest number of figures in a cell of this kind of sheet.
    """
    cells, pictures, norms = _templates(boxes[0].side, most, spacing)
    seen = np.stack([_looked(box.of(pixels), box.side, spacing) for box in boxes])
    result = []
    best = (norms[:, None] - 2 * (pictures @ seen.T)).argmin(0)
    for number, marked in zip(best, _have_strokes(pixels, boxes), strict=True):
        marks = tuple(spot for spot, has in zip(SPOTS, marked, strict=True) if has)
        result.append(replace(cells[int(number)], marks=marks))
    return result


def _have_strokes(pixels: Pixels, boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """Return True for strokes in boxes (boxes x `SPOTS`): dark on the mean of five points."""
    ends = np.array([[stroke(spot, box) for spot in SPOTS] for box in boxes], float)
    first, last = ends[..., None, :2], ends[..., None, 2:]
    points = np.rint(first + (last - first) * np.arange(1, 6)[:, None] / 6).astype(int)
    seen = pixels[points[..., 1], points[..., 0]].mean(axis=-1)
    return np.asarray(seen.mean(axis=-1) < _DARK)


def _looked(patch: Pixels, side: int, spacing: Spacing) -> NDArray[np.float32]:
    cut = inner(Box(0, 0, side), spacing.rim).of(patch)
    gray = cut.mean(axis=-1, dtype=np.float32)
    small = cv2.resize(gray, (_LOOK, _LOOK), interpolation=cv2.INTER_AREA)
    return np.asarray(255 - small, np.float32).ravel()


@lru_cache(maxsize=8)
def _templates(
    side: int, most: int, spacing: Spacing
) -> tuple[list[CellFigures], NDArray[np.float32], NDArray[np.float32]]:
    """Pictures of every cell without strokes, with their squared norms."""
    cells, pictures = [], []
    box = Box(0, 0, side)
    for form, size, shade, count in product(FORMS, SIZES, SHADES, range(1, most + 1)):
        for turn in range(8 if form == "arrow" else 1):
            cell = CellFigures(form, size, shade, count, turn)
            canvas = Canvas(Frame(side, side))
            draw_cell(canvas, cell, box, most, spacing)
            cells.append(cell)
            pictures.append(_looked(canvas.pixels, side, spacing))
    stacked = np.stack(pictures)
    return cells, stacked, np.einsum("ij,ij->i", stacked, stacked)


def narrowed(options: Sequence[CellFigures], wanted: Mapping[str, Any]) -> list[int]:
    """Return the numbers of the options with the wanted attributes, taken one after the other.

    An attribute that no remaining option has as wanted is ignored.
    """
    left = list(range(len(options)))
    for attribute, value in wanted.items():
        left = [k for k in left if getattr(options[k], attribute) == value] or left
    return left


def chosen(left: Sequence[int], perception: Perception) -> str:
    """Return the letter of the one remaining option, or a random one of several."""
    return letter(left[0] if len(left) == 1 else perception.guess(left))


def read_lattice(pixels: Pixels, element: str, size: int, box: Box) -> tuple[int, ...]:
    """Return the numbers of the filled places of a lattice."""
    result = []
    for number, position in enumerate(lattice_places(element, size), 1):
        if element == "cells":
            left, top, right, bottom = lattice_cell(box, size, position[0])
            x, y = (left + right) / 2, (top + bottom) / 2
        else:
            (x1, y1), (x2, y2) = (lattice_point(box, size, point) for point in position)
            x, y = (x1 + x2) / 2, (y1 + y2) / 2
        if _near(pixels, x, y) < _DARK:
            result.append(number)
    return tuple(result)


def lattice_of(pixels: Pixels, boxes: Sequence[Box]) -> tuple[str, int]:
    """Return the kind of the lattices in boxes, and the number of points or cells a side."""
    for element, size in product(("cells", "strokes"), (5, 4, 3)):
        if all(_has_lattice(pixels, element, size, box) for box in boxes):
            return element, size
    raise ValueError("the boxes contain no lattice of a known size")


def _has_lattice(pixels: Pixels, element: str, size: int, box: Box) -> bool:
    for row, column in product(range(size), repeat=2):
        if element == "cells":
            left, top, _, bottom = lattice_cell(box, size, (row, column))
            value = pixels[(top + bottom) // 2, left].mean()
        else:
            x, y = lattice_point(box, size, (row, column))
            value = _near(pixels, x, y)
        if value > _PALE:
            return False
    return True


def _near(pixels: Pixels, x: float, y: float) -> float:
    """Return the lightness of a picture at a point, over three by three pixels."""
    row, column = round(y), round(x)
    return float(pixels[row - 1 : row + 2, column - 1 : column + 2].mean())


_PALE = 210
"""Gray level lighter than the lines and points of a lattice."""
