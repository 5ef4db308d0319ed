"""Rows of a journal's tables: what is stored of items and replies, and how it is read back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from gfactor.administration.response import Response
from gfactor.examinees import Reply
from gfactor.items import LabelValue

KEPT = (
    "content_hash", "id", "benchmark", "edition", "language", "answer_type", "target", "points",
)  # fmt: skip
"""The columns of `ItemBank.frame` that the journal keeps as they are."""


def item_row(
    row: Mapping[Any, Any],
    labels: Mapping[str, LabelValue],
    choices: Sequence[tuple[str, str | None]],
) -> dict[str, Any]:
    """A row of `ItemBank.frame` as it is stored."""
    return {name: row[name] for name in KEPT} | {
        "labels": json.dumps(labels, ensure_ascii=False),
        "accepted": json.dumps(list(row["accepted"])) if len(row["accepted"]) else "[]",
        "question": storable(row["text"]),
        "choices": json.dumps(list(choices)) if choices else "[]",
        "output_format": row["output_format"] if isinstance(row["output_format"], str) else None,
    }


def attempt_row(response: Response) -> dict[str, Any]:
    """A reply and its key as they are stored."""
    reply = response.reply
    return {
        "examinee": response.examinee,
        "item_hash": response.item_hash,
        "condition": response.condition,
        "occasion": response.occasion,
        "text": storable(reply.text),
        "outcome": reply.outcome,
        "finish_reason": storable(reply.finish_reason),
        "tokens": json.dumps(dict(reply.usage)),
        "latency_s": reply.latency_s,
        "cost": reply.cost,
        "detail": storable(reply.detail),
        "reasoning": storable(reply.reasoning),
        "created": response.created,
    }


def storable(text: str) -> str:
    """The text with lone surrogates, which no database encodes, written as escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def without_nul(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row with NUL, which PostgreSQL's texts cannot hold, written as an escape."""
    return {k: v.replace("\0", "\\x00") if isinstance(v, str) else v for k, v in row.items()}


def reply_of(row: Mapping[str, Any]) -> Reply:
    """The reply that a row of attempts holds."""
    return Reply(
        row["text"],
        row["outcome"],
        row["finish_reason"],
        json.loads(row["tokens"]),
        row["latency_s"],
        row["cost"],
        row["detail"],
        row["reasoning"],
    )


def labels_of(text: str) -> dict[str, Any]:
    """The labels of an item, as they were."""
    return {k: tuple(v) if isinstance(v, list) else v for k, v in json.loads(text).items()}


def dtype_of(labels: Sequence[Mapping[str, Any]], name: str) -> str:
    """The column type of a label: whole numbers where every item has one."""
    values = [row.get(name) for row in labels]
    return "int64" if values and all(isinstance(v, int) for v in values) else "object"
