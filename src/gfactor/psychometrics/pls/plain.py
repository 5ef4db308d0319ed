"""Tables as plain values that JSON can hold: no NaN, no infinity, no numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd


def plain_number(value: Any) -> Any:
    """None for what is not a finite number; Python's own types for numpy's."""
    if isinstance(value, float | np.floating):
        return float(value) if np.isfinite(value) else None
    return value.item() if isinstance(value, np.generic) else value


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """One dictionary per row."""
    return [{str(k): plain_number(v) for k, v in row.items()} for row in frame.to_dict("records")]


def nested(frame: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """By row, then by column."""
    return {str(name): records(row.to_frame().T)[0] for name, row in frame.iterrows()}
