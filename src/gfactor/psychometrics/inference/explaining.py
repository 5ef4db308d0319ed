"""Why two scores differ: the gap divided among the settings in which two measurements differ.

A measurement is a mean score under settings (prompt, images, decoding, extraction ...). If scores
are known for mixed settings, some as in the first and the others as in the second measurement, the
share of a setting is its mean effect over the orders of exchanging settings whose every step is
known (Shapley's value if all orders are known). Settings that cannot be separated in this way are
separated by items that only one of them concerns; otherwise they have a joint share.

All shares are means over items, so their standard errors are those of the items' contributions.

References
----------
Shapley, L. S. (1953). A value for n-person games. Contributions to the Theory of Games II, 307-317.
Shorrocks, A. F. (2013). Decomposition procedures for distributional analysis: a unified framework
    based on the Shapley value. Journal of Economic Inequality 11, 99-126.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.inference.claim import DEFAULT_CLAIM, Sampling
from gfactor.psychometrics.inference.intervals import checked_level
from gfactor.psychometrics.inference.paired import ROUNDING, ComparisonSettings, infer_claim, tango
from gfactor.results import Result, rounded

NOT_KNOWN = "not known"
"""Text of a setting that a measurement does not tell."""

Floats = NDArray[np.float64]

State = frozenset[str]
"""The settings that have the value of the second measurement; the others have that of the first."""


@dataclass(frozen=True, repr=False)
class DifferenceExplanation(Result):
    """Difference between two scores, divided among its causes.

    Parameters
    ----------
    first, second : str
        Labels of the two measurements.
    scores : DataFrame
        A row per measurement: `score` on all its items, `matched` on the common ones, `items`.
    shares : DataFrame
        A row per cause: `estimate` (the part of the gap, first minus second, that it explains),
        `se`, `ci_lower`, `ci_upper`, `method` (by which it was estimated), `first` and `second`
        (the settings). The estimates sum to the gap.
    gap : float
        First score minus second score, on all their items (or the published scores).
    level : float
        Confidence level of the intervals.
    matched : int
        Number of items that both measurements have.
    images : DataFrame
        Alterations of the images: kind of alteration, number of items, an example.
    diagnostics : tuple of Diagnostic
    claim, generalizes_to : str
        Population that the intervals of the shares generalize to: its name, and a description in
        words.
    """

    first: str
    second: str
    scores: Any
    shares: Any
    gap: float
    level: float
    matched: int
    images: Any
    diagnostics: tuple[Diagnostic, ...] = ()
    claim: str = DEFAULT_CLAIM
    generalizes_to: str = "generalizes to other items of this kind"

    @property
    def title(self) -> str:
        row = self.shares.loc["unexplained"]
        return (
            f"gap of {100 * self.gap:+z.1f} points between {self.first} and {self.second}, "
            f"{100 * row['estimate']:+z.1f} of them unexplained"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {
            "first": self.first,
            "second": self.second,
            "gap": self.gap,
            "matched": self.matched,
            "level": self.level,
            "claim": self.claim,
            "generalizes_to": self.generalizes_to,
        }

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        shares = {"shares": self.shares, "scores": self.scores}
        return shares | ({"images": self.images} if len(self.images) else {})

    def _lines(self) -> list[str]:
        lines = [f"{self.title}; every share {self.generalizes_to}", ""]
        lines += [rounded(self.scores, 4).to_string(), f"{self.matched:,} items match", ""]
        lines.append(pd.DataFrame(self._share_rows()).to_string(index=False))
        return lines + (["", "images", self.images.to_string(index=False)] * self._images_differ)

    @property
    def _images_differ(self) -> bool:
        """True if any item has other images; that all are the same stands among the causes."""
        return len(self.images) > 0 and not (self.images["kind"] == "same").all()

    def _share_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "cause": cause,
                "points": "-"
                if pd.isna(row["estimate"]) or (pd.isna(row["se"]) and not row["estimate"])
                else f"{100 * row['estimate']:+z.1f}",
                "interval": "-"
                if pd.isna(row["ci_lower"])
                else f"[{100 * row['ci_lower']:+z.1f}, {100 * row['ci_upper']:+z.1f}]",
                "how": row["method"],
                "first": row["first"],
                "second": "the same"
                if row["second"] == row["first"] != NOT_KNOWN
                else row["second"],
            }
            for cause, row in zip(self.shares.index, self.shares.to_dict("records"), strict=True)
        ]


@dataclass(frozen=True)
class Share:
    """A part of a difference: its size, and the contribution of every item to its error.

    Parameters
    ----------
    estimate : float
    influence : array of float
        Influence of every item, in the order of the matched items; the squared sum over clusters is
        the variance.
    method : str
        Method by which the share was computed.
    contributions : array of float
        Parts of the estimate by item, which sum to it; NaN if an answer is missing.
    """

    estimate: float
    influence: Floats
    method: str
    contributions: Floats


def shares_of_gap(
    states: Mapping[State, pd.DataFrame],
    factors: Sequence[str],
    concerned: Mapping[str, Floats] | None = None,
) -> dict[str, Share]:
    """Divide the difference between the states of no and of all factors among the factors.

    Parameters
    ----------
    states : mapping of frozenset of str to DataFrame
        Scores under each known combination of settings (the factors that stand as in the second
        measurement): `earned` and `possible` by item, all with one index; NaN if missing.
    factors : sequence of str
        The settings that differ.
    concerned : mapping of str to array, optional
        Items that a factor concerns, by factor: 1 for these, 0 for those that are the same in both
        measurements (an image that was not altered). A factor that is not named concerns all items.

    Returns
    -------
    dict of str to Share
        Shares by factor, or by several joined by " + " if these cannot be separated; and "rest".

    Raises
    ------
    ParameterError
        If the state of no factor or of all factors is missing.

    Examples
    --------
    >>> def seen(right):
    ...     return pd.DataFrame({"earned": right, "possible": 1.0}, index=range(4))
    >>> known = {frozenset(): seen([1.0, 1, 1, 0]), frozenset({"x"}): seen([1.0, 0, 1, 0]),
    ...          frozenset({"x", "y"}): seen([0.0, 0, 1, 0])}
    >>> {name: share.estimate for name, share in shares_of_gap(known, ["x", "y"]).items()}
    {'x': 0.25, 'y': 0.25, 'rest': 0.0}
    """
    full = frozenset(factors)
    if frozenset() not in states or full not in states:
        raise ParameterError("the scores under both measurements' own settings are needed")
    values = {state: _mean(table) for state, table in states.items() if state <= full}
    size = len(states[frozenset()])
    shares: dict[str, Share] = {}
    rest, leftover, beyond = 0.0, np.zeros(size), np.zeros(size)
    blocks, weights = _finest(full, set(values))
    for block in blocks:
        estimate, influence, contributions = 0.0, np.zeros(size), np.zeros(size)
        for (before, after), weight in weights[block].items():
            (one, ours), (other, theirs) = values[before], values[after]
            estimate += weight * (one - other)
            influence += weight * (ours - theirs)
            contributions += weight * (_items(states[before]) - _items(states[after]))
        names = sorted(block, key=list(factors).index)
        flags = np.column_stack([_flags(concerned, name, size) for name in names])
        parts = _by_items(contributions, flags)
        if parts is None:
            how = "all orders" if len(names) == 1 else "not separable"
            shares[" + ".join(names)] = Share(estimate, influence, how, contributions / size)
            continue
        for name, part in zip(names, parts, strict=True):
            shares[name] = part
        rest += estimate - sum(part.estimate for part in parts)
        leftover += influence - sum((part.influence for part in parts), np.zeros(size))
        beyond += contributions / size - sum((p.contributions for p in parts), np.zeros(size))
    return shares | {"rest": Share(rest, leftover, "matched items", beyond)}


def _mean(table: pd.DataFrame) -> tuple[float, Floats]:
    """Points per possible point, and the influence of every item on it."""
    earned, possible = (table[name].to_numpy(float) for name in ("earned", "possible"))
    there = ~np.isnan(earned)
    total = possible[there].sum()
    if not total:
        raise ParameterError("no matched item has an answer under one of the settings")
    value = float(earned[there].sum() / total)
    return value, np.where(there, (np.nan_to_num(earned) - value * possible) / total, 0.0)


def _items(table: pd.DataFrame) -> Floats:
    """Return each item's contribution to the mean; NaN for missing items."""
    earned, possible = (table[name].to_numpy(float) for name in ("earned", "possible"))
    return earned / possible[~np.isnan(earned)].sum() * len(earned)


