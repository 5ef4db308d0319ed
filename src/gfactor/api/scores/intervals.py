"""Intervals and chance of what `gfactor score` tells, by the rule of every report.

`gfactor.reports.answers.group_rates` says how: the same scores have the same n,
interval and chance here and on the page of a report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.frames import pick
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, checked_claim, claim_in_words
from gfactor.reports.answers.group_rates import (
    ACCURACY,
    LENIENT,
    SCORE,
    RateMeasure,
    rate,
    rate_groups,
    rows_of,
)
from gfactor.reports.answers.results import role_of
from gfactor.scoring import by_label, with_chance
from gfactor.scoring.averaging import UNIT_LABELS
from gfactor.scoring.sampling import other_claim
from gfactor.scoring.summaries import GROUPS, LABELS, groups_of

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
    rows = _rows(table, items)
    labels = rows.loc[:, [name for name in rows if name in (*GROUPS, *LABELS.values())]]
    rows = rows.loc[:, [name for name in rows if name in _NUMBERS or str(name)[:1] == "_"]]
    parts = dict(groups_of(labels))
    nothing: Any = labels.iloc[:0]
    groups: list[_Group] = []
    for result in results:
        examinee, benchmark, condition = (str(result[name]) for name in GROUPS)
        answered: Any = parts.get((examinee, benchmark, condition), nothing)
        result.update(dict.fromkeys(_ADDED))
        groups.append((result, _at(answered), claim))
        domains = _domains(rows, answered)
        result["generalizes_to"] = claim_in_words(claim, domains)
        other = other_claim(checked_claim(claim), domains)
        result["other_claim"] = None if other is None else {
            "claim": other, "generalizes_to": claim_in_words(other, domains),
            **{name: _ends(rate(rows.iloc[_at(answered)], measure, LEVEL, other))
               for name, measure in _READINGS.items()},
        }  # fmt: skip
        for label, summary_by_value in result["by"].items():
            part_by_value: dict[str, Any] = {
                str(value): part for value, part in by_label(answered, label).items()
            }
            for value, row in summary_by_value.items():
                part = part_by_value.get(value, nothing)
                # One domain is no sample of domains: within it, other items of it are meant.
                narrow = claim == "other-domains" and _domains(rows, part) < 2
                row.update(dict.fromkeys(_ADDED))
                groups.append((row, _at(part), DEFAULT_CLAIM if narrow else claim))
    _add(groups, rows)


_Group = tuple[dict[str, Any], NDArray[np.intp], str]
"""Summary of a group, the positions of its rows, and the claim."""

_NEEDED = frozenset((
    *GROUPS, *LABELS.values(), *UNIT_LABELS, "item_id", "item_hash", "missing", "status",
    "format_error", *(measure.earned for measure in _READINGS.values()), "points_possible",
))  # fmt: skip
"""Columns of a scored table that intervals need."""


def _rows(table: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """`rows_of` a scored table, numbered from 0."""
    roles = {name: role_of(str(name)) for name in table["examinee"].unique()}
    needed = pick(table, [name for name in table if name in _NEEDED])
    role = [roles[name] for name in table["examinee"]]
    return rows_of(with_chance(needed, items).assign(role=role)).reset_index(drop=True)


def _at(part: pd.DataFrame) -> NDArray[np.intp]:
    """The positions of rows among all that are numbered."""
    return part.index.to_numpy()


def _domains(rows: pd.DataFrame, part: pd.DataFrame) -> int:
    """Return the number of domains of the items in a part of the rows; 0 without this label."""
    return int(rows["_domain"].iloc[_at(part)].nunique()) if "domain" in part else 0


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
            chance = _CHANCE_OF.get(name)
            for (row, _), one in zip(same, rates, strict=True):
                row[name] = _ends(one)
                if chance:
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
