"""Classical computer vision for observers: blobs, colors, kinds of shapes, glyphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.imaging import RGB, Canvas, Frame, Pixels, delta_e

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Blob:
    """A connected patch: bounding box, area, centroid (pixels), its mask and its own color."""

    x: int
    y: int
    width: int
    height: int
    area: int
    cx: float
    cy: float
    mask: Mask
    color: RGB

    @property
    def size(self) -> int:
        """The longer side of the bounding box."""
        return max(self.width, self.height)


def ground_of(image: Pixels) -> RGB:
    """Return the most frequent color on the border, the background."""
    border = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]])
    # One number per color: much faster to count than rows of three.
    packed = border @ np.array([1 << 16, 1 << 8, 1], np.int32)
    colors, counts = np.unique(packed, return_counts=True)
    color = int(colors[counts.argmax()])
    return color >> 16, color >> 8 & 255, color & 255


def differs(image: Pixels, color: RGB, by: int = 60) -> Mask:
    """Return True if some channel is at least `by` away from `color`."""
    return ~near(image, color, by)


def near(image: Pixels, color: RGB, within: int = 60) -> Mask:
    """Return True if every channel is less than `within` away from `color`."""
    low = [max(0, c - within + 1) for c in color]
    high = [min(255, c + within - 1) for c in color]
    return cv2.inRange(image, np.array(low), np.array(high)).astype(bool)


def blobs(mask: Mask, image: Pixels, min_area: int = 30) -> list[Blob]:
    """Return the 8-connected patches of `mask` of at least `min_area` pixels, in reading order.

    A blob's color is the median over its inside (edges, which are blended, are left out).
    """
    count, labels, stats, centers = cv2.connectedComponentsWithStats(
        mask.astype(np.uint8), connectivity=8
    )
    result = []
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        if area < min_area:
            continue
        inside = labels[y : y + h, x : x + w] == k
        result.append(
            Blob(
                x,
                y,
                w,
                h,
                area,
                float(centers[k][0]),
                float(centers[k][1]),
                inside,
                inner_color(image[y : y + h, x : x + w], inside),
            )
        )
    return sorted(result, key=lambda b: (b.cy, b.cx))


def inner_color(patch: Pixels, mask: Mask) -> RGB:
    """Return the median color inside `mask`, two pixels away from its edge if there is room."""
    padded = np.pad(mask.astype(np.uint8), 1)
    inside = cv2.erode(padded, np.ones((3, 3), np.uint8), iterations=2)[1:-1, 1:-1].astype(bool)
    r, g, b = np.median(patch[inside if inside.any() else mask], axis=0)
    return round(float(r)), round(float(g)), round(float(b))


def name_color(color: RGB, palette: Mapping[str, RGB]) -> str:
    """Return the name in `palette` whose color is nearest by CIEDE2000."""
    return min(palette, key=lambda name: delta_e(color, palette[name]))


_STAMP = 48


@lru_cache(maxsize=64)
def _template(kind: str) -> Mask:
    frame = Frame(4 * _STAMP, 4 * _STAMP)
    canvas = Canvas(frame, (0, 0, 0))
    canvas.shape(kind, 2 * _STAMP, 2 * _STAMP, 1.5 * _STAMP, (255, 255, 255))
    return stamp(canvas.pixels[..., 0] > 127)


def stamp(mask: Mask) -> Mask:
    """Return a mask's bounding box, scaled (aspect kept) and centered in a square of fixed size."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    cut = mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.uint8) * 255
    scale = _STAMP / max(cut.shape)
    width, height = (max(1, round(s * scale)) for s in (cut.shape[1], cut.shape[0]))
    scaled = cv2.resize(cut, (width, height), interpolation=cv2.INTER_AREA)
    square = np.zeros((_STAMP, _STAMP), np.uint8)
    top, left = (_STAMP - height) // 2, (_STAMP - width) // 2
    square[top : top + height, left : left + width] = scaled
    return square > 127


def kind_of(mask: Mask, kinds: Sequence[str]) -> str:
    """Return the kind of shape (of `gfactor.imaging.KINDS`) that fits the mask best (IoU)."""
    seen = stamp(fill_holes(mask))

    def overlap(kind: str) -> float:
        template = _template(kind)
        return float((seen & template).sum() / (seen | template).sum())

    return max(kinds, key=overlap)


def fill_holes(mask: Mask) -> Mask:
    """Return the mask with everything that it encloses."""
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    filled = np.zeros(mask.shape, np.uint8)
    cv2.drawContours(filled, contours, -1, 1, -1)
    return filled.astype(bool)


def eroded(mask: Mask, width: int) -> Mask:
    """Return the mask without its rim: the centers of all squares of `width` pixels that fit into
    it."""
    return cv2.erode(mask.astype(np.uint8), np.ones((width, width), np.uint8)).astype(bool)


@lru_cache(maxsize=256)
def _glyph(sign: str, height: int, width: int) -> Mask:
    canvas = Canvas(Frame(3 * height, 3 * height), (0, 0, 0))
    canvas.text(1.5 * height, 1.5 * height, sign, height, (255, 255, 255), width)
    return stamp(canvas.pixels[..., 0] > 127)


def read_glyphs(mask: Mask, alphabet: str) -> str:
    """Return the line of glyphs (of `gfactor.imaging.GLYPHS`) in `mask`, left to right.

    Every 8-connected patch is one glyph, so only signs made of one piece can be read.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        mask.astype(np.uint8), connectivity=8
    )
    parts = sorted((int(stats[k][0]), k) for k in range(1, count) if stats[k][4] >= 6)
    text = ""
    for _, k in parts:
        x, y, w, h, _area = (int(v) for v in stats[k])
        seen = stamp(labels[y : y + h, x : x + w] == k)

        def overlap(sign: str, seen: Mask = seen, h: int = h) -> float:
            template = _glyph(sign, max(8, h), 2)
            return float((seen & template).sum() / max(1, (seen | template).sum()))

        text += max(alphabet, key=overlap)
    return text


__all__ = [
    "Blob",
    "Mask",
    "blobs",
    "differs",
    "eroded",
    "fill_holes",
    "ground_of",
    "inner_color",
    "kind_of",
    "name_color",
    "near",
    "read_glyphs",
    "stamp",
]
