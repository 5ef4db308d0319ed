"""Things with a common center, read along rays from it."""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.seeing import differs, ground_of
from gfactor.imaging import Pixels

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
    """Colors along rays from (x, y): rays x samples x 3, `per_px` samples per pixel. Outside of
    the picture its ground goes on."""
    samples = round(length * per_px)
    # OpenCV leaves what lies outside as it finds it: without this, whatever was in the memory.
    seen = np.full((RAYS, samples, 3), ground_of(picture), np.uint8)
    cv2.warpPolar(picture, (samples, RAYS), (x, y), length, cv2.INTER_LINEAR, dst=seen)
    return seen


def flat_runs(line: NDArray[np.uint8], shortest: int) -> list[Run]:
    """The stretches of at least `shortest` samples along which a line's color stays."""
    steps = np.abs(np.diff(line.astype(np.int16), axis=0)).max(axis=1)
    # Many steps lie within one color: a low quantile is 0 unless the eyes add noise.
    noise = np.partition(steps, len(steps) // 5)[len(steps) // 5]
    breaks = [-1, *np.flatnonzero(steps > _FLAT + 4 * noise).tolist(), len(line) - 1]
    return [(a + 1, b + 1) for a, b in pairwise(breaks) if b - a >= shortest]
