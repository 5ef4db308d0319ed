"""Accuracies and score ratios of groups of items, with n, interval and what guessing earns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics import cluster_t_counts, wilson
from gfactor.reports.accuracy import pooled_labels
from gfactor.reports.frames import column, mapped
from gfactor.reports.results import Results
from gfactor.scoring import averaged
from gfactor.scoring.frames import pick

Floats = NDArray[np.float64]

RATE_NOTE = (
    "Brackets: 95 % Wilson intervals (1927). Where items hang together (questions of one problem, "
    "the same number in several languages) or earn more than one point, each end is the outer one "
    "of Wilson's, with as many trials as there are such problems, and of a cluster-robust t "
    "interval over them (Cameron and Miller 2015). The occasions of an item are averaged first."
)
PEOPLE_NOTE = (
    "People are one row: n counts persons, and each end of the interval is the outer one of a t "
    "interval over persons and of Wilson's over their answers."
)
CHANCE_NOTE = (
    "Chance: expected of picking options without looking (of several right ones any set of "
    "options, nothing where an answer is written freely); an expectation, so without interval."
)


_UNUSED = ("answer", "answer_lenient", "outcome", "stage", "rule", "policy", "chance", "missing")
"""Columns that no table of items needs; without them, picking rows is cheaper."""


@dataclass(frozen=True)
class Measure:
    """What is counted: columns of what was earned, of what could be, and of what chance earns."""

    earned: str
    possible: str
    chance: str


ACCURACY = Measure("correct", "_one", "_guess")
"""The share of items that are right as a whole."""

SCORE = Measure("points", "points_possible", "_guess_share")
"""MULTI's score ratio: points earned per possible point."""


def item_rows(results: Results) -> pd.DataFrame:
    """One row per examinee, condition and item, occasions averaged; `label` pools the simulated
    population and people, `_unit` names what is independent: the problem, the number that an item
    has in all languages, or the item; of the population and of people the person."""
    rows = averaged(results.answers).assign(_one=1.0)
    rows["label"] = pooled_labels(rows)
    own = next(name for name in ("problem", "number", "item_hash") if name in rows)
    unit = column(rows, own).astype(str)
    several = column(rows, "role").isin(["population", "person"])
    unit = unit.mask(several, column(rows, "examinee"))
    items = column(rows, "item_id").astype(str) + "@" + column(rows, "item_hash").astype(str)
    numbered = rows.assign(_unit=pd.factorize(unit)[0], _item=pd.factorize(items)[0])
    return numbered.drop(columns=[name for name in _UNUSED if name in numbered])


def rates(
    rows: pd.DataFrame, by: Sequence[str], measure: Measure, level: float = 0.95
) -> pd.DataFrame:
    """Columns `by`, `n`, `value`, `low`, `high` and `chance`, a row per group, sorted.

    `n` counts items, of people persons. Groups in which nothing can be earned are left out.
    """
    found = []
    keys = list(by)
    for key, own in _groups(rows, keys):
        possible = column(own, measure.possible).to_numpy(float)
        if possible.sum() > 0:
            row = dict(zip(keys, key, strict=True)) | rate(own, measure, level)
            found.append(row | {"chance": expected(own, measure)})
    return pd.DataFrame(found, columns=[*keys, "n", "value", "low", "high", "chance"])


def rate(own: pd.DataFrame, measure: Measure, level: float) -> dict[str, Any]:
    """`n`, `value`, `low` and `high` of the rows of one group."""
    k, n = by_unit(own, measure)
    people = own["role"].iloc[0] in ("population", "person")
    trials = n.sum() if people else float(len(n))
    value = k.sum() / n.sum()
    low, high = (float(end) for end in wilson(value * trials, trials, level))
    if people or not _single(k, n):
        t_low, t_high = cluster_t_counts(k[None], n[None], level)
        low = float(np.fmin(low, np.clip(t_low[0], 0, 1)))
        high = float(np.fmax(high, np.clip(t_high[0], 0, 1)))
    return {"n": len(n) if people else len(own), "value": value, "low": low, "high": high}


def expected(own: pd.DataFrame, measure: Measure) -> float:
    """What chance earns on the items of these rows, each item once; NaN where that is unknown."""
    if measure.chance not in own:
        return float("nan")
    _, first = np.unique(column(own, "_item").to_numpy(), return_index=True)
    levels, weights = (
        column(own, name).to_numpy(float)[first] for name in (measure.chance, measure.possible)
    )
    return float(np.average(levels, weights=weights))


def by_unit(own: pd.DataFrame, measure: Measure) -> tuple[Floats, Floats]:
    """What every unit earned, and could have."""
    _, units = np.unique(column(own, "_unit").to_numpy(), return_inverse=True)
    earned, possible = (
        np.bincount(units, column(own, name).to_numpy(float)).astype(float)
        for name in (measure.earned, measure.possible)
    )
    return earned, possible


def first_seen(rows: pd.DataFrame, results: Results) -> dict[str, int]:
    """The place of every label: models, people, baselines in the order in which they are shown."""
    order = {label: place for place, label in enumerate(results.labels())}
    plain = dict(zip(rows["label"], rows["role"], strict=True))
    pooled = [label for label in plain if label not in order]
    roles = {"population": 0.25, "person": 0.5}
    baselines = [order[x] for x, role in plain.items() if role == "baseline"]
    before = min(baselines, default=len(order)) - 1
    places = {**order, **{label: before + roles[plain[label]] for label in pooled}}
    return {label: k for k, label in enumerate(sorted(plain, key=lambda x: (places[x], x)))}


def ordered(frame: pd.DataFrame, results: Results, rows: pd.DataFrame) -> pd.DataFrame:
    """A table sorted by its labels' places, otherwise as it is."""
    places = mapped(column(frame, "label"), first_seen(rows, results))
    return frame.iloc[np.argsort(places.to_numpy(float), kind="stable")].reset_index(drop=True)


def _groups(
    rows: pd.DataFrame, keys: Sequence[str]
) -> Iterator[tuple[tuple[Any, ...], pd.DataFrame]]:
    for key, own in rows.groupby(list(keys), sort=True, observed=True):
        yield cast(tuple[Any, ...], key), own


def _single(k: Floats, n: Floats) -> bool:
    """Whether every unit is one answer that is right or wrong."""
    return bool(np.all(n == 1) and np.all((k == 0) | (k == 1)))


def having(rows: pd.DataFrame, name: str, value: object) -> pd.DataFrame:
    """The rows whose label is this value, or holds it where it is a list."""
    wanted = [
        value in held if isinstance(held, list | tuple) else held == value
        for held in column(rows, name)
    ]
    return pick(rows, np.array(wanted, dtype=bool))
