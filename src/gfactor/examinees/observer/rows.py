"""Pictures of rows: what lies between the horizontal lines."""

from __future__ import annotations

import cv2
import numpy as np

from gfactor.examinees.observer.seeing import Blob, blobs, differs, ground_of
from gfactor.imaging import Pixels

_RULED = 0.6
"""Share of a row of pixels that is ink only where a line runs through the picture."""


def rows_of(picture: Pixels) -> list[list[Blob]]:
    """The patches in each row, from left to right; rows from top to bottom, empty ones left out."""
    ink = differs(picture, ground_of(picture)).astype(np.uint8)
    filled = cv2.reduce(ink, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel()
    lines = np.flatnonzero(filled > _RULED)
    for y in lines:
        ink[max(0, y - 1) : y + 2] = 0
    rows: dict[int, list[Blob]] = {}
    for blob in blobs(ink.astype(bool), picture):
        rows.setdefault(int(np.searchsorted(lines, blob.cy)), []).append(blob)
    return [sorted(rows[k], key=lambda b: b.cx) for k in sorted(rows)]


def largest_in_rows(picture: Pixels) -> list[Blob]:
    """The largest patch of each row, from top to bottom."""
    return [max(row, key=lambda b: b.area) for row in rows_of(picture)]
