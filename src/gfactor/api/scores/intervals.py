"""Intervals and chance of what `gfactor score` tells, by the rule of every report.

`gfactor.reports.answers.group_rates` says how: the same scores have the same n,
interval and chance here and on the page of a report.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.frames import pick, row_tuples
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, checked_claim, claim_in_words
from gfactor.reports.answers.group_rates import (
    ACCURACY,
    LENIENT,
    SCORE,
    RateMeasure,
    rate_groups,
    rows_of,
)
from gfactor.reports.answers.results import role_of
from gfactor.scoring import summary, with_chance
from gfactor.scoring.averaging import UNIT_LABELS
from gfactor.scoring.sampling import other_claim
from gfactor.scoring.summaries import (
    GROUPS,
    LABELS,
    SUMMARIZED,
    label_column,
    label_columns,
    rows_by_value,
)

LEVEL = 0.95

_READINGS: Mapping[str, RateMeasure] = {
    "interval": ACCURACY, "interval_lenient": LENIENT, "interval_ratio": SCORE,
}  # fmt: skip


_CHANCE_OF = {"interval": "chance", "interval_ratio": "chance_ratio"}
"""Names under which chance is shown beside an interval."""

_ADDED = (*_READINGS, *_CHANCE_OF.values())
"""Names that `_add` completes, in the order in which they are shown."""

_NUMBERS = frozenset(
    name
    for measure in _READINGS.values()
    for name in (measure.earned, measure.possible, measure.chance)
)


@dataclass(frozen=True)
class AnswerSnapshot:
    """Scored answers and their items at one time, from which results are computed on request.

    Parameters
    ----------
    rows: the columns of the scored answers that results need; a copy.
    items: items of the journal; a copy.
    claim: population that the intervals generalize to.
    by: labels of the items by which results are broken down, beside domain, size and skill.
    """

    rows: pd.DataFrame
    items: pd.DataFrame
    claim: str
    by: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, scored: pd.DataFrame, items: pd.DataFrame, claim: str, by: Sequence[str] = ()
    ) -> AnswerSnapshot:
        """Copy scored answers as they are now; later changes of the tables have no effect."""
        by = (by,) if isinstance(by, str) else tuple(by)
        wanted = _NEEDED | SUMMARIZED | set(label_columns(by, scored).values())
        needed = [name for name in scored if name in wanted]
        return cls(scored.loc[:, needed].copy(), items.copy(), claim, by)

    def results(self) -> list[dict[str, Any]]:
        """Return the summary of every examinee, benchmark and condition, with intervals."""
        results = summary(self.rows, self.by)
        add_intervals(results, self.rows, self.items, self.claim)
        return results


def add_intervals(
    results: Sequence[dict[str, Any]], table: pd.DataFrame, items: pd.DataFrame, claim: str
) -> None:
    """Complete the summaries of a scored table (`gfactor.scoring.summary`) and their groups.

    The added fields are `interval`, `interval_lenient` and `interval_ratio` under the claim (None
    if it has no interval), `generalizes_to` (the claim in words), `chance` (of items that are right
    as a whole) and `chance_ratio` (of points), None if unknown, and `other_claim` (the intervals
    under the other claim) if items belong to several domains.

    Parameters
    ----------
    items: items of the journal, from `Journal.items`.
    """
    if not results:
        return
    labels = {label: label_column(label, table.columns) for one in results for label in one["by"]}
    rows = _rows(table, items, set(labels.values()))
    domains = rows["_domain"].to_numpy() if "domain" in rows else np.zeros(0, np.intp)
    runs: dict[tuple[str, ...], list[int]] = {}
    for row, run in enumerate(row_tuples(rows, GROUPS)):
        runs.setdefault(tuple(map(str, run)), []).append(row)
    groups: list[_Group] = []
    for result in results:
        at = np.array(runs.get(tuple(str(result[name]) for name in GROUPS), []), np.intp)
        result.update(dict.fromkeys(_ADDED))
        groups.append((result, at, claim))
        several = _distinct(domains, at)
        result["generalizes_to"] = claim_in_words(claim, several)
        other = other_claim(checked_claim(claim), several)
        result["other_claim"] = None
        if other is not None:
            beside = {"claim": other, "generalizes_to": claim_in_words(other, several)}
            result["other_claim"] = beside | dict.fromkeys(_READINGS)
            groups.append((result["other_claim"], at, other))
        for label, summary_by_value in result["by"].items():
            parts = rows_by_value(rows[labels[label]].iloc[at], label)
            part_by_value = {str(value): at[part] for value, part in parts}
            for value, row in summary_by_value.items():
                part = part_by_value.get(value, np.zeros(0, np.intp))
                # One domain is no sample of domains: within it, other items of it are meant.
                narrow = claim == "other-domains" and _distinct(domains, part) < 2
                row.update(dict.fromkeys(_ADDED))
                groups.append((row, part, DEFAULT_CLAIM if narrow else claim))
    _add(groups, rows.loc[:, [name for name in rows if name in _NUMBERS or str(name)[:1] == "_"]])


_Group = tuple[dict[str, Any], NDArray[np.intp], str]
"""Summary of a group, the positions of its rows, and the claim."""

_NEEDED = frozenset((
    *GROUPS, *LABELS.values(), *UNIT_LABELS, "item_id", "item_hash", "missing", "status",
    "format_error", *(measure.earned for measure in _READINGS.values()), "points_possible",
))  # fmt: skip
"""Columns of a scored table that intervals need."""


def _rows(table: pd.DataFrame, items: pd.DataFrame, labels: Collection[str]) -> pd.DataFrame:
    """`rows_of` a scored table, with its columns `labels`, numbered from 0."""
    roles = {name: role_of(str(name)) for name in table["examinee"].unique()}
    needed = pick(table, [name for name in table if name in _NEEDED or name in labels])
    role = [roles[name] for name in table["examinee"].to_numpy(dtype=object)]
    return rows_of(with_chance(needed, items).assign(role=role)).reset_index(drop=True)


def _distinct(domains: NDArray[np.intp], at: NDArray[np.intp]) -> int:
    """Return the number of domains of the items in a part of the rows; 0 without this label."""
    return len(np.unique(domains[at])) if len(domains) else 0


def _add(groups: Sequence[_Group], rows: pd.DataFrame) -> None:
    """Complete the table of groups: all intervals of a claim at once."""
    for claim in {claim for _, _, claim in groups}:
        same = [(row, part) for row, part, c in groups if c == claim and len(part)]
        if not same:
            continue
        parts = [part for _, part in same]
        rows_of_claim, sizes = rows.iloc[np.concatenate(parts)], [len(part) for part in parts]
        for name, measure in _READINGS.items():
            rates = rate_groups(rows_of_claim, sizes, measure, LEVEL, claim)
            chance = _CHANCE_OF.get(name, "")
            for (row, _), one in zip(same, rates, strict=True):
                row[name] = _ends(one)
                if chance in row:
                    level = one["chance"]
                    row[chance] = None if pd.isna(level) else float(level)


def _ends(interval: Mapping[str, Any]) -> list[float] | None:
    """An interval's ends; None if the claim gives no interval."""
    if pd.isna(interval["low"]):
        return None
    return [float(interval["low"]), float(interval["high"])]


def result_columns(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return the result of a group as columns of a table."""
    nothing = (float("nan"), float("nan"))
    (low, high), (free_low, free_high) = (
        one[name] or nothing for name in ("interval", "interval_lenient")
    )
    return {
        "n": one["n"],
        "answers": one["answers"],
        "accuracy": one["accuracy"],
        "ci_lower": low,
        "ci_upper": high,
        "lenient": one["lenient"],
        "ci_lower_lenient": free_low,
        "ci_upper_lenient": free_high,
        "ratio": one["ratio"],
        "errors": one["errors"],
        "missing": one["missing"],
        "chance": one["chance"],
    }
