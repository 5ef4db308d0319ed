"""Intervals for means over items that are not independent of each other.

Wilson's interval, which `gfactor.scoring.summary` gives, is for one examinee's answers to items
that have nothing in common. Items of a domain stand or fall together, and so do the answers of
several examinees to one item; there the spread between domains, or between items, decides.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from gfactor.psychometrics import cluster_t, wilson
from gfactor.scoring import by_label
from gfactor.scoring.averaging import averaged
from gfactor.scoring.frames import pick

_NO_SPREAD = 1e-12
"""A standard error below this is a rounded zero: scores are shares."""

_READINGS = {"interval": "correct_lenient", "interval_strict": "correct"}


def add_intervals(result: dict[str, Any], table: pd.DataFrame) -> None:
    """Complete a summary of a scored table.

    `over_domains` of every examinee with items of several domains: `clusters` (how many domains),
    `interval` and `interval_strict`, cluster-robust t. Where several examinees are pooled,
    `interval` and `interval_strict` become those over items.
    """
    items = averaged(table)
    names = list(result.get("examinees", {}))
    for name in names or [""]:
        own = pick(items, items["examinee"] == name) if name else items
        where = result["examinees"][name] if name else result
        domains = len(set(own["domain"])) if "domain" in own else 0
        if domains > 1:
            where["over_domains"] = {"clusters": domains, **_clustered(own, "domain")}
    if not names:
        return
    result.update(_clustered(items, "item_hash"))
    for label, groups in result["by"].items():
        parts = {str(value): own for value, own in by_label(items, label).items()}
        for value, shown in groups.items():
            if value in parts:
                shown.update(_clustered(parts[value], "item_hash"))


def _clustered(items: pd.DataFrame, label: str) -> dict[str, list[float]]:
    """Both readings' intervals, within 0 and 1; where clusters agree, Wilson's of as many answers.

    t knows no spread then, and would give an interval of no width.
    """
    found: dict[str, list[float]] = {}
    for name, column in _READINGS.items():
        over = cluster_t(items[column].to_numpy(float), items[label].astype(str).to_numpy())
        ends = (over.low, over.high)
        if over.clusters < 2 or over.se < _NO_SPREAD:
            ends = wilson(over.mean * over.clusters, over.clusters) if over.clusters else (0, 1)
        found[name] = [max(0.0, float(ends[0])), min(1.0, float(ends[1]))]
    return found
