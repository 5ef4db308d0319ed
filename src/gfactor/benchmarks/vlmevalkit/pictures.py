"""Pictures of a row: base64 in its cells, files beside the table, or those of another row."""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from pathlib import Path

import pybase64

from gfactor.benchmarks.loading import picture
from gfactor.benchmarks.vlmevalkit.question import shortened
from gfactor.benchmarks.vlmevalkit.row_facts import listed_pictures, picture_cell
from gfactor.benchmarks.vlmevalkit.table import LONGEST_REFERENCE, Row, is_image_file
from gfactor.items import Image


def pictures_of(
    row: Row, index: str, elsewhere: Mapping[str, str], folder: Path
) -> tuple[Image, ...]:
    """Return the pictures of a row, in order.

    `elsewhere` holds the cells of other rows by index; files are named from `folder`. Raises
    ValueError if a cell is neither base64, nor a file, nor the index of a row.
    """
    cell = picture_cell(row)
    if not cell:
        return ()
    texts = listed_pictures(cell)
    images = []
    for number, text in enumerate(texts, 1):
        name = f"{index}.png" if len(texts) == 1 else f"{index}-{number}.png"
        images.append(picture(_decoded(text, elsewhere, folder), name))
    return tuple(images)


def _decoded(text: str, elsewhere: Mapping[str, str], folder: Path) -> bytes:
    """The bytes of a picture; a short text is its file or the index of the row that holds it."""
    if is_image_file(text):
        try:
            return (folder / text).read_bytes()
        except OSError as error:
            raise ValueError(
                f"its picture {shortened(text)} cannot be read; name it from the table's folder"
            ) from error
    if len(text) <= LONGEST_REFERENCE:
        if text not in elsewhere or len(elsewhere[text]) <= LONGEST_REFERENCE:
            raise ValueError(f"its image is that of row {text!r}, which holds none")
        text = elsewhere[text]
    try:
        return pybase64.b64decode(text.rpartition(",")[2], validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"its image is not base64 ({error})") from error
