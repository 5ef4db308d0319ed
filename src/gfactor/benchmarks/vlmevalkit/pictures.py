"""The pictures of a row: one in base64, a list of several, or the index of another row."""

from __future__ import annotations

import ast
import binascii
from collections.abc import Mapping

import pybase64

from gfactor.benchmarks.loading import picture
from gfactor.benchmarks.vlmevalkit.table import LONGEST_REFERENCE, Row
from gfactor.items import Image


def pictures_of(row: Row, index: str, elsewhere: Mapping[str, str]) -> tuple[Image, ...]:
    """The pictures of a row, in their order; none where it has none.

    `elsewhere` holds the cells of other rows by index. Raises ValueError where a cell is neither
    base64 nor the index of a row.
    """
    cell = row.get("image", "").strip()
    if not cell:
        return ()
    texts = _listed(cell)
    images = []
    for number, text in enumerate(texts, 1):
        name = f"{index}.png" if len(texts) == 1 else f"{index}-{number}.png"
        images.append(picture(_decoded(text, elsewhere), name))
    return tuple(images)


def _listed(cell: str) -> list[str]:
    if not cell.startswith("["):
        return [cell]
    try:
        paths = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("its image begins like a list and is none") from error
    if not isinstance(paths, list) or not all(isinstance(text, str) for text in paths):
        raise ValueError("its list of images holds something else than texts")
    return paths


def _decoded(text: str, elsewhere: Mapping[str, str]) -> bytes:
    """The bytes of a picture; a short text is the index of the row that holds it."""
    if len(text) <= LONGEST_REFERENCE:
        if text not in elsewhere or len(elsewhere[text]) <= LONGEST_REFERENCE:
            raise ValueError(f"its image is that of row {text!r}, which holds none")
        text = elsewhere[text]
    try:
        return pybase64.b64decode(text.rpartition(",")[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"its image is not base64 ({error})") from error
