"""Discs, also touching ones: each patch is one disc, or is split at its thickest points."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from gfactor.examinees.observer.seeing import Blob, Mask, blobs, inner_color
from gfactor.imaging import RGB, Pixels

_WINDOW = 7
"""Pixels across within which only the deepest point of a patch may be a disc's center."""

_SMALLEST_RADIUS = 3


@dataclass(frozen=True)
class FoundDisc:
    """A disc's center in pixels, and its color."""

    cx: float
    cy: float
    color: RGB


def discs(mask: Mask, picture: Pixels) -> list[FoundDisc]:
    """Return the discs that make up `mask`; discs that touch are distinguished."""
    result: list[FoundDisc] = []
    for blob in blobs(mask, picture):
        result += (
            [FoundDisc(blob.cx, blob.cy, blob.color)] if _is_round(blob) else _split(blob, picture)
        )
    return result


def _is_round(blob: Blob) -> bool:
    box = blob.width * blob.height
    even = 0.8 < blob.width / blob.height < 1.25
    return even and abs(blob.area / box - math.pi / 4) < 0.08


def _split(blob: Blob, picture: Pixels) -> list[FoundDisc]:
    # Farthest from the outside: one such point for each disc, however the discs touch.
    depth = cv2.distanceTransform(np.pad(blob.mask, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    window = np.ones((_WINDOW, _WINDOW), np.uint8)
    peaks = (depth == cv2.dilate(depth, window)) & (depth > _SMALLEST_RADIUS)
    count, labels, _, centers = cv2.connectedComponentsWithStats(
        cv2.dilate(peaks.astype(np.uint8), window), connectivity=8
    )
    patch = picture[blob.y : blob.y + blob.height, blob.x : blob.x + blob.width]
    return [
        FoundDisc(
            blob.x + float(centers[k][0]),
            blob.y + float(centers[k][1]),
            inner_color(patch, (labels == k) & blob.mask),
        )
        for k in range(1, count)
    ]
