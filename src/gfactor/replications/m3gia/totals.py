"""Correlation of a weighted sum with the plain total, compared with that of random weights.

A sum of parts correlates with the sum of all parts whatever the weights. The correlation of GIA
with total accuracy (paper, 4.2 and Fig. 4) is evidence of a structure only if it is higher than
random positive weights make it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import einsum

DRAWS = 20_000
"""Random weight vectors: percentiles are then known to 0.4 points."""


@dataclass(frozen=True)
class TotalCorrelation:
    """The correlation of a score with the total, compared with its distribution under random
    weights.

    Parameters
    ----------
    n: rows. r, low, high: Pearson correlation and its 95 % interval (Fisher's z; rows that are
        relatives of each other make it too narrow).
    percentile: share of random weight vectors with a smaller correlation, in per cent.
    random_median, random_p05, random_p95: median and limits of the correlations under random
        weights.
    draws, seed: number of weight vectors that were drawn, uniformly from the simplex (Dirichlet
        with all parameters 1), and the seed.
    """

    n: int
    r: float
    low: float
    high: float
    percentile: float
    random_median: float
    random_p05: float
    random_p95: float
    draws: int
    seed: int

    @property
    def r2(self) -> float:
        return self.r**2


def total_correlation(
    counts: NDArray[np.float64],
    weights: NDArray[np.float64],
    draws: int = DRAWS,
    seed: int = 0,
) -> TotalCorrelation:
    """Compare `weights` (one per column) with random positive weights on the same counts.

    Raises ParameterError if there are fewer than four rows, or all rows have the same total.
    """
    x = np.asarray(counts, float)
    n, k = x.shape
    total = x.sum(axis=1)
    if n < 4 or np.ptp(total) == 0:
        raise ParameterError(
            f"a correlation with the total needs at least 4 rows that differ, got {n}"
        )
    r = float(_correlations(x, weights[None, :])[0])
    if not np.isfinite(r):
        raise ParameterError("the score is the same in all rows; it correlates with nothing")
    # Dirichlet(1) is exponential draws over their sum, which correlations do not notice.
    random = _correlations(x, np.random.default_rng(seed).standard_exponential((draws, k)))
    low, high = _fisher(r, n)
    middle, p05, p95 = np.quantile(random, [0.5, 0.05, 0.95])
    return TotalCorrelation(
        n, r, low, high, 100 * float((random < r).mean()), float(middle), float(p05), float(p95),
        draws, seed,
    )  # fmt: skip


def _correlations(x: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the correlations of x @ w with the row sums, for every row w of `weights`."""
    centered = x - x.mean(axis=0)
    products = centered.T @ centered
    with_total = weights @ products.sum(axis=1)
    variances = einsum("ij,ij->i", weights @ products, weights)
    scale = np.sqrt(variances * products.sum())
    return np.divide(with_total, scale, out=np.full(len(weights), np.nan), where=scale > 0)


def _fisher(r: float, n: int) -> tuple[float, float]:
    z = np.arctanh(np.clip(r, -1 + 1e-15, 1 - 1e-15))
    half = float(stats.norm.ppf(0.975)) / np.sqrt(n - 3)
    return float(np.tanh(z - half)), float(np.tanh(z + half))


def size_ablation(
    sizes: pd.Series, scores: NDArray[np.float64], draws: NDArray[np.float64]
) -> pd.DataFrame:
    """Return one row per model with a size, smallest first.

    Parameters
    ----------
    sizes: parameters in billions, models in the index; NaN for models outside the series.
    scores: models. draws: draws x models, resampled scores.

    Returns `model`, `size`, `gia` with `gia_low` and `gia_high`, and `step`: the difference to the
    next smaller model, with `step_low`, `step_high` (95 %, percentiles of the draws) and
    `step_up`, the share of draws in which the larger model is better.
    """
    published = np.flatnonzero(np.isfinite(sizes.to_numpy(float)))
    order = published[np.argsort(sizes.to_numpy(float)[published], kind="stable")]
    rows = []
    for number, model in enumerate(order):
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
        if number:
            before = order[number - 1]
            steps = draws[:, model] - draws[:, before]
            row["step"] = float(scores[model] - scores[before])
            row["step_low"], row["step_high"] = map(float, np.quantile(steps, [0.025, 0.975]))
            row["step_up"] = float((steps > 0).mean())
        rows.append(row)
    return pd.DataFrame(rows)


def size_trend(table: pd.DataFrame) -> tuple[float, float]:
    """Return Kendall's tau of score and size, and its p; NaN with fewer than three models."""
    if len(table) < 3:
        return float("nan"), float("nan")
    tau: Any = stats.kendalltau(table["size"], table["gia"])
    return float(tau.statistic), float(tau.pvalue)
