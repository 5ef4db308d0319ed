"""The columns of a bank, and the way between an item and its row.

The types are plain Arrow, so that every reader of Parquet understands them; the schema's metadata
tells Hugging Face `datasets` that `images` are images.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from gfactor.errors import ParameterError
from gfactor.items.formats import OutputFormat, answer_from_json, answer_to_json
from gfactor.items.item import Choice, Image, Item, LabelValue, Provenance, Segment

LabelTypes = Mapping[str, pa.DataType]

WORD, NUMBER, WORDS = pa.string(), pa.int64(), pa.list_(pa.string())
"""The types a label may have."""

IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
SEGMENT = pa.struct([("type", pa.string()), ("text", pa.string()), ("image", pa.int32())])
CHOICE = pa.struct([("label", pa.string()), ("text", pa.string()), ("image", pa.int32())])
PROVENANCE = pa.struct(
    [
        ("source", pa.string()),
        ("version", pa.string()),
        ("edition", pa.string()),
        ("seed", pa.int64()),
        ("index", pa.int64()),
        ("scene", pa.string()),
        ("content_hash", pa.string()),
        ("pixel_hashes", pa.list_(pa.string())),
        ("history", pa.string()),
    ]
)

COLUMNS: Mapping[str, pa.DataType] = {
    "id": pa.string(),
    "benchmark": pa.string(),
    "language": pa.string(),
    "content": pa.list_(SEGMENT),
    "images": pa.list_(IMAGE),
    "choices": pa.list_(CHOICE),
    "answer_type": pa.string(),
    "target": pa.string(),
    "accepted": pa.list_(pa.string()),
    "points": pa.float64(),
    "labels": pa.struct([]),
    "output_format": pa.string(),
    "provenance": PROVENANCE,
}
"""Every column of a bank; the fields of `labels` are the bank's own."""

NULLABLE = frozenset({"output_format"})

METADATA_KEY = b"gfactor"
ITEMS_KEY = b"gfactor.items"
"""Key in each of several files for the number of items of the whole bank."""


def label_types(items: Iterable[Item]) -> dict[str, pa.DataType]:
    """Return the labels of items with their types; raise ParameterError if two items disagree."""
    types: dict[str, pa.DataType] = {}
    for item in items:
        for name, value in item.labels.items():
            kind = _label_type(value)
            if not types.setdefault(name, kind).equals(kind):
                raise ParameterError(
                    f"item {item.id!r}: label {name!r} is {kind} here and {types[name]} before; "
                    "a label has one type in a bank"
                )
    return types


def _label_type(value: LabelValue) -> pa.DataType:
    if isinstance(value, str):
        return WORD
    return WORDS if isinstance(value, tuple) else NUMBER


def bank_schema(labels: LabelTypes, metadata: Mapping[str, Any] | None = None) -> pa.Schema:
    """Return the schema of a bank with these labels, carrying `metadata` and the `datasets`
    features."""
    fields = {**COLUMNS, "labels": pa.struct(list(labels.items()))}
    features = {name: _feature(kind) for name, kind in fields.items()}
    features["images"] = [{"_type": "Image"}]
    return pa.schema(list(fields.items())).with_metadata(
        {
            b"huggingface": json.dumps({"info": {"features": features}}).encode(),
            METADATA_KEY: json.dumps(dict(metadata or {}), ensure_ascii=False).encode(),
        }
    )


def _feature(kind: pa.DataType) -> Any:
    """A type as `datasets` writes it; lists in the form that its versions 2 to 5 all read."""
    if pa.types.is_list(kind):
        return [_feature(kind.value_type)]
    if pa.types.is_struct(kind):
        return {f.name: _feature(f.type) for f in kind}
    names = {pa.float64(): "float64"}
    return {"dtype": names.get(kind, str(kind)), "_type": "Value"}


