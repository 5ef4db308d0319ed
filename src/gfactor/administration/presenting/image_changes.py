"""Changes of images between two programs, found from hashes, sizes and pixels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gfactor.items import Image

SAME, REENCODED = "same", "same pixels in another file"
"""Kinds of difference that no examinee can see."""

_FORMATS = ((b"\x89PNG", "PNG"), (b"\xff\xd8", "JPEG"), (b"GIF8", "GIF"), (b"RIFF", "WebP"))


def alteration(first: Sequence[Image], second: Sequence[Image]) -> tuple[str, str]:
    """Return how the images of an item differ between two measurements.

    Parameters
    ----------
    first, second : sequence of Image
        Images of the two measurements as they were shown, in order.

    Returns
    -------
    kind : str
        "same", "same pixels in another file", "number of images", "size", "format and pixels" or
        "pixels" (recompressed under the same format and size); with several images, the first
        difference that an examinee can see.
    detail : str
        Sizes, formats, and how far pixels are apart.

    Examples
    --------
    >>> alteration([], [])
    ('same', '')
    """
    if len(first) != len(second):
        return "number of images", f"{len(first)} and {len(second)}"
    kinds = [_of_one(*pair) for pair in zip(first, second, strict=True)]
    for one in kinds:
        if one[0] not in (SAME, REENCODED):
            return one
    return next((one for one in kinds if one[0] != SAME), (SAME, ""))


def _of_one(first: Image, second: Image) -> tuple[str, str]:
    if first.sha256 == second.sha256:
        return SAME, ""
    a, b = first.decode(), second.decode()
    formats = _format(first.data), _format(second.data)
    named = " and ".join(dict.fromkeys(formats))
    if a.shape[:2] != b.shape[:2]:
        (h, w), (k, v) = a.shape[:2], b.shape[:2]
        return "size", f"{w} x {h} and {v} x {k} pixels, {named}"
    difference = a[..., :3].astype(float) - b[..., :3].astype(float)
    if not difference.any():
        return REENCODED, named
    decibel = 10 * np.log10(255**2 / np.mean(difference**2))
    far = f"{named}, {decibel:.1f} dB peak signal to noise"
    return ("pixels" if formats[0] == formats[1] else "format and pixels"), far


def _format(data: bytes) -> str:
    return next((name for magic, name in _FORMATS if data.startswith(magic)), "another format")
