"""Operations on data frames whose result types pandas leaves open."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np
import pandas as pd


def column(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return one column."""
    return cast(pd.Series, frame[name])


def pick(frame: pd.DataFrame, which: Any) -> pd.DataFrame:
    """Return the rows where `which` is true, or the columns it lists."""
    return cast(pd.DataFrame, frame[which])


def row_tuples(frame: pd.DataFrame, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Return an iterator of the rows of some columns."""
    # By way of numpy: pandas gives the texts of a column one by one.
    return zip(*(frame[name].to_numpy(dtype=object).tolist() for name in columns), strict=True)


def values_of(series: pd.Series, names: Sequence[str]) -> list[float]:
    """Return the numbers of a series at some labels, each of which occurs once."""
    return [float(v) for v in cast(pd.Series, series[list(names)]).to_numpy(dtype=float)]


def total(frame: pd.DataFrame, name: str) -> float:
    """Return the sum of a column of numbers or truth values."""
    return float(np.sum(frame[name].to_numpy(dtype=float)))


def distinct(frame: pd.DataFrame, name: str) -> list[Any]:
    """Return the values of a column, sorted, each once; missing ones left out."""
    return sorted(column(frame, name).dropna().unique())


def mapped(values: pd.Series, table: Mapping[Any, Any]) -> pd.Series:
    """Return each value replaced by its entry; NaN if there is none."""
    codes, names = pd.factorize(values)
    entries = pd.Series([table.get(name) for name in names])
    return entries.reindex(codes).set_axis(values.index)


def composed(name: str) -> str:
    """Return a name with each letter and its marks as one character (Unicode's form NFC), in which
    names of columns and of models are compared: files from macOS have the other form."""
    return unicodedata.normalize("NFC", name)


def with_composed_names(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with `composed` names of columns."""
    names = [composed(name) if isinstance(name, str) else name for name in frame.columns]
    return frame if names == list(frame.columns) else frame.set_axis(names, axis=1)
