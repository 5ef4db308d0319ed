"""Images that an examinee is shown under a condition, black ones among them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from gfactor.administration.presenting.condition import WITHOUT_IMAGES, Condition
from gfactor.examinees.image_limits import ImageLimit
from gfactor.imaging import encode_png
from gfactor.items import Image

BLANK_SIZE = 224
"""Side in pixels of the image shown if an item has none: the input size of the smallest usual
encoders."""


def images_under(images: Sequence[Image], condition: Condition) -> tuple[Image, ...]:
    """Return the images that an examinee sees under a condition instead of the item's own.

    Parameters
    ----------
    images : sequence of Image
        Images of the item.
    condition : Condition
        Condition under which the item is presented.

    Examples
    --------
    >>> from gfactor.administration.presenting.shown_images import images_under
    >>> images_under((), Condition(images="blank-if-needed"))[0].path
    'blank-224x224.png'
    """
    if condition.images in WITHOUT_IMAGES:
        return ()
    if condition.images == "blank":
        return tuple(map(blank_like, images))
    if condition.images == "blank-if-needed" and not images:
        return (blank_image(BLANK_SIZE, BLANK_SIZE),)
    selected = images[:1] if condition.images == "first" else images
    if not condition.image_limit:
        return tuple(selected)
    limit = ImageLimit.parse(condition.image_limit)
    return tuple(map(limit.fit, selected))


def blank_like(image: Image) -> Image:
    """Return a black image of the same width and height."""
    height, width = image.decode().shape[:2]
    return blank_image(width, height)


@lru_cache(maxsize=64)
def blank_image(width: int, height: int) -> Image:
    """Return an image whose every pixel is RGB (0, 0, 0), as in MULTI (section 4.2)."""
    pixels = np.zeros((height, width, 3), np.uint8)
    return Image(encode_png(pixels), f"blank-{width}x{height}.png")
