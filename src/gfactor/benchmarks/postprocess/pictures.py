"""Changes to the pictures of an item that do not change the question."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from gfactor.benchmarks.postprocess.transformation import revised
from gfactor.imaging import encode_png
from gfactor.items import Choice, Image, Item, Segment

Pixels = NDArray[np.uint8]

_MEASURED = re.compile(
    r"(?i)\b(?:pixels?|px|coordinates?|bounding[ -]box(?:es)?|resolution|aspect ratio|margins?)\b"
    r"|像素|坐标|分辨率|픽셀|좌표"
)
"""Words of questions whose answer may depend on the size of the picture or a place in it."""


def with_pictures(item: Item, change: Callable[[Pixels], Pixels | None]) -> Sequence[Item]:
    """Return the item with each picture changed; nothing if a picture cannot be changed.

    Items that ask for pixels or coordinates are left alone.

    Parameters
    ----------
    item : Item
    change : callable
        Pixels of a picture -> other ones, or None if it does not apply to the picture.
    """
    if not item.images or _MEASURED.search(item.text):
        return ()
    new: dict[tuple[str, str], Image] = {}
    for image in item.images:
        if (pixels := change(image.decode())) is None:
            return ()
        path = str(PurePosixPath(image.path).with_suffix(".png"))
        new[image.sha256, image.path] = Image(encode_png(pixels), path)

    def placed(segment: Segment) -> Segment:
        return segment if isinstance(segment, str) else new[segment.sha256, segment.path]

    content = tuple(map(placed, item.content))
    choices = tuple(Choice(c.label, placed(c.content)) for c in item.choices)
    return (revised(item, content=content, choices=choices),)
