"""Bootstrap intervals from draws: percentile, basic, normal, BCa.

References
----------
Davison, A. C., Hinkley, D. V. (1997). Bootstrap methods and their application. Cambridge.
Efron, B. (1987). Better bootstrap confidence intervals. JASA 82, 171-185.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import ndtr, ndtri

Method = Literal["percentile", "basic", "normal", "bca"]
METHODS: tuple[Method, ...] = ("percentile", "basic", "normal", "bca")


def quantile(draws: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Order statistic number (B + 1) share of each column (Davison & Hinkley 1997, 2.27), with
    linear interpolation between neighbours; infinite draws may stand among others.

    Parameters
    ----------
    draws: shape (B, rows), NaN where there is none. share: shape (rows,).
    """
    out = np.full(draws.shape[1], np.nan)
    for place, column in enumerate(draws.T):
        known = np.sort(column[~np.isnan(column)])
        if len(known) < 2 or not np.isfinite(share[place]):
            continue
        where = np.clip((len(known) + 1) * share[place] - 1, 0, len(known) - 1)
        low, high = known[int(np.floor(where))], known[int(np.ceil(where))]
        part = where - np.floor(where)
        out[place] = low if low == high or part == 0 else low + (high - low) * part
    return out


def interval(
    draws: np.ndarray,
    est: np.ndarray,
    level: float,
    method: Method,
    acceleration: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper limits, one per column of the draws; NaN where the draws have no spread.

    Parameters
    ----------
    draws: shape (B, rows). est: the estimates of the sample itself, shape (rows,).
    acceleration: for "bca", shape (rows,).
    """
    tail = np.full(len(est), (1 - level) / 2)
    moves = spread(draws) != 0
    with np.errstate(invalid="ignore"):
        if method == "normal":
            error = spread(draws)
            middle = 2 * est - _mean(draws)
            reach = ndtri((1 + level) / 2) * error
            low, high = middle - reach, middle + reach
        elif method == "bca":
            assert acceleration is not None
            low, high = (quantile(draws, one) for one in _adjusted(draws, est, tail, acceleration))
        else:
            low, high = quantile(draws, tail), quantile(draws, 1 - tail)
            if method == "basic":
                low, high = 2 * est - high, 2 * est - low
    return np.where(moves, low, np.nan), np.where(moves, high, np.nan)


def _adjusted(
    draws: np.ndarray, est: np.ndarray, tail: np.ndarray, acceleration: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    known = (~np.isnan(draws)).sum(axis=0)
    below = (draws < est).sum(axis=0) + 0.5 * (draws == est).sum(axis=0)
    share = below / np.maximum(known, 1)
    shift = ndtri(np.where((share > 0) & (share < 1), share, np.nan))
    found = []
    for z in (ndtri(tail), ndtri(1 - tail)):
        moved = shift + z
        found.append(ndtr(shift + moved / (1 - acceleration * moved)))
    return found[0], found[1]


def _mean(draws: np.ndarray) -> np.ndarray:
    known = ~np.isnan(draws)
    count = known.sum(axis=0)
    return np.where(
        count > 0, np.where(known, draws, 0.0).sum(axis=0) / np.maximum(count, 1), np.nan
    )


def spread(draws: np.ndarray) -> np.ndarray:
    """Standard deviation (divisor B - 1) of each column; NaN where fewer than two draws are known
    or one is infinite."""
    with np.errstate(invalid="ignore"):
        known = ~np.isnan(draws)
        count = known.sum(axis=0)
        away = np.where(known, draws - _mean(draws), 0.0)
        error = np.sqrt((away**2).sum(axis=0) / np.maximum(count - 1, 1))
    error = np.where(_constant(draws), 0.0, error)
    return np.where((count > 1) & np.isfinite(error), error, np.nan)


def _constant(draws: np.ndarray) -> np.ndarray:
    """Which columns do not vary but for rounding."""
    known = ~np.isnan(draws)
    high = np.where(known, draws, -np.inf).max(axis=0, initial=-np.inf)
    low = np.where(known, draws, np.inf).min(axis=0, initial=np.inf)
    size = np.maximum(np.abs(high), np.abs(low))
    with np.errstate(invalid="ignore"):
        return (np.isfinite(size) & (high - low <= 1e-12 * size)) | (high < low)
