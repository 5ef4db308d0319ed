"""Operations on data frames whose result types pandas leaves open."""

from __future__ import annotations

from typing import Any, cast

import pandas as pd


def column(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return one column."""
    return cast(pd.Series, frame[name])


def pick(frame: pd.DataFrame, which: Any) -> pd.DataFrame:
    """Return the rows where `which` is true, or the columns it lists."""
    return cast(pd.DataFrame, frame[which])


def values_of(series: pd.Series, names: list[str]) -> list[float]:
    """Return the numbers of a series at some labels, each of which occurs once."""
    return [float(v) for v in cast(pd.Series, series[names]).to_numpy(dtype=float)]
