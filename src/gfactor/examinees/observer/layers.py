"""Things with a common center, read along rays from it."""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.seeing import differs, ground_of
from gfactor.imaging import Pixels

_STEPS = 1024
"""Number of parts of a pixel to which positions on a ray are rounded."""

RAYS = 40
"""Number of rays, evenly spaced clockwise from the right."""

Run: TypeAlias = tuple[int, int]
"""Start and stop of a stretch of nearly one color."""

_FLAT = 16
"""Largest step between neighboring samples of one color, in gray levels."""


def figure(picture: Pixels) -> tuple[float, float, float, float]:
    """Center and half width and half height of everything that is not the ground, in pixels."""
    mask = differs(picture, ground_of(picture))
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    middle = [(float(line[0]) + float(line[-1])) / 2 for line in (columns, rows)]
    half = [(float(line[-1]) - float(line[0])) / 2 for line in (columns, rows)]
    return middle[0], middle[1], half[0], half[1]


def rays(picture: Pixels, x: float, y: float, length: float, per_px: int = 1) -> Pixels:
    """Return colors along rays from (x, y): rays x samples x 3, `per_px` samples per pixel. Outside
    of the picture its ground goes on.

    Interpolation is linear, in whole numbers: OpenCV's differs between its versions.
    """
    samples = round(length * per_px)
    along = np.arange(samples) * (length / max(samples, 1))
    angles = 2 * np.pi * np.arange(RAYS) / RAYS
    across, down = np.outer(np.cos(angles), along), np.outer(np.sin(angles), along)
    columns, right = _split(x + across)
    rows, below = _split(y + down)
    height, width = picture.shape[:2]
    framed = np.empty((height + 4, width + 4, 3), np.int32)
    framed[:] = ground_of(picture)
    framed[2:-2, 2:-2] = picture
    rows, columns = (rows + 2).clip(0, height + 2), (columns + 2).clip(0, width + 2)
    upper = framed[rows, columns] * (_STEPS - right) + framed[rows, columns + 1] * right
    lower = framed[rows + 1, columns] * (_STEPS - right) + framed[rows + 1, columns + 1] * right
    whole = upper * (_STEPS - below) + lower * below
    return ((whole + _STEPS**2 // 2) // _STEPS**2).astype(np.uint8)


def _split(positions: NDArray[np.float64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the pixels of positions, and the `_STEPS` parts of a pixel that they lie beyond."""
    steps = np.rint(positions * _STEPS).astype(np.int32)
    return steps // _STEPS, (steps % _STEPS)[..., None]


def flat_runs(line: NDArray[np.uint8], shortest: int) -> list[Run]:
    """Return the stretches of at least `shortest` samples along which a line's color stays."""
    steps = np.abs(np.diff(line.astype(np.int16), axis=0)).max(axis=1)
    # Many steps lie within one color: a low quantile is 0 unless the eyes add noise.
    noise = np.partition(steps, len(steps) // 5)[len(steps) // 5]
    breaks = [-1, *np.flatnonzero(steps > _FLAT + 4 * noise).tolist(), len(line) - 1]
    return [(a + 1, b + 1) for a, b in pairwise(breaks) if b - a >= shortest]
