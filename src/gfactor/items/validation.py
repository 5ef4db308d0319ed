"""Checks of a bank's rows and encoded images for flaws that make the bank unusable.

Every function returns a sentence about the flaw, or None; the bank adds file, row and item id.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from gfactor.items.formats import (
    ANSWER_TYPES,
    RULE_LABEL,
    OutputFormat,
    answer_from_json,
    atoms_of,
    rule_flaw,
)
from gfactor.items.hashing import pixel_hash
from gfactor.items.item import Image, Item
from gfactor.items.schema import COLUMNS, NULLABLE, NUMBER, WORD, WORDS

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"


def columns_flaw(schema: pa.Schema) -> str | None:
    """Return a message about the first missing column, or None; `conformed` checks the types."""
    for name in COLUMNS:
        if name not in schema.names:
            return f"column {name!r} is missing; build the bank again or restore the column"
    return None


def conformed(table: pa.Table) -> pa.Table:
    """Return the bank's columns converted to the bank's types.

    Other programs may write large strings or other integer types. Raises ValueError if a column
    cannot be converted.
    """
    columns = {}
    for name, kind in COLUMNS.items():
        wanted = _label_struct(table.schema.field(name).type) if name == "labels" else kind
        if name not in NULLABLE and table[name].null_count:
            raise ValueError(f"column {name!r} has empty cells")
        column = _with_history(table[name]) if name == "provenance" else table[name]
        try:
            columns[name] = column.cast(wanted)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError) as error:
            stored_type = table.schema.field(name).type
            raise ValueError(f"column {name!r} holds {stored_type}, not {wanted}") from error
    return pa.table(columns)


def _with_history(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The provenance of a bank that was written before items had a history."""
    if not pa.types.is_struct(column.type) or column.type.get_field_index("history") >= 0:
        return column
    whole = column.combine_chunks()
    names = [field.name for field in whole.type]
    empty = pa.array([""] * len(whole), pa.string())
    parts = [*(whole.field(name) for name in names), empty]
    return pa.chunked_array([pa.StructArray.from_arrays(parts, [*names, "history"])])


def _label_struct(kind: pa.DataType) -> pa.DataType:
    if not pa.types.is_struct(kind):
        raise ValueError(f"column 'labels' holds {kind}, not a struct of labels")
    fields = []
    for field in kind:
        if pa.types.is_integer(field.type):
            fields.append((field.name, NUMBER))
        elif pa.types.is_list(field.type) or pa.types.is_large_list(field.type):
            fields.append((field.name, WORDS))
        else:
            fields.append((field.name, WORD))
    return pa.struct(fields)


