"""Accuracies and score ratios of groups of items, with n, interval and what guessing earns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.frames import column, mapped, pick
from gfactor.psychometrics import cluster_t_counts, group_means
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM
from gfactor.reports.answers.results import Results, pooled_labels
from gfactor.scoring import averaged, units
from gfactor.scoring.averaging import ANSWERS

Floats = NDArray[np.float64]

_COUNTED = (
    "n counts items, once per examinee; the occasions of an item are averaged first. Brackets: "
    "95 % intervals. "
)
RATE_NOTE = (
    f"{_COUNTED}They say how a score generalizes to other items of the same domains: items "
    "are a sample within each domain, domains are fixed. Wilson's (1927) equation is solved with "
    "that variance and Satterthwaite's degrees of freedom; within one domain it is Wilson's "
    "interval. Items that share a picture, a problem (MULTI) or a translation (M3GIA, MM-IQ) are "
    "one unit."
)
CLAIM_NOTES: Mapping[str, str] = {
    "same-domains": RATE_NOTE,
    "other-domains": (
        f"{_COUNTED}They say how a score generalizes to other domains of this kind: whole domains "
        "are a sample. Of items of one domain they are about other items of it."
    ),
    "these-items": (
        f"{_COUNTED}They hold for exactly these items: only the answers vary, from occasion to "
        "occasion."
    ),
}
"""Sentences about the meaning of intervals, by claim."""

PEOPLE_NOTE = (
    "People, and the simulated population, are one row each: n counts items once per person, and "
    "the interval is not narrower than that of a t over persons."
)
CHANCE_NOTE = (
    "Chance is expected of answering without looking, so it has no interval: one of the options; "
    "of several right ones any set of options; nothing if an answer is written freely; without "
    "options the answer of another item of the domain."
)

_UNUSED = ("answer", "answer_lenient", "outcome", "stage", "rule", "policy", "missing")
"""Columns that no table of items needs; without them, picking rows is cheaper."""

_NOISE = "_variance_of_"
"""Columns: the variance of a row's mean over its occasions."""

_ESTIMATES = ("value", "low", "high", "chance")
"""Estimates for a group of rows."""

SAMPLED = ("population", "person")
"""Roles whose members are a sample of those that might have answered."""


@dataclass(frozen=True)
class RateMeasure:
    """Definition of a rate: columns of earned points, possible points, and points expected by
    chance."""

    earned: str
    possible: str = "_one"
    chance: str = "chance"


ACCURACY = RateMeasure("correct")
"""The share of items that are right as a whole, by the benchmark's own rule."""

LENIENT = RateMeasure("correct_lenient")
"""The same, replies read leniently."""

SCORE = RateMeasure("points", "points_possible", "chance_share")
"""MULTI's score ratio: points earned per possible point."""

FORMAT_ERRORS = RateMeasure("format_error", chance="_none")
"""The share of answers that do not conform to the output format."""


def item_rows(results: Results) -> pd.DataFrame:
    """Return `rows_of` a report's answers, with `label` pooling the simulated population and
    people."""
    return results.once(_pooled_rows)


def own_rows(results: Results) -> pd.DataFrame:
    """Return `rows_of` a report's answers, with everybody's own label."""
    return results.once(_rows)


def _rows(results: Results) -> pd.DataFrame:
    return rows_of(results.answers)


def _pooled_rows(results: Results) -> pd.DataFrame:
    rows = own_rows(results)
    return rows.assign(label=pooled_labels(rows))


