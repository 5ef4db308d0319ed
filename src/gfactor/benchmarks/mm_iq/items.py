"""From a published row to an item: its options stand in its picture."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from gfactor.benchmarks.loading import (
    Location,
    checked,
    content_hash,
    hashes_of,
    image_bytes,
    image_type,
    parquet_rows,
    picture,
    unlisted,
)
from gfactor.benchmarks.mm_iq.paradigms import paradigm_named
from gfactor.items import Item, Provenance, Rejected

NAME, VERSION = "mm-iq", "1"
"""The benchmark, and the version of this loader."""

SOURCE = "huanqia/MM-IQ"
"""The data set's name on the hub."""

LANGUAGES = ("en", "zh")

LABELS = "ABCD"

_HAN = re.compile("[\u4e00-\u9fff]")


def items_of_file(
    path: Path, language: str, skip_invalid: bool, revision: str
) -> Iterator[Item | Rejected]:
    """Return the items of one file in one language."""
    attempts = (
        (Location(path.name, number, _number_text(row)), partial(_item, row, language, revision))
        for number, row in parquet_rows(path)
    )
    return checked(attempts, skip_invalid)


def _number_text(row: Mapping[str, Any]) -> str:
    return "" if row.get("data_id") is None else str(row["data_id"])


def _item(row: Mapping[str, Any], language: str, revision: str) -> Item:
    number = _number_text(row)
    if not number.isascii() or not number.isdecimal():
        raise ValueError(f"its data_id must be a whole number, not {row.get('data_id')!r}")
    paradigm = paradigm_named(str(row.get("category") or ""))
    key = str(row.get("answer") or "").strip().upper()
    if not key:
        raise ValueError("it has no key")
    item_id = f"{language}-{int(number):04d}"
    image = picture(image_bytes(row.get("image")), f"{int(number):04d}.png")
    content = (image, _question(row, language))
    choices = unlisted(LABELS)
    return Item(
        id=item_id,
        benchmark=NAME,
        language=language,
        content=content,
        choices=choices,
        answer_type="choice",
        target=key,
        labels={
            "domain": paradigm.name,
            "image_type": image_type(1),
            "paradigm": paradigm.short,
            "test_language": language,
            "number": int(number),
        },
        provenance=Provenance(
            source=SOURCE,
            version=revision or VERSION,
            index=int(number),
            content_hash=content_hash(NAME, content, choices),
            pixel_hashes=hashes_of([image]),
        ),
    )


def _question(row: Mapping[str, Any], language: str) -> str:
    """The question in a language: from the language's column, or else from `question` if that is in
    this language."""
    text = str(row.get(f"question_{language}") or "").strip()
    only = str(row.get("question") or "").strip()
    if not text and only and (language == "zh") == bool(_HAN.search(only)):
        text = only
    if not text:
        raise ValueError(f"it has no question in language {language!r}")
    return text