def row_flaw(row: Mapping[str, Any], images: int) -> str | None:
    """Return a sentence about the flaw of a row with this number of images; None if it has none.

    The images themselves are checked separately.
    """
    if row["answer_type"] not in ANSWER_TYPES:
        return f"unknown answer type {row['answer_type']!r}; known: {', '.join(ANSWER_TYPES)}"
    try:
        labels = row.get("labels") or {}
        return (
            rule_flaw(labels.get(RULE_LABEL))
            or _origin_flaw(row)
            or _segments_flaw(row, images)
            or _answers_flaw(row)
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        return f"malformed: {error}"


def _origin_flaw(row: Mapping[str, Any]) -> str | None:
    for name, value in row["provenance"].items():
        if value is None:
            return f"its provenance has no {name}"
    return None


def _segments_flaw(row: Mapping[str, Any], images: int) -> str | None:
    for part in (*row["content"], *row["choices"]):
        number = part["image"]
        if part.get("type") == "turn" and number is None and part["text"] is None:
            continue
        if (number is None) == (part["text"] is None):
            return "a part of its content is not either a text or an image"
        if number is not None and not 0 <= number < images:
            return f"its content names image {number}, but it has {images} (numbered from 0)"
    return None


def _answers_flaw(row: Mapping[str, Any]) -> str | None:
    kind = row["answer_type"]
    form = _format(row["output_format"])
    if form is not None and form.answer_type != kind:
        return f"answer type {kind!r}, but its output format asks for {form.answer_type!r}"
    labels = {choice["label"] for choice in row["choices"]}
    for what, text in (("target", row["target"]), *(("accepted", a) for a in row["accepted"])):
        try:
            answer = answer_from_json(text, kind)
        except (ValueError, TypeError) as error:
            return f"its {what} is not an answer in JSON ({error}): {text!r}"
        if form is not None and not _expresses(form, answer):
            return f"its {what} {text} cannot be written in its output format"
        if kind in ("choice", "choices"):
            strangers = [] if answer is None else set(atoms_of(answer, "word")) - labels
            if answer is None or strangers:
                return f"its {what} {text} is not among its choices ({', '.join(sorted(labels))})"
    return None


@lru_cache(maxsize=1024)
def _format(text: str | None) -> OutputFormat | None:
    try:
        return OutputFormat.from_json(text) if text else None
    except (ValueError, AttributeError) as error:
        raise ValueError(f"its output format is not one ({error})") from error


def _expresses(form: OutputFormat, answer: Any) -> bool:
    try:
        return form.pattern.fullmatch(form.render(answer)) is not None
    except (ValueError, TypeError, IndexError):
        return False


def image_flaw(data: bytes | memoryview | None) -> str | None:
    """Return the flaw of an encoded image, in words, without decoding its pixels; None if it has
    none.

    PNG: signature, every chunk's length and checksum, and the end. JPEG: both end markers. Any
    other format is decoded, which is slower.
    """
    if not data:
        return "has no bytes"
    if data[: len(_PNG)] == _PNG:
        return _png_flaw(memoryview(data))
    if data[: len(_JPEG)] == _JPEG:
        return None if b"\xff\xd9" in bytes(data[-1024:]) else "is a JPEG that is cut off"
    try:
        Image(bytes(data), "").decode()
    except ValueError:
        return "cannot be decoded"
    return None


def _png_flaw(data: memoryview) -> str | None:
    at, kinds = len(_PNG), []
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        end = at + 12 + length
        if end > len(data):
            break
        kinds.append(bytes(data[at + 4 : at + 8]))
        if zlib.crc32(data[at + 4 : end - 4]) != struct.unpack_from(">I", data, end - 4)[0]:
            return "is a damaged PNG (a checksum is wrong)"
        at = end
        if kinds[-1] == b"IEND":
            break
    if not kinds or kinds[0] != b"IHDR" or kinds[-1] != b"IEND" or at != len(data):
        return "is a PNG that is cut off or has foreign bytes"
    return None if b"IDAT" in kinds else "is a PNG without pixels"


def checked_pixels(item: Item) -> tuple[NDArray[np.uint8], ...]:
    """Return the decoded images of an item, after comparing them with their stored hashes.

    Parameters
    ----------
    item : Item
        Item with its images.

    Returns
    -------
    tuple[NDArray[uint8], ...]
        One array per image: height x width x 3, RGB, 8 bits.

    Raises
    ------
    ValueError
        If an image does not decode to the pixels that were hashed.

    Examples
    --------
    >>> import gfactor as gf
    >>> from gfactor.items import checked_pixels
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> [picture.shape[2] for picture in checked_pixels(next(iter(bank)))]
    [3, 3]
    """
    hashes, images = item.provenance.pixel_hashes, item.images
    if hashes and len(hashes) != len(images):
        raise ValueError(f"it has {len(images)} images, but {len(hashes)} pixel hashes")
    pictures = []
    for number, image in enumerate(images):
        pictures.append(image.decode())
        if hashes and pixel_hash(pictures[-1]) != hashes[number]:
            raise ValueError(f"image {image.path!r} does not have the pixels that were hashed")
    return tuple(pictures)
