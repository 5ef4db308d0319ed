"""Rows of a journal's tables: the stored facts of items and replies, and reading them back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import sqlalchemy as sa

from gfactor.administration.storing.quick_adding import insertion
from gfactor.administration.storing.response import Response
from gfactor.examinees import RenderedItem, Reply
from gfactor.examinees.token_usage import read_and_written
from gfactor.items import Image, Item, ItemBank, LabelValue, answer_to_json

Key = tuple[str, int]
"""Item hash and occasion: what an examinee answers once under a condition."""

AT_ONCE = 10_000
"""Number of rows that are fetched at a time if all of them would not fit into memory."""

KEY = ("examinee", "item_hash", "condition", "occasion")
"""The columns that name what is answered once."""

UNCHANGED = (
    "content_hash", "id", "benchmark", "edition", "language", "answer_type", "target", "points",
)  # fmt: skip
"""The columns of `ItemBank.frame` that the journal keeps as they are."""


_ENCODER = json.JSONEncoder(ensure_ascii=False)
"""One encoder for all texts; `json.dumps` would make one for every text."""

_TOKENS = json.JSONEncoder()


def item_row(
    row: Mapping[Any, Any],
    labels: Mapping[str, LabelValue],
    choices: Sequence[tuple[str, str | None]],
) -> dict[str, Any]:
    """Return a row of `ItemBank.frame` as it is stored."""
    return {name: row[name] for name in UNCHANGED} | {
        "labels": _ENCODER.encode(labels),
        "accepted": json.dumps(list(row["accepted"])) if len(row["accepted"]) else "[]",
        "question": storable(row["text"]),
        "choices": json.dumps(list(choices)) if choices else "[]",
        "output_format": row["output_format"] if isinstance(row["output_format"], str) else None,
    }


def row_of_item(item: Item) -> dict[str, Any]:
    """Return the stored row of an item; it equals the row that the item's bank gives."""
    row = {
        "content_hash": item.provenance.content_hash,
        "id": item.id,
        "benchmark": item.benchmark,
        "edition": item.provenance.edition,
        "language": item.language,
        "answer_type": item.answer_type,
        "target": answer_to_json(item.target),
        "accepted": [answer_to_json(answer) for answer in item.accepted],
        "points": item.points,
        "output_format": item.output_format.to_json() if item.output_format else None,
        "text": "\n".join(part for part in item.content if isinstance(part, str)),
    }
    choices = [
        (choice.label, choice.content if isinstance(choice.content, str) else None)
        for choice in item.choices
    ]
    return item_row(row, item.labels, choices)


def bank_rows(bank: ItemBank, frame: pd.DataFrame | None = None) -> list[dict[str, Any]]:
    """Return a bank's items as they are stored.

    `frame` is the result of `ItemBank.frame`, if the caller has it already.
    """
    labels, choices = bank.labels(), bank.choices()
    frame = bank.frame() if frame is None else frame
    names = (*UNCHANGED, "text", "accepted", "output_format")
    columns = (frame[name].to_numpy(dtype=object).tolist() for name in names)
    return [
        item_row(row, labels[row["id"]], choices[row["id"]])
        for values in zip(*columns, strict=True)
        for row in [dict(zip(names, values, strict=True))]
    ]


def sample_rows(rendered: RenderedItem) -> list[dict[str, Any]]:
    """Return a rendered item as its task's sample, a row per segment."""
    return [
        {
            "benchmark": rendered.benchmark,
            "task": rendered.task,
            "position": position,
            "item_id": rendered.item_id,
            "text": None if isinstance(part, Image) else part,
            "image": part.data if isinstance(part, Image) else None,
            "path": part.path if isinstance(part, Image) else None,
        }
        for position, part in enumerate(rendered.content)
    ]


