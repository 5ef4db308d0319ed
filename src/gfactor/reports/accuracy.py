"""Accuracies of groups of answers with their n and intervals: the numbers of most tables."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from gfactor.psychometrics import cluster_t_counts, wilson
from gfactor.reports.frames import column, distinct
from gfactor.reports.results import PEOPLE, POOLED, Results
from gfactor.scoring.frames import pick

READINGS = {"accuracy": "correct", "lenient": "correct_lenient"}
"""Column of a table, and the column of the scored answers it is the mean of."""

POOLED_NOTE = (
    f"{POOLED}: all answers of the limited observers together. They share the items and differ "
    "in ability, so each end of their interval is the outer one of Wilson's and of a t interval "
    "over observers."
)
WILSON_NOTE = "Intervals: 95 %, Wilson (1927). n: answers that count."
BASELINE_NOTE = (
    "Chance: expected accuracy of answering with the target of a random item of the same domain. "
    "The baselines beside it are accuracies on the same items; they have learned these items' "
    "answers, so they are upper bounds."
)


def shown(results: Results) -> pd.DataFrame:
    """The counted answers of the ideal observer, the models, the pooled population and people."""
    rows = results.role("ideal", "model", "population", "person")
    return rows.assign(person=rows["label"], label=pooled_labels(rows))


def pooled_labels(rows: pd.DataFrame) -> pd.Series:
    """The labels, with one for all members of the population and one for all persons (under each
    condition)."""
    several = len(distinct(rows, "condition")) > 1
    settings = column(rows, "_setting").astype(str)
    labels, roles = column(rows, "label"), column(rows, "role")
    for role, name in (("population", POOLED), ("person", PEOPLE)):
        pooled = name + " [" + settings + "]" if several else name
        labels = labels.mask(roles == role, pooled)
    return labels


def accuracies(results: Results, rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Accuracy of every group of `rows`: n, strict and lenient reading, chance.

    `by` are columns; the groups are sorted by them. Where `rows` has a column `person`, groups
    with several people get the wider interval of `POOLED_NOTE`.
    """
    keys = list(by)
    rows = rows.assign(_person=rows["person" if "person" in rows else "label"])
    cells = rows.groupby([*keys, "_person"], sort=True, observed=True).agg(
        n=("correct", "size"),
        accuracy=("correct", "sum"),
        lenient=("correct_lenient", "sum"),
        chance=("chance", "sum"),
    )
    counts = {
        name: column(cells, name).unstack(-1, fill_value=0).astype(float)
        for name in ("n", "accuracy", "lenient", "chance")
    }
    n = counts["n"].to_numpy()
    table = pd.DataFrame({"n": n.sum(axis=1).astype(int)}, index=counts["n"].index)
    for name in READINGS:
        right = counts[name].to_numpy()
        low, high = _interval(right, n, results.level)
        table[name] = right.sum(axis=1) / n.sum(axis=1)
        table[f"{name}_low"], table[f"{name}_high"] = low, high
    known = np.isfinite(column(rows, "chance")).any()
    table["chance"] = counts["chance"].sum(axis=1) / n.sum(axis=1) if known else np.nan
    return table.reset_index()


def with_baselines(results: Results, table: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """The table with one column per trivial baseline: its accuracy on the items of the same cell.

    `rows` are the counted answers (exploded as the table's are); cells are matched by all columns
    but the label.
    """
    keys = [name for name in table.columns[: list(table.columns).index("n")] if name != "label"]
    guesses = pick(rows, rows["role"] == "baseline")
    for label in results.labels("baseline"):
        own = pick(guesses, guesses["label"] == label)
        if keys:
            means = own.pivot_table("correct", keys, aggfunc="mean").reset_index()
            table = table.merge(means.rename(columns={"correct": label}), on=keys, how="left")
        else:
            table = table.assign(**{label: own["correct"].mean()})
    return table


def in_order(results: Results, table: pd.DataFrame, first: Sequence[str] = ()) -> pd.DataFrame:
    """Rows sorted by `first`, then examinees in the order shown, the pooled population last."""
    order = {label: place for place, label in enumerate(results.labels())}
    place = [order.get(label, len(order)) for label in table["label"]]
    return (
        table.assign(_place=place)
        .sort_values([*first, "_place", "label"], kind="stable")
        .drop(columns="_place")
        .reset_index(drop=True)
    )


def _interval(k: np.ndarray, n: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    low, high = wilson(k.sum(axis=1), n.sum(axis=1), level)
    t_low, t_high = cluster_t_counts(k, n, level)
    return np.fmin(low, np.clip(t_low, 0, 1)), np.fmax(high, np.clip(t_high, 0, 1))
