"""Paired differences between two conditions, on the items that an examinee answered under both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from gfactor.frames import column, pick
from gfactor.psychometrics import Sampling, group_means, holm
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM
from gfactor.psychometrics.inference.paired import ComparisonSettings, Inference, infer, infer_claim
from gfactor.reports.answers.group_rates import RateMeasure, rate

CHANGE_NOTE = (
    "Differences are of the items that were answered under both conditions, item by item, and "
    "generalize to other items of the same domains. p: McNemar's exact test with Tango's (1998) "
    "interval where items of one domain are right or wrong; the same score test with the variance "
    "within domains if there are several, or problems that items share; else a paired t. "
    "p (Holm): adjusted for all rows of the table."
)


def change(
    first: pd.DataFrame, second: pd.DataFrame, measure: RateMeasure, level: float
) -> dict[str, Any] | None:
    """Return the change of an examinee's accuracy from the first to the second of two conditions.

    Parameters
    ----------
    first, second: its rows (`rates.item_rows`) under either.

    Returns
    -------
    `n` (items answered under both), `before` and `after` with `_low` and `_high`, `difference`
    (second minus first) with `_low` and `_high`, and `p`; None if there are no common items.
    """
    common, at_a, at_b = np.intersect1d(first["_item"], second["_item"], return_indices=True)
    if not len(common):
        return None
    a, b = first.iloc[at_a], second.iloc[at_b]
    earned = column(b, measure.earned).to_numpy(float) - column(a, measure.earned).to_numpy(float)
    possible = column(a, measure.possible).to_numpy(float)
    if not possible.sum():
        return None
    difference = _inferred(earned, possible, a, level)
    row: dict[str, Any] = {"n": len(common)}
    for name, rows in (("before", a), ("after", b)):
        estimate = rate(rows, measure, level)
        row |= {
            name: estimate["value"],
            f"{name}_low": estimate["low"],
            f"{name}_high": estimate["high"],
        }
    low, high = np.clip([difference.low, difference.high], -1, 1)
    return row | {
        "difference": difference.estimate,
        "difference_low": low,
        "difference_high": high,
        "p": difference.p,
    }


def _inferred(
    earned: NDArray[np.float64], possible: NDArray[np.float64], rows: pd.DataFrame, level: float
) -> Inference:
    """The difference of two ratios on the same items, other items of the same domains in mind."""
    units = column(rows, "_unit").to_numpy()
    domains = column(rows, "_domain").to_numpy() if "_domain" in rows else None
    settings = ComparisonSettings(level=level)
    if (possible == 1).all():
        sampling = Sampling.of(DEFAULT_CLAIM, len(rows), units=units, domains=domains)
        binary = bool(np.isin(earned, (-1, 0, 1)).all())
        return infer_claim(earned, sampling, settings, binary=binary)
    # The points possible are fixed by the items, so the mean of units' shares is that of ratios.
    means = group_means(np.zeros(len(rows), int), earned, possible, units=units, domains=domains)
    estimate, se, df = (float(one[0]) for one in (means.value, means.se, means.df))
    if not se > 0:
        _, codes = np.unique(units, return_inverse=True)
        d, of = np.bincount(codes, earned), np.bincount(codes, possible)
        return infer(d * len(d) / of.sum(), None, settings, binary=False)
    half = float(special.stdtrit(df, 0.5 + level / 2)) * se
    p = float(2 * special.stdtr(df, -abs(estimate) / se))
    return Inference(estimate, estimate - half, estimate + half, se, p, "t")


def with_holm(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the table with a column `p_holm` after `p`, empty where p is empty."""
    p = column(frame, "p").to_numpy(float)
    finite = np.isfinite(p)
    adjusted = np.full(len(p), np.nan)
    adjusted[finite] = holm(p[finite])
    frame = frame.copy()
    frame.insert(list(frame.columns).index("p") + 1, "p_holm", adjusted)
    return frame


def under(rows: pd.DataFrame, who: str, condition: str) -> pd.DataFrame:
    """Return an examinee's rows under a condition."""
    return pick(rows, (rows["_who"] == who) & (rows["condition"] == condition))


def single_examinees(rows: pd.DataFrame) -> list[str]:
    """Return the examinees that may have answered under several conditions, sorted by name. People
    and the simulated population are left out, because separate studies compare them."""
    labels = pick(rows, ~rows["role"].isin(["population", "person"]))
    return sorted(set(labels["_who"]))