def _finest(
    full: State, measured: set[State]
) -> tuple[list[State], dict[State, dict[tuple[State, State], float]]]:
    """Return the smallest blocks of factors that can be exchanged one by one through known states,
    and the weight of every such exchange: the share of orders that contain it."""
    for partition in sorted(
        _partitions(sorted(full)), key=lambda p: (-len(p), sorted(map(sorted, p)))
    ):
        weights = _weights(partition, full, measured)
        if weights is not None:
            return partition, weights
    raise AssertionError("one block of all factors is always known")


def _partitions(names: Sequence[str]) -> Iterator[list[State]]:
    if not names:
        yield []
        return
    first, *others = names
    for size in range(len(others) + 1):
        for mates in combinations(others, size):
            left = [name for name in others if name not in mates]
            for rest in _partitions(left):
                yield [frozenset((first, *mates)), *rest]


def _weights(
    blocks: Sequence[State], full: State, measured: set[State]
) -> dict[State, dict[tuple[State, State], float]] | None:
    unions = [
        frozenset().union(*chosen)
        for size in range(len(blocks) + 1)
        for chosen in combinations(blocks, size)
    ]
    steps = [
        (state, state | block, block)
        for state in unions
        for block in blocks
        if not block <= state and state in measured and (state | block) in measured
    ]
    onto, until = {frozenset[str](): 1.0}, {full: 1.0}
    for before, after, _ in steps:
        onto[after] = onto.get(after, 0.0) + onto.get(before, 0.0)
    for before, after, _ in reversed(steps):
        until[before] = until.get(before, 0.0) + until.get(after, 0.0)
    if not onto.get(full):
        return None
    weights: dict[State, dict[tuple[State, State], float]] = {block: {} for block in blocks}
    for before, after, block in steps:
        weight = onto.get(before, 0.0) * until.get(after, 0.0) / onto[full]
        if weight:
            weights[block][before, after] = weight
    return weights


