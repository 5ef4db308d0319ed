"""The labels that loaded banks share, and their types."""

from __future__ import annotations

from collections.abc import Iterable

from gfactor.items.schema import NUMBER, WORD, WORDS, LabelTypes

IMAGE_TYPES = ("NI", "SI", "MI")
"""No image, a single one, several (MULTI, table 5)."""


def image_type(images: int) -> str:
    """Which of `IMAGE_TYPES` an item with so many images is."""
    return IMAGE_TYPES[min(images, 2)]


def label_types(
    words: Iterable[str], numbers: Iterable[str] = (), lists: Iterable[str] = ()
) -> LabelTypes:
    """Types of labels by name: words, whole numbers, lists of words, after those all banks have."""
    return {
        **dict.fromkeys(("domain", "image_type", *words), WORD),
        **dict.fromkeys(numbers, NUMBER),
        **dict.fromkeys(lists, WORDS),
    }
