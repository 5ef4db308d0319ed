"""Accuracies of groups of answers with their n and intervals: the numbers of most tables."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from gfactor.frames import pick
from gfactor.reports.answers.group_rates import ACCURACY, LENIENT, item_rows, rates_of_each
from gfactor.reports.answers.results import Results

READINGS = {"accuracy": ACCURACY, "lenient": LENIENT}
"""Column of a table, and what it measures."""

BASELINE_NOTE = (
    "The baselines beside chance are accuracies on the same items; they have learned these items' "
    "answers, so they are upper bounds."
)


def rows_without_baselines(results: Results) -> pd.DataFrame:
    """Return the items answered by the ideal observer, the models, the pooled population and
    people."""
    rows = item_rows(results)
    return pick(rows, rows["role"] != "baseline")


def keys_of(rows: pd.DataFrame, by: Sequence[str]) -> list[str]:
    """Return the columns that divide rows: `by`, after the benchmark if several share values.

    Items of two benchmarks are two measurements, even if they share a label.
    """
    if "benchmark" not in rows:
        return list(by)
    homes = rows.dropna(subset=list(by)).groupby(list(by), observed=True)["benchmark"].nunique()
    return ["benchmark", *by] if bool((homes.to_numpy() > 1).any()) else list(by)


def accuracies(results: Results, rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return accuracy of every group of `rows`: n, strict and lenient reading, chance.

    `rows` are `rates.item_rows`, `by` columns of them; the groups are sorted by them.
    """
    keys = list(by)
    every = rates_of_each(rows, keys, tuple(READINGS.values()), results.level)
    by_reading = dict(zip(READINGS, every, strict=True))
    table = pick(by_reading["accuracy"], [*keys, "n"])
    for name, of_reading in by_reading.items():
        ends = {f"{name}_{end}": of_reading[end] for end in ("low", "high")}
        table = table.assign(**{name: of_reading["value"]}, **ends)
    return table.assign(chance=by_reading["accuracy"]["chance"])


def with_baselines(results: Results, table: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Add a column per trivial baseline to the table: its accuracy on the items of the same cell.

    `rows` are `rates.item_rows`, exploded in the same way as the table. Cells match if all columns
    before `n` except `label` are equal.
    """
    keys = [name for name in table.columns[: list(table.columns).index("n")] if name != "label"]
    guesses = pick(rows, rows["role"] == "baseline")
    for label in results.labels("baseline"):
        of_label = pick(guesses, guesses["label"] == label)
        if keys:
            means = of_label.pivot_table("correct", keys, aggfunc="mean").reset_index()
            table = table.merge(means.rename(columns={"correct": label}), on=keys, how="left")
        else:
            table = table.assign(**{label: of_label["correct"].mean()})
    return table


def in_order(results: Results, table: pd.DataFrame, first: Sequence[str] = ()) -> pd.DataFrame:
    """Return rows sorted by `first`, then examinees in the order shown, the pooled population
    last."""
    order = {label: position for position, label in enumerate(results.labels())}
    position = [order.get(label, len(order)) for label in table["label"]]
    return (
        table.assign(_position=position)
        .sort_values([*first, "_position", "label"], kind="stable")
        .drop(columns="_position")
        .reset_index(drop=True)
    )
