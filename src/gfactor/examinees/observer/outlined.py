"""Shapes with black outlines, on any background lighter than the outlines."""

from __future__ import annotations

from gfactor.examinees.observer.seeing import Blob, blobs, eroded, fill_holes, near
from gfactor.imaging import BLACK, Pixels

_LINE = 130
"""Value of every channel below which a pixel may be an outline (or a dark filling)."""

_INK = 45
"""Value of every channel below which a pixel is black, not merely dark."""


def fillings(picture: Pixels) -> list[Blob]:
    """Return the fillings of outlined shapes, in reading order; black ones too.

    Shapes whose outlines touch are distinguished, unless one lies on the other's filling.
    """
    inside = fill_holes(near(picture, BLACK, _LINE))
    ink = near(picture, BLACK, _INK)
    colored = blobs(eroded(inside & ~ink, 5), picture)
    # Black that remains after removing more than an outline's width is a black filling.
    black = blobs(eroded(ink, 9), picture, min_area=4)
    return sorted([*colored, *black], key=lambda b: (b.cy, b.cx))
