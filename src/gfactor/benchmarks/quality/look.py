"""Look of a picture without its pixels: size, a hash, a small view of it.

References
----------
Zauner, C. (2010). Implementation and benchmarking of perceptual image hash functions.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from gfactor.imaging import Pixels

_SIDE, _LOW = 32, 8
"""Side of the picture that is transformed, and of its low frequencies."""

VIEW = 128
"""Pixels of the longer side of a view."""

_FLAT = 2.0
"""Standard deviation in gray levels below which a picture is too uniform for a hash."""

_EVEN, _ENDS, _SMALLEST = 10, 2, 12
"""Gray levels within which a row counts as one shade, pixels at its ends that do not count (where a
border meets another), and the least number of pixels that remain on a side."""


@dataclass(frozen=True)
class Look:
    """Description of a picture for comparisons: its digest, hash and reduced view.

    Parameters
    ----------
    digest: hash of the pixels; pictures with the same digest are identical.
    width, height: size in pixels.
    bits: 64 bits, one for each low frequency of the discrete cosine transform, set where its
        coefficient is over their median. The constant term counts as zero.
    box: left, top, right, bottom of the picture without borders of one shade, as shares of its
        width and height.
    view: the picture with a longer side of at most 128 pixels, as a JPEG.
    flat: True if the picture is one shade, so that `bits` mean nothing.
    stored: size of the picture's file in bytes; 0 if it is not known.
    """

    digest: str
    width: int
    height: int
    bits: int
    box: tuple[float, float, float, float]
    view: bytes
    flat: bool
    stored: int = 0

    def pixels(self) -> Pixels:
        """Return the view, decoded: height x width x 3, RGB."""
        decoded = cv2.imdecode(np.frombuffer(self.view, np.uint8), cv2.IMREAD_COLOR)
        assert decoded is not None
        return np.ascontiguousarray(decoded[:, :, ::-1]).astype(np.uint8, copy=False)


def look_at(pixels: Pixels, digest: str = "") -> Look:
    """Return the look of decoded pixels; `digest` is computed if none is given.

    The hash is the DCT hash of Zauner (2010): gray, 32 x 32, the 8 x 8 lowest frequencies against
    their median.
    """
    height, width = pixels.shape[:2]
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(gray, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA)
    low = cv2.dct(small.astype(np.float32))[:_LOW, :_LOW].ravel()
    low[0] = 0
    # Coefficients of absent frequencies are rounding noise with a random sign.
    low[np.abs(low) < 1e-2] = 0
    left, top, right, bottom = _trimmed(np.asarray(gray, np.uint8))
    return Look(
        digest or hashlib.sha256(np.ascontiguousarray(pixels).data).hexdigest(),
        width,
        height,
        int.from_bytes(np.packbits(low > np.median(low)).tobytes(), "big"),
        (left / width, top / height, right / width, bottom / height),
        _view(pixels),
        bool(small.std() < _FLAT),
    )


def _trimmed(gray: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a gray picture without rows and columns of one shade.

    Borders may be nested (a frame around a white margin). A picture is not trimmed if little of it
    would be left.
    """
    height, width = gray.shape
    left, top, right, bottom = 0, 0, width, height
    while True:
        before = (left, top, right, bottom)
        for vertical in (True, False):
            if min(right - left, bottom - top) < _SMALLEST:
                return 0, 0, width, height
            part = gray[top:bottom, left:right]
            part = part if vertical else part.T
            inner = part[:, _ENDS:-_ENDS]
            busy = np.flatnonzero(inner.max(axis=1).astype(int) - inner.min(axis=1) > _EVEN)
            if not busy.size:
                return 0, 0, width, height
            first, last = int(busy[0]), int(busy[-1]) + 1
            if vertical:
                top, bottom = top + first, top + last
            else:
                left, right = left + first, left + last
        if before == (left, top, right, bottom):
            return before


def _view(pixels: Pixels) -> bytes:
    height, width = pixels.shape[:2]
    scale = min(1.0, VIEW / max(height, width))
    size = (max(8, round(width * scale)), max(8, round(height * scale)))
    small = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    settings = [cv2.IMWRITE_JPEG_QUALITY, 95, cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
                cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]  # fmt: skip
    done, data = cv2.imencode(".jpg", np.ascontiguousarray(small[:, :, ::-1]), settings)
    assert done
    return data.tobytes()
