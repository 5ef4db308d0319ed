"""Pictures of rows: what lies between the horizontal lines."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.seeing import Blob, Mask, blobs, differs, ground_of
from gfactor.imaging import Pixels

FINER = 4
"""How many times finer than the pixels forms are seen."""

_RULED = 0.6
"""Share of a row of pixels that is ink only where a line runs through the picture."""


def rows_of(picture: Pixels) -> list[list[Blob]]:
    """The patches in each row, from left to right; rows from top to bottom, empty ones left out."""
    ink = differs(picture, ground_of(picture), 128).astype(np.uint8)
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


def forms_in_rows(picture: Pixels, least: float = 0.5) -> list[Mask]:
    """The form of the largest patch of each row, `FINER` times finer than the pixels.

    The blended pixels of an edge tell where in the pixel the edge runs; a place belongs to the
    form where the share of the patch's own color, interpolated, is at least `least`.
    """
    ground = np.array(ground_of(picture), np.float32)
    return [_form(picture, blob, ground, least) for blob in largest_in_rows(picture)]


def _form(picture: Pixels, blob: Blob, ground: NDArray[np.float32], least: float) -> Mask:
    top, left = max(0, blob.y - 2), max(0, blob.x - 2)
    patch = picture[top : blob.y + blob.height + 2, left : blob.x + blob.width + 2]
    contrast = np.array(blob.color, np.float32) - ground
    share = (patch - ground) @ (contrast / (contrast @ contrast))
    finer = cv2.resize(share, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_LINEAR)
    return finer >= least