def _flags(concerned: Mapping[str, Floats] | None, name: str, size: int) -> Floats:
    return np.asarray((concerned or {}).get(name, np.ones(size)), float)


def _by_items(contributions: Floats, flags: Floats) -> list[Share] | None:
    """The factors of a block by the items that they concern; None if these do not distinguish
    them, or if a single factor concerns all items."""
    there = ~np.isnan(contributions)
    x, d, n = flags[there], contributions[there], int(there.sum())
    if (flags == 1).all() or np.linalg.matrix_rank(x) < x.shape[1]:
        return None
    inverse = inv(x.T @ x)
    effects = inverse @ x.T @ d
    residuals = d - x @ effects
    by_effect = (x @ inverse) * residuals[:, None]
    parts = []
    for k in range(x.shape[1]):
        share = x[:, k].mean()
        influence = np.zeros(len(contributions))
        influence[there] = share * by_effect[:, k] + effects[k] * (x[:, k] - share) / n
        ours = effects[k] * flags[:, k] / n
        parts.append(Share(float(share * effects[k]), influence, "matched items", ours))
    return parts


def standard_error(
    influence: Floats, sampling: Sampling | NDArray[Any] | None = None
) -> tuple[float, float]:
    """Return the standard error of a share, and its degrees of freedom plus one.

    Parameters
    ----------
    influence : array of float
        Contribution of every item to the share's error.
    sampling : Sampling or array, optional
        Sampling of the items under a claim, or the cluster of every item; None takes items as
        independent.

    Returns
    -------
    se : float
        NaN if there are too few units.
    count : float
        Degrees of freedom plus one: with clusters, their number.
    """
    if isinstance(sampling, Sampling):
        if not influence.size:
            return np.nan, 0
        means = sampling.means(np.zeros(influence.size, int), influence)
        return float(means.se[0]) * influence.size, float(means.df[0]) + 1
    if sampling is None:
        sums = influence
    else:
        _, codes = np.unique(np.asarray(sampling, str), return_inverse=True)
        sums = np.bincount(codes, influence)
    count = sums.size
    if count < 2:
        return np.nan, count
    return float(np.sqrt(count / (count - 1) * np.sum(sums**2))), count


