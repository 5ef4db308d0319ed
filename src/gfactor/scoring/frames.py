"""Operations on data frames whose result types pandas leaves open."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pandas as pd


def pick(table: pd.DataFrame, which: Any) -> pd.DataFrame:
    """Return the rows where `which` is true, or the columns it lists."""
    return cast(pd.DataFrame, table[which])


def total(table: pd.DataFrame, column: str) -> float:
    """Return the sum of a column of numbers or truth values."""
    return float(np.sum(table[column].to_numpy(dtype=float)))
