"""From a published row to an item."""

from __future__ import annotations

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
from gfactor.benchmarks.m3gia.factors import type_named
from gfactor.items import Choice, Item, Provenance, Rejected, Segment

NAME, VERSION = "m3gia", "1"
"""The benchmark, and the version of this loader."""

OPTIONS = "ABCDEF"

SOURCE = "Songweii/M3GIA"
"""The data set's name on the hub."""

Keys = Mapping[str, tuple[str, str]]
"""Question id -> right letter and type, of one language."""

_NOTHING = ("", "none", "nan", "null")


def items_of_file(
    path: Path, language: str, keys: Keys | None, skip_invalid: bool, revision: str
) -> Iterator[Item | Rejected]:
    """Return the items of one language's file.

    Parameters
    ----------
    keys: the published keys; None if the rows hold them in a column `answer`.
    revision: revision of the data set, "" if unknown.
    """
    rows = parquet_rows(path)
    attempts = (
        (Location(path.name, number, _text(row.get("index"))), partial(_item, row, language, keys,
                                                                   revision))
        for number, row in rows
    )  # fmt: skip
    return checked(attempts, skip_invalid)


def _item(row: Mapping[str, Any], language: str, keys: Keys | None, revision: str) -> Item:
    number = _number(row)
    kind = type_named(_text(row.get("QuestionTypes")))
    key = _key(row, str(number), keys)
    data = image_bytes(row.get("image"))
    item_id = f"{language}-{number:03d}"
    images = () if data is None else (picture(data, f"{item_id}.png"),)
    texts = [text for name in ("hint", "question") if (text := _text(row.get(name)))]
    if not texts:
        raise ValueError("it has neither a question nor a hint")
    content: tuple[Segment, ...] = (*images, *texts)
    choices = _choices(row)
    labels = {
        "domain": kind.name,
        "image_type": image_type(len(images)),
        "cluster": kind.cluster,
        "test_language": language,
        "number": number,
        "factors": kind.broad,
    }
    if kind.narrow:
        labels["narrow_factors"] = kind.narrow
    return Item(
        id=item_id,
        benchmark=NAME,
        language=language,
        content=content,
        choices=choices,
        answer_type="choice",
        target=key,
        labels=labels,
        provenance=Provenance(
            source=SOURCE,
            version=revision or VERSION,
            index=number,
            content_hash=content_hash(NAME, (language, *content), choices),
            pixel_hashes=hashes_of(images),
        ),
    )


def _number(row: Mapping[str, Any]) -> int:
    text = _text(row.get("index")).removesuffix(".0")
    if not text.isascii() or not text.isdecimal():
        raise ValueError(f"its index must be a whole number, not {row.get('index')!r}")
    return int(text)


def _choices(row: Mapping[str, Any]) -> tuple[Choice, ...]:
    """Return the options of a question; labels alone if the picture contains the options.

    Raises ValueError if an option before the last one is missing, or there are less than two.
    """
    texts: list[str] = []
    for label in OPTIONS:
        text = _text(row.get(label))
        if not text:
            break
        texts.append(text)
    later = [label for label in OPTIONS[len(texts) :] if _text(row.get(label))]
    if later:
        raise ValueError(f"it has an option {later[0]}, but no option {OPTIONS[len(texts)]}")
    if len(texts) < 2:
        raise ValueError(f"it has {len(texts)} options; a choice needs two")
    labels = OPTIONS[: len(texts)]
    if all(text.strip("(). ") == label for label, text in zip(labels, texts, strict=True)):
        return unlisted(labels)
    return tuple(Choice(label, text) for label, text in zip(labels, texts, strict=True))


def _key(row: Mapping[str, Any], number: str, keys: Keys | None) -> str:
    if keys is None:
        letter = _text(row.get("answer")).upper()
    else:
        letter, kind = keys.get(number, ("", ""))
        if kind and type_named(kind) != type_named(_text(row.get("QuestionTypes"))):
            raise ValueError(f"its key names another type of question, {kind!r}")
    if not letter:
        raise ValueError("it has no key")
    return letter


def _text(cell: Any) -> str:
    """Return a cell as text; "" for words that the publishers' own code counts as empty."""
    text = "" if cell is None else str(cell).strip()
    return "" if text.casefold() in _NOTHING else text
