"""Blank images, made by program: what an examinee without the picture's information sees."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from gfactor.imaging import encode_png
from gfactor.items import Image

BLANK_SIZE = 224
"""Side of the image given where an item has none: what the smallest usual encoders take in."""


def blank_like(image: Image) -> Image:
    """A black image of the same width and height."""
    height, width = image.decode().shape[:2]
    return blank_image(width, height)


@lru_cache(maxsize=64)
def blank_image(width: int, height: int) -> Image:
    """An image whose every pixel is RGB (0, 0, 0), as in MULTI (section 4.2)."""
    pixels = np.zeros((height, width, 3), np.uint8)
    return Image(encode_png(pixels), f"blank-{width}x{height}.png")
