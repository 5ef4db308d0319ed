"""`table`: a CSV, TSV or Parquet file with a row per model and a column per task."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.scoring.frames import pick
from gfactor.scoring.tables.base import ScoreTable, TableNaming, score_format

_ENDINGS = {".csv": ",", ".tsv": "\t"}
_NAMES = ("model", "Model", "examinee", "Method", "method", "name")


def _matches(path: Path) -> bool:
    return path.suffix.lower() in (*_ENDINGS, ".parquet")


@score_format("table", _matches, place=90)
def read(path: Path, naming: TableNaming) -> ScoreTable:
    """Tables with a row per model, .csv, .tsv or .parquet.

    Without a column of names, rows are called by their numbers, from 1. A column is a score where
    every cell is a number or empty; the others are facts. Numbers with a percent sign
    are read; a column of them stays in percent.
    """
    frame = _frame(path)
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
    facts = pick(frame, [c for c in frame.columns if c not in scores]).astype(str)
    return ScoreTable(pd.DataFrame(scores, index=names), facts, str(path))


def _frame(path: Path) -> pd.DataFrame:
    try:
        if path.suffix.lower() == ".parquet":
            return pd.read_parquet(path)
        return pd.read_csv(path, sep=_ENDINGS.get(path.suffix.lower(), ","))
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0]
        raise ParameterError(f"{str(path)!r} is not a table that can be read: {reason}") from error


def _numbers(column: pd.Series) -> pd.Series | None:
    """The column as numbers; None where a cell is a text, or every cell is empty."""
    if column.isna().all():
        return None
    if not pd.api.types.is_numeric_dtype(column):
        texts = column.astype("string").str.strip().str.removesuffix("%")
        empty = texts.isna() | texts.isin(["", "-", "N/A"])
        column = cast(pd.Series, pd.to_numeric(texts.where(~empty), errors="coerce"))
        if (column.isna() & ~empty).any() or empty.all():
            return None
    return column.astype(float)
