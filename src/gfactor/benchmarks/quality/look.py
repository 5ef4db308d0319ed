"""What remains of a picture when its pixels are gone: size, a perceptual hash, a thumbnail."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import cv2
import numpy as np

from gfactor.imaging import Pixels

_SIDE, _LOW, THUMB = 32, 8, 32
"""Side of the picture that is transformed, of its low frequencies, and of the thumbnail."""

_FLAT = 2.0
"""Standard deviation in gray levels below which a picture shows nothing to be hashed."""


@dataclass(frozen=True)
class Look:
    """How a picture looks.

    Parameters
    ----------
    digest: names the pixels: pictures of one digest are the same.
    width, height: in pixels.
    bits: 64 bits, one for each low frequency of the discrete cosine transform, set where its
        coefficient is over their median. The constant term counts as zero.
    thumb: 32 x 32 gray levels, row by row.
    flat: whether the picture is one shade, so that `bits` mean nothing.
    """

    digest: str
    width: int
    height: int
    bits: int
    thumb: bytes
    flat: bool


def look_at(pixels: Pixels, digest: str = "") -> Look:
    """The look of decoded pixels; `digest` is computed where none is given.

    The hash is the DCT hash of Zauner (2010), "Implementation and benchmarking of perceptual image
    hash functions": gray, 32 x 32, the 8 x 8 lowest frequencies against their median.
    """
    height, width = pixels.shape[:2]
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(gray, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    low = cv2.dct(small.astype(np.float32))[:_LOW, :_LOW].ravel()
    low[0] = 0
    # Frequencies that are not there come out as rounding noise, whose sign is chance.
    low[np.abs(low) < 1e-2] = 0
    bits = int.from_bytes(np.packbits(low > np.median(low)).tobytes(), "big")
    return Look(
        digest or hashlib.sha256(np.ascontiguousarray(pixels).data).hexdigest(),
        width,
        height,
        bits,
        small.tobytes(),
        bool(small.std() < _FLAT),
    )
