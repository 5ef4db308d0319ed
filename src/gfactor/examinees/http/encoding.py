"""Images as data URLs, each encoded once while it is in use: over turns, occasions and examples."""

from __future__ import annotations

from collections import OrderedDict

import pybase64

from gfactor.items import Image

_MIME = {b"\x89PN": b"image/png", b"\xff\xd8\xff": b"image/jpeg", b"GIF": b"image/gif",
         b"RIF": b"image/webp"}  # fmt: skip

HELD_BYTES = 2**24
"""Largest size of the encoded images that are kept: those of a few hundred requests."""


def data_url(image: Image) -> str:
    """Return the image's own bytes as a data URL, with the type that its first bytes show."""
    return b"".join(url_pieces(image)).decode()


def url_pieces(image: Image) -> tuple[bytes, bytes]:
    """Return the two pieces of a data URL, which a request joins so that they are copied once."""
    kind = _MIME.get(image.data[:3], b"image/png")
    return b"data:" + kind + b";base64,", pybase64.b64encode(image.data)


class EncodedImages:
    """A cache of the last encoded images; its keys are the objects that hold the images' bytes.

    Hashing the content would take longer than encoding it again. The cache keeps the objects, so
    that no new object can have the identity of an old one.
    """

    def __init__(self, most: int = HELD_BYTES) -> None:
        self._most = most
        self._size = 0
        self._cached: OrderedDict[int, tuple[Image, tuple[bytes, bytes]]] = OrderedDict()

    def pieces(self, image: Image) -> tuple[bytes, bytes]:
        """Return `url_pieces` of the image, from the cache if it has them."""
        cached = self._cached.get(id(image.data))
        if cached is not None:
            self._cached.move_to_end(id(image.data))
            return cached[1]
        pieces = url_pieces(image)
        self._cached[id(image.data)] = image, pieces
        self._size += len(pieces[1])
        while self._size > self._most and len(self._cached) > 1:
            _, (_, oldest) = self._cached.popitem(last=False)
            self._size -= len(oldest[1])
        return pieces