def attempt_row(response: Response) -> dict[str, Any]:
    """Return a reply and its key as they are stored."""
    reply = response.reply
    return {
        "examinee": response.examinee,
        "item_hash": response.item_hash,
        "condition": response.condition,
        "occasion": response.occasion,
        "text": storable(reply.text),
        "outcome": reply.outcome,
        "finish_reason": storable(reply.finish_reason),
        "tokens": _TOKENS.encode(dict(reply.usage)),
        "latency_s": reply.latency_s,
        "cost": reply.cost,
        "detail": storable(reply.detail),
        "reasoning": storable(reply.reasoning),
        "created": response.created,
        "answered_by": storable(reply.answered_by),
        "fingerprint": storable(reply.fingerprint),
    }


def storable(text: str) -> str:
    """Return the text with lone surrogates, which no database encodes, written as escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def without_nul(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with NUL, which PostgreSQL's texts cannot hold, written as an escape."""
    return {k: v.replace("\0", "\\x00") if isinstance(v, str) else v for k, v in row.items()}


def reply_of(row: Mapping[str, Any]) -> Reply:
    """Return the reply that a row of attempts holds."""
    return Reply(
        row["text"],
        row["outcome"],
        row["finish_reason"],
        json.loads(row["tokens"]),
        row["latency_s"],
        row["cost"],
        row["detail"],
        row["reasoning"],
        row["answered_by"],
        row["fingerprint"],
    )


def with_numbers_of_tokens(frame: pd.DataFrame) -> pd.DataFrame:
    """Return rows of attempts with `tokens_read` and `tokens_written` after `tokens`; missing if
    tokens were not counted."""
    counts = {
        text: read_and_written(json.loads(text)) if text != "{}" else (pd.NA, pd.NA)
        for text in frame["tokens"].unique()
    }
    behind = frame.columns.tolist().index("tokens") + 1
    for k, name in enumerate(("tokens_read", "tokens_written")):
        numbers = pd.array([counts[text][k] for text in frame["tokens"]], dtype="Int64")
        frame.insert(behind + k, name, numbers)
    return frame


def labels_of(text: str) -> dict[str, Any]:
    """Return the original labels of an item."""
    return {k: tuple(v) if isinstance(v, list) else v for k, v in json.loads(text).items()}


def dtype_of(labels: Sequence[Mapping[str, Any]], name: str) -> str:
    """Return the column type of a label: integer if every item has a whole number."""
    values = [row.get(name) for row in labels]
    return "int64" if values and all(isinstance(v, int) for v in values) else "object"


def typed_frame(rows: Iterable[Sequence[Any]], columns: Sequence[sa.Column[Any]]) -> pd.DataFrame:
    """Return rows of a table with the declared types of its columns, independent of the values.

    pandas guesses types from values: a text column becomes one with NaN if some texts are
    absent, and one of objects if all are. Here an absent text is None, and numbers that may be
    absent are floats.
    """
    cells = list(zip(*rows, strict=True)) or [()] * len(columns)
    values = {}
    for column, of_column in zip(columns, cells, strict=True):
        kind: Any = "int64"
        if isinstance(column.type, sa.String):
            kind = object if column.nullable else str
        elif column.nullable or isinstance(column.type, sa.Float):
            kind = "float64"
        values[column.name] = pd.Series(of_column, dtype=kind)
    return pd.DataFrame(values)


def insert(connection: sa.Connection, table: sa.Table, rows: Sequence[Any]) -> int:
    """Insert rows whose key is not stored yet; return their number."""
    if not rows:
        return 0
    if connection.dialect.name == "postgresql":
        # Loaded here, because it takes a while and most journals are files.
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415

        statement = postgresql.insert(table).on_conflict_do_nothing().returning(table.c[0])
        return len(connection.execute(statement, [without_nul(row) for row in rows]).all())
    # Passed directly to the driver, because SQLAlchemy's handling of a row takes longer than
    # storing it.
    return connection.exec_driver_sql(*insertion(table, rows)).rowcount


def late_rows(
    connection: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return the rows whose key has another reply in the journal; rows that are stored already are
    not among them."""
    names = (*KEY, "turn") if "turn" in table.c else KEY
    late = []
    for row in rows:
        same = (table.c[name] == row[name] for name in names)
        stored = sa.select(table.c.created, table.c.latency_s).where(*same)
        if tuple(connection.execute(stored).one()) != (row["created"], row["latency_s"]):
            late.append({"turn": None, **row})
    return late
