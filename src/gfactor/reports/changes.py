"""Paired differences between two conditions, on the items that an examinee answered under both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gfactor.psychometrics import holm
from gfactor.psychometrics.inference.paired import Settings, infer
from gfactor.reports.frames import column
from gfactor.reports.group_rates import Measure, rate
from gfactor.scoring.frames import pick

CHANGE_NOTE = (
    "Differences are of the items that were answered under both conditions, item by item. p: "
    "McNemar's exact test with Tango's (1998) interval where items are independent and right or "
    "wrong, else a paired t over items, or over problems where several share one; p (Holm): "
    "adjusted for all rows of the table."
)


def change(
    first: pd.DataFrame, second: pd.DataFrame, measure: Measure, level: float
) -> dict[str, Any] | None:
    """What one examinee gains from the first to the second of two conditions.

    Parameters
    ----------
    first, second: its rows (`rates.item_rows`) under either.

    Returns
    -------
    `n` (items answered under both), `before` and `after` with `_low` and `_high`, `difference`
    (second minus first) with `_low` and `_high`, and `p`; None where there are no common items.
    """
    common, at_a, at_b = np.intersect1d(first["_item"], second["_item"], return_indices=True)
    if not len(common):
        return None
    a, b = first.iloc[at_a], second.iloc[at_b]
    earned = column(b, measure.earned).to_numpy(float) - column(a, measure.earned).to_numpy(float)
    possible = column(a, measure.possible).to_numpy(float)
    _, units = np.unique(column(a, "_unit").to_numpy(), return_inverse=True)
    d, of = np.bincount(units, earned), np.bincount(units, possible)
    if not of.sum():
        return None
    single = bool(np.all(of == 1) and np.isin(d, (-1, 0, 1)).all())
    # The points possible are fixed by the items, so the mean of these is the ratio's difference.
    difference = infer(d * len(d) / of.sum(), None, Settings(level=level), binary=single)
    row: dict[str, Any] = {"n": len(common)}
    for name, rows in (("before", a), ("after", b)):
        told = rate(rows, measure, level)
        row |= {name: told["value"], f"{name}_low": told["low"], f"{name}_high": told["high"]}
    low, high = np.clip([difference.low, difference.high], -1, 1)
    return row | {
        "difference": difference.estimate,
        "difference_low": low,
        "difference_high": high,
        "p": difference.p,
    }


def with_holm(frame: pd.DataFrame) -> pd.DataFrame:
    """The table with `p_holm` behind `p`; empty where p is."""
    p = column(frame, "p").to_numpy(float)
    known = np.isfinite(p)
    adjusted = np.full(len(p), np.nan)
    adjusted[known] = holm(p[known])
    frame = frame.copy()
    frame.insert(list(frame.columns).index("p") + 1, "p_holm", adjusted)
    return frame


def under(rows: pd.DataFrame, who: str, condition: str) -> pd.DataFrame:
    """An examinee's rows under a condition."""
    return pick(rows, (rows["_who"] == who) & (rows["condition"] == condition))


def single_examinees(rows: pd.DataFrame) -> list[str]:
    """Those who may have answered under several conditions, in the order of their names: people
    and the simulated population are compared by studies of their own."""
    labels = pick(rows, ~rows["role"].isin(["population", "person"]))
    return sorted(set(labels["_who"]))
