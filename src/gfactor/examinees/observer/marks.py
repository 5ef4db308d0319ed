"""Reading the marks on faces of cubes and on fields of nets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.imaging import Canvas, Frame, Pixels
from gfactor.imaging.boards import Panel
from gfactor.imaging.cubes import MARKS, SYMMETRIC, Seen, draw_mark
from gfactor.imaging.polycubes import FACES, Point, face

_LOOK = 40
_RIM = 4


def read_mark(pixels: Pixels, corners: Sequence[Point]) -> tuple[str, int]:
    """Return the mark on a face with these corners (lower left first, counterclockwise), and its
    clockwise quarter turns."""
    there = np.array([(0, _LOOK), (_LOOK, _LOOK), (_LOOK, 0), (0, 0)], np.float32)
    seen = cv2.getPerspectiveTransform(np.array(corners, np.float32), there)
    flat = cv2.warpPerspective(pixels, seen, (_LOOK, _LOOK), flags=cv2.INTER_AREA)
    gray = flat[_RIM:-_RIM, _RIM:-_RIM].mean(axis=-1)
    marks, pictures = _templates()
    away = ((pictures - gray.astype(np.float32)) ** 2).sum(axis=(1, 2))
    return marks[int(away.argmin())]


@lru_cache(maxsize=1)
def _templates() -> tuple[list[tuple[str, int]], NDArray[np.float32]]:
    names = [(mark, k) for mark in MARKS for k in range(1 if mark in SYMMETRIC else 4)]
    pictures = []
    for mark, quarters in names:
        canvas = Canvas(Frame(_LOOK, _LOOK), (235, 225, 200))
        corners = [(0, _LOOK), (_LOOK, _LOOK), (_LOOK, 0), (0, 0)]
        draw_mark(canvas, corners, mark, quarters)
        pictures.append(canvas.pixels[_RIM:-_RIM, _RIM:-_RIM].mean(axis=-1))
    return names, np.stack(pictures).astype(np.float32)


def read_cube(pixels: Pixels, panel: Panel, edge: float) -> Seen:
    """Return the marks of a cube in the middle of a panel."""
    origin = (panel.middle[0] - 0.70 * edge, panel.middle[1] + 0.57 * edge)
    return tuple(read_mark(pixels, face((0, 0, 0), name, origin, edge)) for name in FACES)
