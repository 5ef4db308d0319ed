"""`table`: a CSV, TSV or Parquet file with a row per model and a column per task."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.items.table_files import SEPARATORS, read_frame
from gfactor.scoring.tables.base import ScoreTable, TableNaming, score_format

_NAMES = ("model", "Model", "examinee", "Method", "method", "name")


def _matches(path: Path) -> bool:
    return path.suffix.lower() in (*SEPARATORS, ".parquet")


@score_format("table", _matches, order=90, takes=("index",))
def read(path: Path, naming: TableNaming) -> ScoreTable:
    """Read tables with a row per model, .csv, .tsv or .parquet.

    Without a column of names, rows are numbered from 1. A column holds scores if every cell is a
    number or empty; other columns are facts. Numbers with a percent sign are read, and their column
    stays in percent.
    """
    frame = read_frame(path)
    index = naming.index or next((n for n in _NAMES if n in frame.columns), "")
    if index and index not in frame.columns:
        raise UnknownNameError(f"column of {str(path)!r}", index, map(str, frame.columns))
    if not index and isinstance(frame.index, pd.RangeIndex):
        if not len(frame.columns):
            raise ParameterError(f"{str(path)!r} is empty")
        first = str(frame.columns[0])
        named = not pd.api.types.is_numeric_dtype(frame.iloc[:, 0])
        index = first if named or first.startswith("Unnamed") else ""
    if index:
        frame = frame.set_index(index)
    elif isinstance(frame.index, pd.RangeIndex):
        frame = frame.set_axis(pd.RangeIndex(1, len(frame) + 1), axis=0)
    names = pd.Index([str(name) for name in frame.index], name="model")
    if names.has_duplicates:
        name = names[names.duplicated()][0]
        raise ParameterError(
            f"{str(path)!r} has {int((names == name).sum())} rows of {name!r}; keep one row per "
            "model, or name the column of models (gfactor import-scores --index)"
        )
    frame = frame.set_axis(names, axis=0).set_axis([str(c) for c in frame.columns], axis=1)
    scores = {c: s for c in frame.columns if (s := _numbers(cast(pd.Series, frame[c]))) is not None}
    for name, values in scores.items():
        infinite = values.index[~(np.isfinite(values) | values.isna())]
        if len(infinite):
            raise ParameterError(
                f"{str(path)!r}, row {str(infinite[0])!r}, column {str(name)!r}: an infinite "
                "value; fix the cell"
            )
    facts = pick(frame, [c for c in frame.columns if c not in scores]).astype(str)
    return ScoreTable(pd.DataFrame(scores, index=names), facts, str(path))


def _numbers(column: pd.Series) -> pd.Series | None:
    """The column as numbers; None if a cell is a text, or every cell is empty."""
    if column.isna().all():
        return None
    if not pd.api.types.is_numeric_dtype(column):
        texts = column.astype("string").str.strip().str.removesuffix("%")
        empty = texts.isna() | texts.isin(["", "-", "N/A"])
        column = cast(pd.Series, pd.to_numeric(texts.where(~empty), errors="coerce"))
        if (column.isna() & ~empty).any() or empty.all():
            return None
    return column.astype(float)