def share_row(
    share: Share, sampling: Sampling | NDArray[Any] | None, level: float
) -> dict[str, Any]:
    """Return estimate, standard error and interval of a share, for a table.

    If every item contributes a difference of right and wrong, the interval is that of a paired
    difference under the claim, as in `gfactor compare`. If all items contribute the same, it is
    Tango's interval. Otherwise it is a t interval, cut at 1 and -1, because scores lie between 0
    and 1.
    """
    checked_level(level)
    if isinstance(sampling, Sampling) and (paired := _right_and_wrong(share)) is not None:
        one = infer_claim(paired, sampling, ComparisonSettings(level=level), binary=True)
        low, high = np.clip([one.low, one.high], -1, 1)
        return {"estimate": share.estimate, "se": one.se, "ci_lower": float(low),
                "ci_upper": float(high), "method": share.method}  # fmt: skip
    se, count = standard_error(share.influence, sampling)
    if se <= ROUNDING and abs(share.estimate) <= 1:
        if isinstance(sampling, Sampling):
            count = len(np.unique(sampling.units))
        better, worse = (max(sign * share.estimate, 0.0) * count for sign in (1, -1))
        low, high = tango(better, worse, count, level)
        return {"estimate": share.estimate, "se": 0.0, "ci_lower": low, "ci_upper": high,
                "method": share.method}  # fmt: skip
    half = se * float(special.stdtrit(max(count - 1, 1), 0.5 + level / 2))
    ends = share.estimate - half, share.estimate + half
    if abs(share.estimate) <= 1:
        ends = max(ends[0], -1.0), min(ends[1], 1.0)
    return {
        "estimate": share.estimate,
        "se": se,
        "ci_lower": ends[0],
        "ci_upper": ends[1],
        "method": share.method,
    }


def _right_and_wrong(share: Share) -> Floats | None:
    """Return the items' differences of right and wrong that make a share; None if they do not."""
    d = share.contributions * share.contributions.size
    if not d.size or not np.isin(d.round(9), (-1.0, 0.0, 1.0)).all():
        return None
    same = np.allclose(share.influence, share.contributions - share.estimate / d.size, atol=1e-9)
    return d.round() if same else None


def asked_again(
    difference: float, contributions: Floats, level: float = 0.95
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the part of a difference that repeated asking explains, and the rest.

    If both sets of answers come from the same distribution, every item's difference is positive or
    negative with equal probability, and its expected size follows from the squared differences.

    Parameters
    ----------
    difference : float
        Difference of the means.
    contributions : array of float, shape (n,)
        The items' parts of it, which sum to it; NaN is left out.
    level : float
        Confidence level of the range of sampling error.

    Returns
    -------
    sampling, unexplained : dict
        Rows `estimate`, `se`, `ci_lower`, `ci_upper`. Sampling error is the part of the difference
        within the range that asking again gives; the rest is unexplained.

    Examples
    --------
    >>> sampling, beyond = asked_again(0.02, np.array([0.01, 0.01, 0.01, -0.01]))
    >>> sampling["estimate"], beyond["estimate"]
    (0.02, 0.0)
    """
    parts = contributions[~np.isnan(contributions)]
    se = float(np.sqrt(np.sum(parts**2)))
    half = se * float(special.ndtri(0.5 + checked_level(level) / 2))
    sampled = float(np.clip(difference, -half, half))
    beyond = difference - sampled
    return (
        {"estimate": sampled, "se": se, "ci_lower": -half, "ci_upper": half},
        {
            "estimate": beyond,
            "se": se,
            "ci_lower": difference - half,
            "ci_upper": difference + half,
        },
    )
