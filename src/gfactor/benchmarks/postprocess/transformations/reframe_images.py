"""Pictures with a wider or a narrower margin of their own background."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gfactor.benchmarks.postprocess.pictures import Pixels, with_pictures
from gfactor.benchmarks.postprocess.transformation import register_variant
from gfactor.items import Item, ItemRandom

_LEAST, _MOST = 4, 24
"""Least pixels that remain of a margin or by which it changes, and the largest change."""


@register_variant("reframe-images", "Pictures with a wider or narrower margin of their background.")
def reframe_images(item: Item, random: ItemRandom) -> Sequence[Item]:
    """Change the margin of each picture of an item by the same number of pixels on all four sides.

    The drawing keeps its size, its place relative to the middle, and every pixel. This applies if
    all pictures have an edge of one color, so that a margin can be distinguished from the drawing,
    and the question is not about pixels or coordinates.
    """
    return with_pictures(item, lambda pixels: _reframed(pixels, random))


def _has_plain_edge(pixels: Pixels) -> bool:
    edge = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    return min(pixels.shape[:2]) > 2 * _LEAST and bool((edge == edge[0]).all())


def _reframed(pixels: Pixels, random: ItemRandom) -> Pixels | None:
    """The picture with the same number of pixels added to, or taken from, all four margins."""
    if not _has_plain_edge(pixels):
        return None
    differs = (pixels != pixels[0, 0]).any(axis=2)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    margin = 0
    if len(rows):
        height, width = differs.shape
        margin = int(min(rows[0], height - 1 - rows[-1], columns[0], width - 1 - columns[-1]))
    by = random.integer(_LEAST, _MOST)
    if margin - by >= _LEAST and random.chance(1, 2):
        return np.ascontiguousarray(pixels[by:-by, by:-by])
    wider = np.empty((pixels.shape[0] + 2 * by, pixels.shape[1] + 2 * by, 3), np.uint8)
    wider[:] = pixels[0, 0]
    wider[by:-by, by:-by] = pixels
    return wider
