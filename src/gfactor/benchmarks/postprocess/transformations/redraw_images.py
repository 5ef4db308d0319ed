"""Pictures drawn anew at a larger scale: every pixel changes, but not what the picture shows."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from gfactor.benchmarks.postprocess.pictures import Pixels, with_pictures
from gfactor.benchmarks.postprocess.transformation import register_variant
from gfactor.items import Item, ItemRandom

_LEAST, _MOST = 105, 150
"""Range of the new size in percent of the old; pictures only grow, so that no thin line is lost."""
_LONGEST = 2048
"""Pixels of the longer side that a new picture does not exceed."""


@register_variant("redraw-images", "Pictures drawn anew, 5 to 50 % larger.")
def redraw_images(item: Item, random: ItemRandom) -> Sequence[Item]:
    """Draw all pictures of an item anew at one larger scale.

    Proportions, colors and relative positions stay, because all pictures are enlarged by the same
    factor. Applies if the question is not about pixels or coordinates and the pictures stay within
    2,048 pixels.
    """
    scale = random.integer(_LEAST, _MOST)
    return with_pictures(item, lambda pixels: _drawn(pixels, scale))


def _drawn(pixels: Pixels, percent: int) -> Pixels | None:
    height, width = (round(side * percent / 100) for side in pixels.shape[:2])
    if max(height, width) > _LONGEST or (height, width) == pixels.shape[:2]:
        return None
    # The exact variant gives the same bytes on every processor.
    larger = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_LINEAR_EXACT)
    return np.asarray(larger, np.uint8)
