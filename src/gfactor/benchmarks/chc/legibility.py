"""Legibility of an item's pictures: the smallest object, and the difference between options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from gfactor.benchmarks.chc.family import Family
from gfactor.imaging import Pixels
from gfactor.imaging.color import delta_e

SEEN_DELTA_E = 10.0
"""CIEDE2000 difference from which two colors of a pixel count as different; 1 is about the smallest
difference that people notice in large adjacent fields."""


def smallest_object(pictures: Iterable[Pixels]) -> int:
    """Return the size of the smallest connected object in some pictures, the longer side of its
    bounding box in pixels.

    An object is a connected set of pixels that differ from the background, the border's most
    frequent color. 0 if nothing is drawn.
    """
    sizes = [size for picture in pictures for size in _extents(picture)]
    return min(sizes, default=0)


def _extents(picture: Pixels) -> list[int]:
    border = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    colors, counts = np.unique(border, axis=0, return_counts=True)
    ground = np.ascontiguousarray(colors[counts.argmax()])
    unlike = cv2.bitwise_not(cv2.inRange(picture, ground, ground))
    stats = cv2.connectedComponentsWithStats(unlike, connectivity=8)[2]
    sides = stats[1:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    return [int(size) for size in sides.max(axis=1, initial=0)]


def option_difference(family: Family[Any], scene: Any, options: Sequence[Any], key: int) -> int:
    """Return the number of pixels in which the right option differs from the most similar wrong
    one.

    Each wrong option is drawn at the position of the right one; pixels that differ by
    `SEEN_DELTA_E` or more are counted.
    """
    right = family.picture(scene, options)
    counts = []
    for other in (k for k in range(len(options)) if k != key):
        replaced = [*options[:key], options[other], *options[key + 1 :]]
        counts.append(differing(right, family.picture(scene, replaced)))
    return min(counts)


def differing(first: Sequence[Pixels], second: Sequence[Pixels]) -> int:
    """Count the pixels of two lists of pictures that differ visibly; all if sizes differ."""
    if [p.shape for p in first] != [p.shape for p in second]:
        return sum(p.shape[0] * p.shape[1] for p in second)
    count = 0
    for one, other in zip(first, second, strict=True):
        where = (one != other).any(axis=2)
        pairs = np.concatenate([one[where], other[where]], axis=1)
        kinds, counts = np.unique(pairs, axis=0, return_counts=True)
        seen = [_differ(tuple(map(int, kind))) for kind in kinds]
        count += int(counts[seen].sum()) if seen else 0
    return count


@lru_cache(maxsize=65536)
def _differ(pair: tuple[int, ...]) -> bool:
    first, second = pair[:3], pair[3:]
    return delta_e(first, second) >= SEEN_DELTA_E  # pyright: ignore[reportArgumentType]
