"""Files of a leaderboard's tables: the same numbers as CSV and JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pandas as pd

from gfactor.escaping import visible_json
from gfactor.frames import pick
from gfactor.reports.leaderboard.grids import PageTable
from gfactor.reports.table_registry import Table
from gfactor.reports.writing.formatting import to_csv

EXPORTED = (
    *("name", "role", "best", "worst", "accuracy", "low", "high", "n", "chance", "lenient"),
    *("format_errors", "other_best", "other_worst", "other_low", "other_high", "persons", "items"),
)
"""Columns of the tables' files."""

_DECIMALS = 4


def csv_of(frame: pd.DataFrame) -> bytes:
    """Return a table as CSV, no cell of which is a formula."""
    return to_csv(Table("", frame.round(_DECIMALS))).encode()


def json_of(frame: pd.DataFrame) -> bytes:
    """Return a table as JSON: `columns`, and `rows` as lists; an empty cell is null."""
    rows = frame.round(_DECIMALS).astype(object).where(frame.notna(), None).to_numpy().tolist()
    document = {"columns": [str(name) for name in frame.columns], "rows": rows}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), default=str)
    return f"{visible_json(text)}\n".encode("utf-8", "backslashreplace")


def plain(grid: PageTable) -> pd.DataFrame:
    """Return the texts of a grid's cells as a table."""
    rows = [[" ".join(filter(None, (c.text, c.more))) for c in row.cells] for row in grid.rows]
    return pd.DataFrame(rows, columns=[column.heading for column in grid.columns])


def exported(table: pd.DataFrame, first: Sequence[str] = ()) -> pd.DataFrame:
    """Return a table as files hold it: whole numbers as such, empty columns left out."""
    frame = pick(table, [*first, *(name for name in EXPORTED if name in table)]).copy()
    for name in ("best", "worst", "other_best", "other_worst", "persons", "items"):
        if name in frame:
            frame[name] = frame[name].astype("Int64")
    people = any(pd.notna(one) for one in frame["persons"])
    return frame if people else frame.drop(columns=["persons", "items"])
