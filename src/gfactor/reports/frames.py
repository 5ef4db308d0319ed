"""Operations on data frames whose result types pandas leaves open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import pandas as pd


def column(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return one column."""
    return cast(pd.Series, frame[name])


def distinct(frame: pd.DataFrame, name: str) -> list[Any]:
    """Return the values of a column, sorted, each once; missing ones left out."""
    return sorted(column(frame, name).dropna().unique())


def mapped(values: pd.Series, table: Mapping[Any, Any]) -> pd.Series:
    """Return each value replaced by its entry; NaN if there is none."""
    return pd.Series([table.get(value) for value in values], index=values.index)
