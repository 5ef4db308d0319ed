"""Pictures of rows: the contents between horizontal lines."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.examinees.observer.seeing import Blob, Mask, blobs, differs, ground_of
from gfactor.imaging import Pixels

FINER = 4
"""Factor by which forms are seen more finely than the pixels."""

_RULED = 0.6
"""Share of a row of pixels that is ink only if a line runs through the picture."""


def rows_of(picture: Pixels) -> list[list[Blob]]:
    """Return the patches in each row, from left to right; rows from top to bottom, empty ones left
    out.

    Patches form a row if they are side by side; the lines between rows are not patches.
    """
    ink = differs(picture, ground_of(picture), 128).astype(np.uint8)
    filled = cv2.reduce(ink, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F).ravel()
    for y in np.flatnonzero(filled > _RULED):
        ink[max(0, y - 1) : y + 2] = 0
    rows: list[list[Blob]] = []
    for blob in blobs(ink.astype(bool), picture):
        if rows and blob.y < max(other.y + other.height for other in rows[-1]):
            rows[-1].append(blob)
        else:
            rows.append([blob])
    return [sorted(row, key=lambda b: b.cx) for row in rows]


def largest_in_rows(picture: Pixels) -> list[Blob]:
    """Return the largest patch of each row, from top to bottom."""
    return [max(row, key=lambda b: b.area) for row in rows_of(picture)]


def forms_in_rows(picture: Pixels, least: float = 0.5) -> list[Mask]:
    """Return the form of the largest patch of each row, `FINER` times finer than the pixels.

    The color of a blended edge pixel shows the position of the edge inside the pixel. A point
    belongs to the form if the interpolated share of the patch's own color is at least `least`.
    """
    ground = np.array(ground_of(picture), np.float32)
    return [_form(picture, blob, ground, least) for blob in largest_in_rows(picture)]


def _form(picture: Pixels, blob: Blob, ground: NDArray[np.float32], least: float) -> Mask:
    top, left = max(0, blob.y - 2), max(0, blob.x - 2)
    patch = picture[top : blob.y + blob.height + 2, left : blob.x + blob.width + 2]
    contrast = np.array(blob.color, np.float32) - ground
    share = (patch - ground) @ (contrast / (contrast @ contrast))
    padded = np.pad(blob.mask.astype(np.uint8), ((blob.y - top, 2), (blob.x - left, 2)))
    share *= cv2.dilate(padded[: len(patch), : patch.shape[1]], np.ones((3, 3), np.uint8))
    finer = cv2.resize(share, None, fx=FINER, fy=FINER, interpolation=cv2.INTER_LINEAR)
    return finer >= least
