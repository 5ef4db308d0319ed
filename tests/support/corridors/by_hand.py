"""Counts of a journal by hand: plain sqlite3 and pandas, and none of the package's reading."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd

RUN = ["examinee", "condition"]
GROUP = [*RUN, "benchmark"]
_ASKED = """
    SELECT DISTINCT c.examinee, c.condition, b.content_hash AS item_hash, b.id AS item_id,
                    b.benchmark
    FROM campaigns c JOIN bank_items b ON b.digest = c.digest
"""
_ITEMS = """
    SELECT content_hash AS item_hash, id AS item_id, benchmark, labels, answer_type, target,
           accepted, output_format, points
    FROM items
"""


def answers_by_hand(path: Path | str) -> pd.DataFrame:
    """Every answer that counts, a row each, with `correct`: 1 where the reply says the target."""
    file = f"file:{Path(path).resolve()}?mode=ro"
    with closing(sqlite3.connect(file, uri=True)) as connection:
        asked = pd.read_sql_query(_ASKED, connection)
        items = pd.read_sql_query(_ITEMS, connection)
        items["output_format"] = items["output_format"].fillna("")
        rows = pd.read_sql_query("SELECT * FROM responses ORDER BY id", connection)
    rows = rows.loc[rows["outcome"] == "ok"]
    table = rows.merge(asked, on=[*RUN, "item_hash"]).merge(
        items, on=["item_hash", "item_id", "benchmark"]
    )
    correct = [float(_is_right(row)) for row in table.to_dict("records")]
    labels = [json.loads(text) for text in table["labels"]]
    domains = [label.get("domain") for label in labels]
    return table.assign(correct=pd.Series(correct, dtype=float), domain=domains)


def by_item(answers: pd.DataFrame) -> pd.DataFrame:
    """One row per examinee, condition and item: the mean over its occasions."""
    keys = [*GROUP, "domain", "item_hash", "item_id"]
    means: Any = answers.groupby(keys, dropna=False, sort=True)["correct"].mean()
    return means.reset_index()


def counted(answers: pd.DataFrame, by: list[str]) -> dict[tuple[str, ...], tuple[int, float]]:
    """Number of items and mean, by columns."""
    return counted_rows(by_item(answers), by)


def counted_rows(items: pd.DataFrame, by: list[str]) -> dict[tuple[str, ...], tuple[int, float]]:
    """The same of a table with a row per item."""
    groups: Any = items.groupby(by, dropna=False)["correct"]
    return {
        tuple(map(str, key if isinstance(key, tuple) else (key,))): (len(part), float(part.mean()))
        for key, part in groups
    }


def _is_right(row: dict[Any, Any]) -> bool:
    targets = [row["target"], *json.loads(row["accepted"])]
    said = _parts(row, row["text"])
    keys = [json.loads(target) for target in targets]
    if '"atom":"cell"' in row["output_format"]:  # One cell, or several of them.
        keys = [[key] if key and isinstance(key[0], int) else key for key in keys]
    return any(said == _parts(row, key) for key in keys)


def _parts(row: dict[Any, Any], value: Any) -> Any:
    """What is said, or what is the key, as a list of parts that can be compared."""
    kind = row["answer_type"]
    written = isinstance(value, str)
    if kind in ("choice", "choices"):
        letters = re.findall(r"(?<![A-Za-z])[A-Z](?![A-Za-z])", value) if written else list(value)
        return sorted(letters) if kind == "choices" else letters[-1:]
    if kind in ("blanks", "open"):
        lines = value.splitlines() if written else list(value)
        return [line.strip().casefold() for line in lines]
    if value is None:
        return ["none"]
    if not written:
        parts = _atoms(value)
    elif "(" in value:
        parts = re.findall(r"\(\s*(\d+)\s*,\s*(\d+)\s*\)", value)
    else:
        text = re.sub(r"[A-Z]+\s*:", " ", value)
        by_comma = '"separator":","' in row["output_format"]
        split = re.split(r",|\n", text) if by_comma else re.split(r"[\s,\x1e]+", text)
        parts = [part.strip().casefold() for part in split if part.strip()]
    return sorted(parts) if kind == "set" else parts


def _atoms(value: Any) -> list[Any]:
    """The parts of a key: texts, and pairs for cells."""
    if not isinstance(value, list):
        return [str(value).casefold()]
    if value and isinstance(value[0], list):
        return [tuple(map(str, cell)) for cell in value]
    return [str(one).casefold() for one in value]