def leaves(schema: pa.Schema) -> list[tuple[str, pa.DataType]]:
    """Return every column as Parquet stores it: dotted path and type."""

    def below(path: str, kind: pa.DataType) -> Iterable[tuple[str, pa.DataType]]:
        if pa.types.is_list(kind):
            yield from below(f"{path}.list.element", kind.value_type)
        elif pa.types.is_struct(kind):
            for field in kind:
                yield from below(f"{path}.{field.name}", field.type)
        else:
            yield path, kind

    return [leaf for field in schema for leaf in below(field.name, field.type)]


_TURN: Mapping[str, Any] = MappingProxyType({"type": "turn", "text": None, "image": None})
"""Mark in a row's content at which another turn of a conversation begins."""


def row_of(item: Item) -> dict[str, Any]:
    """Return an item as a row; images are numbered in the order of `Item.images`."""
    position = iter(range(len(item.images)))

    def segment(content: Segment) -> dict[str, Any]:
        if isinstance(content, Image):
            return {"text": None, "image": next(position)}
        return {"text": content, "image": None}

    origin = item.provenance
    return {
        "id": item.id,
        "benchmark": item.benchmark,
        "language": item.language,
        "content": [
            part
            for slot, s in enumerate(item.content)
            for part in (
                *([dict(_TURN)] if slot in item.turns else []),
                {"type": "image" if isinstance(s, Image) else "text", **segment(s)},
            )
        ],
        "choices": [{"label": c.label, **segment(c.content)} for c in item.choices],
        "images": [{"bytes": i.data, "path": i.path} for i in item.images],
        "answer_type": item.answer_type,
        "target": answer_to_json(item.target),
        "accepted": [answer_to_json(a) for a in item.accepted],
        "points": item.points,
        "labels": dict(item.labels),
        "output_format": item.output_format.to_json() if item.output_format else None,
        "provenance": {f.name: getattr(origin, f.name) for f in PROVENANCE},
    }


def item_of(row: Mapping[str, Any], images: Sequence[Mapping[str, Any]]) -> Item:
    """Make an item from a row of `row_of` that `validation` has checked."""
    pictures = [Image(i["bytes"], i["path"]) for i in images]
    content: list[Segment] = []
    turns: list[int] = []
    for part in row["content"]:
        if part["type"] == _TURN["type"]:
            # Positions count texts and images only.
            turns.append(len(content))
        else:
            content.append(_segment(part, pictures))
    kind = row["answer_type"]
    origin = {**row["provenance"]}
    origin["pixel_hashes"] = tuple(origin["pixel_hashes"])
    written = row["output_format"]
    return Item(
        id=row["id"],
        benchmark=row["benchmark"],
        language=row["language"],
        content=tuple(content),
        turns=tuple(turns),
        choices=tuple([Choice(c["label"], _segment(c, pictures)) for c in row["choices"]]),
        answer_type=kind,
        target=_answer(row["target"], kind),
        accepted=tuple([_not_none(_answer(a, kind)) for a in row["accepted"]]),
        points=row["points"],
        labels=labels_of(row),
        output_format=_format(written) if written else None,
        provenance=Provenance(**origin),
    )


def _segment(part: Mapping[str, Any], pictures: Sequence[Image]) -> Segment:
    """Return the text of a part or choice, or its image."""
    return part["text"] if part["image"] is None else pictures[part["image"]]


_format = lru_cache(maxsize=256)(OutputFormat.from_json)
"""Cached, because a bank has few formats and thousands of items."""

_answer = lru_cache(maxsize=256)(answer_from_json)
"""So it is with answers, which are numbers and words, and cannot be changed."""


def _not_none(answer: Any) -> Any:
    if answer is None:
        raise ValueError("`null` cannot be among the accepted answers")
    return answer


def labels_of(row: Mapping[str, Any]) -> dict[str, LabelValue]:
    """Return the labels of a row, without those that are null."""
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in (row["labels"] or {}).items()
        if value is not None
    }
