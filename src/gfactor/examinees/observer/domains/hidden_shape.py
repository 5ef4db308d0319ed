"""Hidden shape: find the kind whose outline is inked all round, at some position and size."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.perception import Perception
from gfactor.examinees.observer.solvers import solver
from gfactor.imaging import Pixels, corners

KINDS = ("circle", "triangle", "square", "pentagon", "hexagon")
RADII_PX = range(78, 136, 2)
"""Circumradii that are tried."""
INK = 128
SCALE = 2
"""Pixels of the picture to one of the search."""
POINTS = 60
SPREAD = 4
"""Step between the points that are examined first."""
WORTH = 14
"""Number of inked points among those fifteen from which on the others are examined."""


@solver("hidden_shape")
def solve(pictures: tuple[Pixels, ...], perception: Perception) -> str:
    (picture,) = pictures
    ink = (picture.max(axis=2) < INK).astype(np.uint8)
    thick = np.asarray(cv2.dilate(ink, np.ones((3, 3), np.uint8)), np.uint8)[::SCALE, ::SCALE]
    hidden = max(KINDS, key=lambda kind: max(inked(thick, kind, r) for r in RADII_PX))
    return f"SHAPE:{perception.hold([hidden], guesses=KINDS)[0].title()}"


def inked(ink: NDArray[np.uint8], kind: str, r: int) -> int:
    """Return the largest share of inked outline points over all positions.

    Only positions at which most of a few spread points are inked are examined with all points.
    """
    points = outline(kind, r)
    height, width = np.array(ink.shape) - points.max(axis=0)
    few = np.zeros((height, width), np.uint8)
    for y, x in points[::SPREAD]:
        few += ink[y : y + height, x : x + width]
    if few.max() < WORTH:
        return int(few.max()) * SPREAD
    rows, columns = np.nonzero(few == few.max())
    return int(ink[rows[:, None] + points[:, 0], columns[:, None] + points[:, 1]].sum(axis=1).max())


@lru_cache(maxsize=256)
def outline(kind: str, r: int) -> NDArray[np.int_]:
    """Return the points (row, column) of an outline in pixels of the search, starting from 0."""
    turns = [2 * math.pi * k / POINTS for k in range(POINTS)]
    points = [(r * math.cos(t), r * math.sin(t)) for t in turns]
    if kind != "circle":
        ends = corners(kind, 0, 0, r)
        each = POINTS // len(ends)
        points = [
            (x1 + (x2 - x1) * k / each, y1 + (y2 - y1) * k / each)
            for (x1, y1), (x2, y2) in zip(ends, ends[1:] + ends[:1], strict=True)
            for k in range(each)
        ]
    pixels = np.rint(np.array(points)[:, ::-1] / SCALE).astype(int)
    return pixels - pixels.min(axis=0)
