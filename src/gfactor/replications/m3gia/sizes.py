"""Scores by size of the language model within one series (paper, 4.2 and G.1)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats


def size_ablation(
    sizes: pd.Series, scores: NDArray[np.float64], draws: NDArray[np.float64]
) -> pd.DataFrame:
    """One row per model with a size, smallest first.

    Parameters
    ----------
    sizes: parameters in billions, models in the index; NaN for models outside the series.
    scores: models. draws: draws x models, resampled scores.

    Returns `model`, `size`, `gia` with `gia_low` and `gia_high`, and `step`: the difference to the
    next smaller model, with `step_low`, `step_high` (95 %, percentiles of the draws) and
    `step_up`, the share of draws in which the larger model is better.
    """
    known = np.flatnonzero(np.isfinite(sizes.to_numpy(float)))
    order = known[np.argsort(sizes.to_numpy(float)[known], kind="stable")]
    rows = []
    for place, model in enumerate(order):
        low, high = np.quantile(draws[:, model], [0.025, 0.975])
        row = {
            "model": str(sizes.index[model]),
            "size": float(sizes.iloc[model]),
            "gia": float(scores[model]),
            "gia_low": float(low),
            "gia_high": float(high),
            "step": np.nan,
            "step_low": np.nan,
            "step_high": np.nan,
            "step_up": np.nan,
        }
        if place:
            before = order[place - 1]
            steps = draws[:, model] - draws[:, before]
            row["step"] = float(scores[model] - scores[before])
            row["step_low"], row["step_high"] = map(float, np.quantile(steps, [0.025, 0.975]))
            row["step_up"] = float((steps > 0).mean())
        rows.append(row)
    return pd.DataFrame(rows)


def size_trend(table: pd.DataFrame) -> tuple[float, float]:
    """Kendall's tau of score and size, and its p; NaN with fewer than three models."""
    if len(table) < 3:
        return float("nan"), float("nan")
    found: Any = stats.kendalltau(table["size"], table["gia"])
    return float(found.statistic), float(found.pvalue)
