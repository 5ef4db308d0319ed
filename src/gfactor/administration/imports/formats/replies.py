"""`replies`: one file per model with an id and a reply in each row; the items are in another file.

Files are MODEL.jsonl, .json, .csv, .tsv, .xlsx or .parquet (named one by one: in a folder, a
.parquet is a bank). In JSON, a list of texts holds one reply for each
occasion. The items, with questions and keys, are a bank,
or a table with an id, a question, options and a key in each row. The condition is `pack=replies`,
because the files do not contain the prompts. A column `seconds` has the time of each answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from gfactor.administration.imports.base import (
    IMPORTS,
    Answered,
    Flaw,
    FolderLogs,
    Naming,
    Remark,
    Traits,
    declare,
    utc,
)
from gfactor.benchmarks.vlmevalkit.table import (
    ListCell,
    Row,
    index_of,
    listed_columns,
    prediction_rows,
    with_names,
)
from gfactor.errors import ParameterError
from gfactor.examinees import Reply
from gfactor.items import Item

declare(
    "replies",
    Traits(
        FolderLogs(
            r".*\.(xlsx|tsv|csv|jsonl?)",
            "files of replies MODEL.jsonl (.json, .csv, .tsv, .xlsx)",
        ),
        examinee_column=True,
    ),
)


@IMPORTS.register("replies")
def read(path: Path, naming: Naming) -> Iterator[Answered | Flaw | Remark]:
    """Read ids and replies (.jsonl, .json, .csv, .tsv, .xlsx, .parquet); needs --bank."""
    if naming.bank is None:
        raise ParameterError(
            f"{str(path)!r} is to hold ids and replies alone; name the items, a bank or a table "
            "with id, question, options and answer, with --bank (in Python: bank=...)"
        )
    flaws: list[Flaw] = []
    given = list(
        prediction_rows(path, lambda number, what: flaws.append(Flaw(f"data row {number}", what)))
    )
    rows = [(number, with_names(row)) for number, row in given]
    yield from flaws
    _check_columns(path, [row for _, row in given], naming.examinee_column)
    items, created = _by_id(naming.bank), utc(path.stat().st_mtime)
    seen: dict[tuple[str, str], str] = {}
    for number, row in rows:
        index, examinee = index_of(row), _examinee(path, number, row, naming)
        item = items.get(index)
        if item is None:
            what = f"the bank has no item {index!r}" if index else "it has no id"
        elif (examinee, item.id) in seen:
            what = f"id {index!r} was there before; its first row counts"
            if index == seen[examinee, item.id] and not naming.examinee_column:
                _check_one_examinee(path, rows)
        else:
            seen[examinee, item.id] = index
            seconds = _seconds(row)
            for occasion, text in enumerate(_samples(row["prediction"])):
                outcome = "ok" if text.strip() else "empty"
                yield Answered(
                    *(item, examinee, naming.condition or "pack=replies", occasion),
                    *(Reply(text, outcome, "", latency_s=seconds or 0.0), created),
                )
            if seconds is None:
                what = f"its seconds are {row['seconds'].strip()!r}, no time"
                yield Remark(f"data row {number}", f"{what}; the answer is without one")
            continue
        yield Flaw(f"data row {number}", what)


def _seconds(row: Row) -> float | None:
    """Return the time that an answer took, 0 if the file has none; None if the value is not a
    time."""
    text = row.get("seconds", "").strip()
    try:
        seconds = float(text.replace(",", ".") or 0)
    except ValueError:
        return None
    return seconds if 0 <= seconds < math.inf else None


def _samples(cell: str) -> tuple[str, ...]:
    """Return the replies of a row: those of a list in JSON, one occasion each, or the only one."""
    return cell.texts if isinstance(cell, ListCell) else (cell,)


def _examinee(path: Path, number: int, row: Row, naming: Naming) -> str:
    """Return the examinee of a row: that of its file, or that of the column of examinees."""
    if not naming.examinee_column:
        return naming.examinee or f"replies:{path.stem}"
    value = row.get(naming.examinee_column, "").strip()
    if not value:
        raise ParameterError(
            f"{str(path)!r}, data row {number}: nothing in the column {naming.examinee_column!r}, "
            "which names the examinees"
        )
    prefix = naming.examinee or "replies"
    return value if value.startswith(f"{prefix}:") else f"{prefix}:{value}"


def _check_one_examinee(path: Path, rows: list[tuple[int, Row]]) -> None:
    """Raise ParameterError if an id has several different replies: the file has several
    examinees."""
    replies: dict[str, str] = {}
    for number, row in rows:
        index = index_of(row)
        if index and replies.setdefault(index, row["prediction"]) != row["prediction"]:
            raise ParameterError(
                f"{str(path)!r}, data row {number}: id {index!r} has another reply before; a file "
                "holds one reply of one examinee per item. Name the column that tells examinees "
                "apart with --examinee-column, or leave one of the rows out"
            )


def _check_columns(path: Path, given: Sequence[Row], examinees: str) -> None:
    """Raise ParameterError if the rows of a file, as they are given, lack a column."""
    if not given:
        raise ParameterError(f"{str(path)!r} holds no rows; a file of replies has one per item")
    names, ours = list(given[0]), with_names(given[0])
    if set(names) >= _LOG_COLUMNS:
        raise ParameterError(
            f"{str(path)!r} has the columns of a log of lmms-eval or lm-evaluation-harness; use "
            "`gfactor import lmms-eval` or `gfactor import lm-eval`"
        )
    wanted = {
        "index": "the items' ids; call it 'question_id'",
        "prediction": "the replies; call it 'prediction'",
    }
    lacking = [what for name, what in wanted.items() if name not in ours]
    if examinees and examinees not in ours:
        lacking = [f"the examinees called {examinees!r}"]
    if lacking:
        listed = listed_columns(given[0])
        raise ParameterError(
            f"{str(path)!r} has no column with {', and none with '.join(lacking)}; its columns are "
            f"{listed}"
        )


_LOG_COLUMNS = {"doc_id", "resps"}
"""Columns that only logs of lmms-eval and lm-evaluation-harness have."""


def _by_id(bank: Mapping[str, Item]) -> dict[str, Item]:
    """Return the items by id, and by the part of it after the last slash if only one item has
    it."""
    short: dict[str, list[Item]] = {}
    for item in bank.values():
        short.setdefault(item.id.rpartition("/")[2], []).append(item)
    return {**{name: one[0] for name, one in short.items() if len(one) == 1}, **bank}