def rows_of(answers: pd.DataFrame) -> pd.DataFrame:
    """Return one row per examinee, condition and item, with the occasions averaged; these rows are
    the n of tables.

    Parameters
    ----------
    answers: a scored table; with `chance` and `chance_share` where chance is to be told, and `role`
        where people and populations are samples.

    Returns
    -------
    The columns that tables need, and `_one`, `_unit` (what is independent, `scoring.units`),
    `_person` (the examinee where it is one of a sample, else -1) and `_item`.
    """
    rows = averaged(answers).assign(_one=1.0)
    items = column(rows, "item_id").astype(str) + "@" + column(rows, "item_hash").astype(str)
    person = np.full(len(rows), -1)
    if "role" in rows:
        sampled = column(rows, "role").isin(SAMPLED).to_numpy(bool)
        person = np.where(sampled, pd.factorize(column(rows, "examinee"))[0], -1)
    domains = pd.Series("", rows.index)
    for name in ("benchmark", "domain"):
        domains = domains + " " + column(rows, name).astype(str) if name in rows else domains
    numbered = rows.assign(
        _unit=pd.factorize(units(rows))[0],
        _item=pd.factorize(items)[0],
        _person=person,
        _domain=pd.factorize(domains)[0],
        **_noise(answers, rows),
    )
    return numbered.drop(columns=[name for name in _UNUSED if name in numbered])


def _noise(answers: pd.DataFrame, rows: pd.DataFrame) -> dict[str, Any]:
    """The variance of every row's mean over its occasions; nothing if all have one."""
    if ANSWERS not in rows or (column(rows, ANSWERS) < 2).all():
        return {}
    counted = pick(answers, ~answers["missing"].astype(bool))
    keys = ["examinee", "condition", "item_id", "item_hash"]
    names = [n for n in ("correct", "correct_lenient", "points", "format_error") if n in counted]
    grouped: Any = counted.astype(dict.fromkeys(names, float)).groupby(keys, sort=False)[names]
    variance = grouped.var(ddof=1).div(grouped.size(), axis=0)
    at = pd.MultiIndex.from_frame(rows.loc[:, keys])
    return {_NOISE + name: variance[name].reindex(at).to_numpy() for name in names}


def rates(
    rows: pd.DataFrame,
    by: Sequence[str],
    measure: RateMeasure,
    level: float = 0.95,
    claim: str = DEFAULT_CLAIM,
) -> pd.DataFrame:
    """Return columns `by`, `n`, `value`, `low`, `high` and `chance`, a row per group, sorted.

    Tables, figures and `gfactor score` all use this function for scores, intervals and chance
    levels (`RATE_NOTE`, `CHANCE_NOTE`). Groups without possible points are left out.

    Parameters
    ----------
    rows: `rows_of` or `item_rows`.
    by: columns whose combinations are the groups; a row that lacks one of them is in no group.
    claim: population that the values generalize to (`gfactor.psychometrics.CLAIMS`).
    """
    return rates_of_each(rows, by, (measure,), level, claim)[0]


def rates_of_each(
    rows: pd.DataFrame,
    by: Sequence[str],
    measures: Sequence[RateMeasure],
    level: float = 0.95,
    claim: str = DEFAULT_CLAIM,
) -> list[pd.DataFrame]:
    """Return `rates` by several measures, of groups that are formed once."""
    keys = list(by)
    grouped = rows.groupby(keys, sort=True, observed=True)
    names = grouped.size().index.to_frame(index=False)
    # Rows without one of the labels belong to no group; pandas numbers them NaN.
    codes = grouped.ngroup().fillna(-1).to_numpy(np.intp)
    in_groups = codes >= 0
    if not in_groups.all():
        rows, codes = rows.loc[in_groups], codes[in_groups]
    tables = []
    for measure in measures:
        estimates = _rates(rows, codes, len(names), measure, level, claim)
        whole = pd.concat([names, pd.DataFrame(estimates)], axis=1)
        whole = whole.loc[estimates["possible"] > 0]
        tables.append(whole.drop(columns="possible").reset_index(drop=True))
    return tables


def rate(
    rows: pd.DataFrame, measure: RateMeasure, level: float, claim: str = DEFAULT_CLAIM
) -> dict[str, Any]:
    """Return `n`, `value`, `low`, `high`, `chance` of the rows of one group; NaN if there is
    none."""
    estimates = _rates(rows, np.zeros(len(rows), int), 1, measure, level, claim)
    return {"n": len(rows), **{name: float(estimates[name][0]) for name in _ESTIMATES}}


