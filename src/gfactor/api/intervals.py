"""Intervals and chance of what `gfactor score` tells, by the rule of every report.

`gfactor.reports.group_rates` says how: the same scores have the same n, interval and chance here
and on the page of a report.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from gfactor.reports.group_rates import (
    ACCURACY,
    LENIENT,
    SCORE,
    Measure,
    over_domains,
    rate,
    rows_of,
)
from gfactor.reports.results import role_of
from gfactor.scoring import by_label, with_chance
from gfactor.scoring.frames import pick

LEVEL = 0.95

_READINGS: Mapping[str, Measure] = {"interval": LENIENT, "interval_strict": ACCURACY}


def add_intervals(result: dict[str, Any], table: pd.DataFrame, items: pd.DataFrame) -> None:
    """Complete a summary of a scored table, all examinees and every group in it.

    `interval`, `interval_strict` and `interval_ratio` of the scores of those names, `chance` (of
    items that are right as a whole) and `chance_ratio` (of points), None where unknown, and for
    every examinee with items of several domains `over_domains`: `clusters` (how many domains),
    `interval` and `interval_strict`.

    Parameters
    ----------
    items: of the journal, as `Journal.items` gives them.
    """
    roles = [role_of(str(name)) for name in table["examinee"]]
    rows = rows_of(with_chance(table, items).assign(role=roles))
    names = list(result.get("examinees", {}))
    _complete(result, rows)
    for name in names:
        _complete(result["examinees"][name], pick(rows, rows["examinee"] == name))
    for name in names or [""]:
        chosen = pick(rows, rows["examinee"] == name) if name else rows
        where = result["examinees"][name] if name else result
        if "domain" in chosen and len(set(chosen["domain"])) > 1:
            where["over_domains"] = _over_domains(chosen)


def _complete(result: dict[str, Any], rows: pd.DataFrame) -> None:
    _add(result, rows)
    for label, groups in result["by"].items():
        parts = {str(value): part for value, part in by_label(rows, label).items()}
        for value, shown in groups.items():
            _add(shown, parts[value] if value in parts else rows.iloc[:0])


def _add(shown: dict[str, Any], rows: pd.DataFrame) -> None:
    for name, measure in _READINGS.items():
        shown[name] = _ends(rate(rows, measure, LEVEL))
    of_points = rate(rows, SCORE, LEVEL)
    shown["interval_ratio"] = _ends(of_points)
    chance = rate(rows, ACCURACY, LEVEL)["chance"]
    shown["chance"] = None if pd.isna(chance) else float(chance)
    shown["chance_ratio"] = None if pd.isna(of_points["chance"]) else float(of_points["chance"])


def _over_domains(rows: pd.DataFrame) -> dict[str, Any]:
    by_reading = {name: over_domains(rows, measure, LEVEL) for name, measure in _READINGS.items()}
    ends = {name: [interval["low"], interval["high"]] for name, interval in by_reading.items()}
    return {"clusters": by_reading["interval"]["clusters"], **ends}


def _ends(interval: Mapping[str, Any]) -> list[float]:
    """An interval's ends; all that is possible where nothing was answered."""
    return (
        [0.0, 1.0]
        if pd.isna(interval["low"])
        else [float(interval["low"]), float(interval["high"])]
    )


def result_columns(one: Mapping[str, Any]) -> dict[str, Any]:
    """The result of a group as columns of a table."""
    (low, high), (strict_low, strict_high) = one["interval"], one["interval_strict"]
    return {
        "n": one["n"],
        "answers": one["answers"],
        "accuracy": one["accuracy"],
        "ci_lower": low,
        "ci_upper": high,
        "accuracy_strict": one["accuracy_strict"],
        "ci_lower_strict": strict_low,
        "ci_upper_strict": strict_high,
        "ratio": one["ratio"],
        "errors": one["errors"],
        "missing": one["missing"],
        "chance": one["chance"],
    }
