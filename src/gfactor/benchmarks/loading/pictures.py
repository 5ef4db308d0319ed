"""Pictures as they were published: their own bytes, checked and never altered."""

from __future__ import annotations

from collections.abc import Iterable

from gfactor.items import Image, pixel_hash
from gfactor.items.validation import image_flaw


def picture(data: bytes | None, path: str) -> Image:
    """A picture by its bytes; ValueError where there are none."""
    if not data:
        raise ValueError(f"image {path!r} has no bytes")
    return Image(bytes(data), path)


def hashes_of(images: Iterable[Image]) -> tuple[str, ...]:
    """The hashes of the pictures' pixels; ValueError where one is damaged or none at all."""
    return tuple(_hash(image) for image in images)


def _hash(image: Image) -> str:
    flaw = image_flaw(image.data)
    if flaw:
        raise ValueError(f"image {image.path!r} {flaw}")
    try:
        return pixel_hash(image.decode())
    except ValueError as error:
        raise ValueError(f"image {error}") from error