def rate_each(
    parts: Sequence[pd.DataFrame], measure: RateMeasure, level: float, claim: str = DEFAULT_CLAIM
) -> list[dict[str, Any]]:
    """Return `rate` of many groups of rows at once, which is faster than one by one.

    Parameters
    ----------
    parts: rows of each group, none of them empty.
    """
    if not parts:
        return []
    rows = pd.concat(parts, ignore_index=True)
    return rate_groups(rows, [len(part) for part in parts], measure, level, claim)


def rate_groups(
    rows: pd.DataFrame,
    sizes: Sequence[int],
    measure: RateMeasure,
    level: float,
    claim: str = DEFAULT_CLAIM,
) -> list[dict[str, Any]]:
    """Return `rate_each` of groups whose rows follow one another.

    Parameters
    ----------
    rows: the columns of `rows_of` that are numbers, for all groups.
    sizes: number of rows of each group, none of them 0.
    """
    codes = np.repeat(np.arange(len(sizes)), sizes)
    estimates = _rates(rows, codes, len(sizes), measure, level, claim)
    values = (estimates[name].tolist() for name in ("n", *_ESTIMATES))
    return [dict(zip(("n", *_ESTIMATES), row, strict=True)) for row in zip(*values, strict=True)]


def domains_of(rows: pd.DataFrame) -> int:
    """Return the number of domains of the items in these rows; 0 for none."""
    return 0 if not {"domain", "_domain"} <= set(rows) else int(column(rows, "_domain").nunique())


def expected(rows: pd.DataFrame, measure: RateMeasure) -> float:
    """Return the chance level of the items of these rows, each item once; NaN if unknown."""
    return float(_expected(rows, np.zeros(len(rows), int), 1, measure)[0])


def over_domains(rows: pd.DataFrame, measure: RateMeasure, level: float = 0.95) -> dict[str, Any]:
    """Return the interval of the same mean under the claim "other-domains".

    Returns
    -------
    `clusters` (how many domains), `low` and `high`, from 0 to 1; NaN if there is one domain.
    """
    over = rate(rows, measure, level, "other-domains")
    return {"clusters": domains_of(rows), "low": over["low"], "high": over["high"]}


def _rates(
    rows: pd.DataFrame,
    codes: NDArray[np.intp],
    groups: int,
    measure: RateMeasure,
    level: float,
    claim: str,
) -> dict[str, NDArray[Any]]:
    """`n`, `value`, `low`, `high`, `chance` and `possible` of every group of rows."""
    earned, possible = (
        column(rows, name).to_numpy(float) for name in (measure.earned, measure.possible)
    )
    noise = _NOISE + measure.earned
    means = group_means(
        codes,
        np.minimum(earned, possible),
        possible,
        claim=claim,
        units=column(rows, "_unit").to_numpy(),
        domains=column(rows, "_domain").to_numpy() if "_domain" in rows else None,
        answer_variance=column(rows, noise).to_numpy(float) / np.where(possible > 0, possible, 1)
        ** 2 if noise in rows else None,
    )  # fmt: skip
    low, high = means.interval(level)
    persons = column(rows, "_person").to_numpy()
    several = np.zeros(groups, bool)
    several[np.unique(codes[persons >= 0])] = True
    if several.any():
        over = cluster_t_counts(*_per_cluster(rows, codes, groups, "_person", measure), level)
        low, high = _outer(_full(low, groups), _full(high, groups), over, several)
    return {
        "n": np.bincount(codes, minlength=groups),
        "value": _full(means.value, groups),
        "low": _full(low, groups),
        "high": _full(high, groups),
        "chance": _expected(rows, codes, groups, measure),
        "possible": np.bincount(codes, possible, groups),
    }


