"""From responses to right and wrong."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache
from typing import Any

import pandas as pd

from gfactor.administration import Journal
from gfactor.items import AnswerType, OutputFormat, answer_from_json, answer_to_json
from gfactor.scoring.extraction import NOTHING, Extraction, lenient, strict
from gfactor.scoring.frames import pick
from gfactor.scoring.rules import credit

MISSING_OUTCOMES = frozenset({"transport_error", "protocol_error", "timeout", "content_filter"})
"""Outcomes that say nothing about the examinee's ability: missing, never wrong."""

OWN_COLUMNS = (
    *("examinee", "item_id", "item_hash", "condition", "occasion", "outcome", "text"),
    *("answer", "answer_lenient", "correct", "correct_lenient", "format_error", "missing"),
    *("answer_type", "benchmark", "edition"),
)
"""The columns of a scored table that are not labels."""


def scored(journal: Journal) -> pd.DataFrame:
    """Every response of a journal, read and judged; one row per response and item.

    Returns
    -------
    Columns: `examinee`, `item_id`, `item_hash`, `condition`, `occasion`, `outcome`, `text`;
    `answer` and `answer_lenient`, canonical JSON as read by the strict and the lenient reading,
    None where nothing was read ("null" is the answer "there is none"); `correct` and
    `correct_lenient`, 0 or 1; `format_error`, whether the strict reading found nothing; `missing`,
    whether the attempt says nothing about the examinee (its `correct` is NaN then);
    `answer_type`, `benchmark`, `edition`; then one column per label of the items.

    A key whose attempts all failed has one row, that of its last failed attempt. Items that ask
    exactly the same share a response and have a row each. A truncated reply is read without its
    last, unfinished line; a refusal or an empty reply is a format error, hence wrong.
    """
    names = {"id": "item_id", "content_hash": "item_hash"}
    given = journal.administered().rename(columns=names)
    attempts = _one_per_key(journal).merge(given, on=["examinee", "condition", "item_hash"])
    items = journal.items()
    labels = [name for name in items.columns if name not in _ITEM_COLUMNS]
    table = attempts.merge(items.rename(columns=names), on=["item_hash", "item_id"])
    judged = [_judge(row) for row in table.to_dict("records")]
    columns = pd.DataFrame(judged, columns=list(_JUDGED), index=table.index).astype(_JUDGED)
    table = pd.concat([table, columns], axis=1)
    return pick(table, [*OWN_COLUMNS, *labels])


_ITEM_COLUMNS = (
    *("id", "content_hash", "benchmark", "edition", "answer_type", "target", "accepted"),
    *("output_format", "points"),
)
_JUDGED = {
    "answer": "object",
    "answer_lenient": "object",
    "correct": "float64",
    "correct_lenient": "float64",
    "format_error": "bool",
    "missing": "bool",
}


def _one_per_key(journal: Journal) -> pd.DataFrame:
    """All responses, and of every key without one the last failure."""
    key = ["examinee", "item_hash", "condition", "occasion"]
    responses, failures = journal.responses(), journal.failures()
    if failures.empty:
        return responses
    answered = set(map(tuple, pick(responses, key).to_numpy()))
    last = {tuple(k): row for row, k in enumerate(pick(failures, key).to_numpy())}
    rows = [row for k, row in last.items() if k not in answered]
    missing = failures.iloc[rows]
    return pd.concat([responses, missing], ignore_index=True) if len(responses) else missing


def _judge(row: Mapping[Hashable, Any]) -> tuple[Any, ...]:
    """The columns `_JUDGED` of one row."""
    if row["outcome"] in MISSING_OUTCOMES:
        return None, None, float("nan"), float("nan"), False, True
    text = row["text"]
    if row["outcome"] == "truncated":
        text = text[: text.rfind("\n") + 1]
    exact, free = readings(text, row["output_format"])
    right = (row["answer_type"], row["target"], tuple(row["accepted"]))
    return (
        answer_to_json(exact.answer) if exact.found else None,
        answer_to_json(free.answer) if free.found else None,
        _credit(exact, *right),
        _credit(free, *right),
        not exact.found,
        False,
    )


@lru_cache(maxsize=100_000)
def readings(text: str, output_format: str) -> tuple[Extraction, Extraction]:
    """The strict and the lenient reading of a reply, for an output format in JSON."""
    fmt = _format(output_format)
    exact = strict(text, fmt)
    return exact, exact if exact.found else lenient(text, fmt)


@lru_cache(maxsize=1_000)
def _format(text: str) -> OutputFormat:
    return OutputFormat.from_json(text)


def _credit(
    read: Extraction, answer_type: AnswerType, target: str, accepted: tuple[str, ...]
) -> float:
    if read is NOTHING or not read.found:
        return 0.0
    right = [answer_from_json(text, answer_type) for text in (target, *accepted)]
    others = [answer for answer in right[1:] if answer is not None]
    return credit(read.answer, right[0], others, answer_type)
