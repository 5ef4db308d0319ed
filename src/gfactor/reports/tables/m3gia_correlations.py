"""M3GIA's figure 4, left: how models' accuracies on the CHC factors correlate."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from scipy import special

from gfactor.benchmarks.published import published
from gfactor.frames import distinct, pick
from gfactor.reports.answers.group_rates import item_rows, rate
from gfactor.reports.answers.papers import PRINTED_NOTE, Column
from gfactor.reports.answers.results import Results
from gfactor.reports.table_registry import Table, table
from gfactor.reports.tables.m3gia_factors import FACTORS, SHARED

FEWEST = 4
"""Models below which a correlation has no interval."""


@table("m3gia_correlations", section="paper", order=4, needs=("factors",), benchmarks=("m3gia",))
def correlations(results: Results) -> Table | None:
    """Tabulate every pair of factors: Pearson's r over the models here, and over those of table
    1."""
    rows = item_rows(results)
    rows = pick(rows, rows["role"] == "model")
    columns = [c for c in FACTORS if c.label in rows]
    theirs = published("m3gia-1").frame
    models = theirs.loc[(theirs["group"] != "Human").to_numpy(bool)]
    pairs = []
    for setting in distinct(rows, "_setting"):
        ours = _accuracies(pick(rows, rows["_setting"] == setting), columns, results.level)
        names = [c.name for c in columns if c.name in ours] if len(ours) >= FEWEST else []
        for a, b in combinations(names, 2):
            both = ours.loc[:, [a, b]].dropna().to_numpy(float)
            r, low, high = _pearson(both, results.level)
            printed, _, _ = _pearson(models.loc[:, [a, b]].to_numpy(float), results.level)
            pairs.append(
                {"condition": setting, "factor": a, "other": b, "n": len(both), "r": r,
                 "r_low": low, "r_high": high, "published_r": printed,
                 "published_n": len(models)}
            )  # fmt: skip
    if not pairs:
        return None
    return Table(
        "Figure 4, left: correlations of the models' accuracies on the CHC factors",
        pd.DataFrame(pairs),
        headings={"n": "n (models)", "published_r": "r, published models",
                  "published_n": "n (published models)"},
        notes=(
            f"Of every condition under which {FEWEST} models or more answered. Pearson's r with "
            "Fisher's interval, which takes models for a random sample and their accuracies for "
            "normal; models of one family are neither. Empty if all models have the same "
            "accuracy.",
            SHARED + " That alone makes correlations positive (I, RG and RQ are parts of Gf).",
            f"r of published models is computed from the printed table 1. {PRINTED_NOTE} Source: "
            f"{published('m3gia-1').source}",
        ),
        folded=True,
    )  # fmt: skip


def _accuracies(rows: pd.DataFrame, columns: list[Column], level: float) -> pd.DataFrame:
    """Models x factors."""
    accuracies: dict[str, dict[str, float]] = {}
    for column in columns:
        for label, group in column.rows(rows).groupby("label", sort=True):
            cell = accuracies.setdefault(str(label), {})
            cell[column.name] = rate(group, column.measure, level)["value"]
    return pd.DataFrame.from_dict(accuracies, orient="index")


def _pearson(both: np.ndarray, level: float) -> tuple[float, float, float]:
    """r and the ends of Fisher's interval; NaN if they do not exist."""
    n = len(both)
    if n < 3 or (np.ptp(both, axis=0) < 1e-12).any():
        return float("nan"), float("nan"), float("nan")
    r = float(np.clip(np.corrcoef(both.T)[0, 1], -1, 1))
    if n < FEWEST or abs(r) > 1 - 1e-12:
        return r, float("nan"), float("nan")
    half = float(special.ndtri(0.5 + level / 2)) / np.sqrt(n - 3)
    low, high = np.tanh(np.arctanh(r) + np.array([-half, half]))
    return r, float(low), float(high)