def _full(values: Floats, groups: int) -> Floats:
    """Values of groups with rows, and NaN for those behind them that have none."""
    return np.concatenate([values, np.full(groups - len(values), np.nan)])


def _outer(
    low: Floats, high: Floats, other: tuple[Floats, Floats], where: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Return the outer ends of two intervals; NaN ends are ignored."""
    t_low, t_high = (np.clip(end, 0, 1) for end in other)
    return (
        np.where(where, np.fmin(low, t_low), low),
        np.where(where, np.fmax(high, t_high), high),
    )


def _per_cluster(
    rows: pd.DataFrame, codes: NDArray[np.intp], groups: int, cluster: str, measure: RateMeasure
) -> tuple[Floats, Floats]:
    """Return what every cluster of every group earned, and could have: groups x clusters, filled up
    with clusters that could earn nothing.
    """
    pairs, inverse, of = _pairs(codes, column(rows, cluster).to_numpy())
    first = np.searchsorted(of, np.arange(groups + 1))
    width = max(1, int(np.diff(first).max(initial=0)))
    at = (of * width + np.arange(len(pairs)) - first[of])[inverse]
    earned, possible = (
        np.bincount(at, column(rows, name).to_numpy(float), groups * width).astype(float)
        for name in (measure.earned, measure.possible)
    )
    cells = (groups, width)
    return np.minimum(earned, possible).reshape(cells), possible.reshape(cells)


def _pairs(
    codes: NDArray[np.intp], names: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """The pairs of group and name that occur, sorted: themselves as one number each, which of them
    every row is, and the group of each."""
    span = int(names.max(initial=0)) + 2
    keys, inverse = np.unique(codes * span + names + 1, return_inverse=True)
    return keys, inverse.reshape(-1), keys // span


def _expected(
    rows: pd.DataFrame, codes: NDArray[np.intp], groups: int, measure: RateMeasure
) -> Floats:
    """Return what chance earns in every group, each item once, over items where it is known."""
    if measure.chance not in rows:
        return np.full(groups, np.nan)
    _, inverse, _ = _pairs(codes, column(rows, "_item").to_numpy())
    _, first = np.unique(inverse, return_index=True)
    levels, weights = (
        column(rows, name).to_numpy(float)[first] for name in (measure.chance, measure.possible)
    )
    finite = np.isfinite(levels)
    of, levels, weights = codes[first][finite], levels[finite], weights[finite]
    with np.errstate(invalid="ignore"):
        return np.bincount(of, levels * weights, groups) / np.bincount(of, weights, groups)


def _first_seen(rows: pd.DataFrame, results: Results) -> dict[str, int]:
    """The place of every label: models, people, baselines in the order in which they are shown."""
    order = {label: position for position, label in enumerate(results.labels())}
    plain = dict(zip(rows["label"], rows["role"], strict=True))
    pooled = [label for label in plain if label not in order]
    roles = {"population": 0.25, "person": 0.5}
    baselines = [order[x] for x, role in plain.items() if role == "baseline"]
    before = min(baselines, default=len(order)) - 1
    positions = {**order, **{label: before + roles[plain[label]] for label in pooled}}
    return {label: k for k, label in enumerate(sorted(plain, key=lambda x: (positions[x], x)))}


def ordered(frame: pd.DataFrame, results: Results, rows: pd.DataFrame) -> pd.DataFrame:
    """Return a table sorted by its labels' places, otherwise as it is."""
    positions = mapped(column(frame, "label"), _first_seen(rows, results))
    return frame.iloc[np.argsort(positions.to_numpy(float), kind="stable")].reset_index(drop=True)


def having(rows: pd.DataFrame, name: str, value: object) -> pd.DataFrame:
    """Return the rows whose label is this value, or holds it if it is a list."""
    wanted = [
        value in content if isinstance(content, list | tuple) else content == value
        for content in column(rows, name)
    ]
    return pick(rows, np.array(wanted, dtype=bool))
