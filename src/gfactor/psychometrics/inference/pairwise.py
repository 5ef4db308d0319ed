"""All paired differences of many runs at once, as matrices: for leaderboards of hundreds of runs.

`differences.all_pairs` tests one pair after the other and returns all details; here the same
estimates, standard errors, intervals and p-values come from a few products of matrices, so that 300
runs (44,850 pairs) on 6,000 items take seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from gfactor.psychometrics.inference.claim import Sampling
from gfactor.psychometrics.inference.multiplicity import holm_directional
from gfactor.psychometrics.inference.paired import (
    ComparisonSettings,
    Inference,
    infer,
    infer_claim,
    mcnemar_p,
    score_p,
    stratified_score,
    subtracted,
    tango,
)
from gfactor.psychometrics.inference.ranks import bounds_of_ranks
from gfactor.psychometrics.inference.runs import CheckedRuns, Clusters

Floats = NDArray[np.float64]

_CANCELLED = 1e-7
"""A sum of squares below this share of the number from which it is subtracted has lost half of its
digits and is computed again from the differences themselves."""


@dataclass(frozen=True)
class Pairwise:
    """Differences of all pairs of k runs, first minus second.

    Parameters
    ----------
    names : Index
        The runs.
    estimate, se, p, n : array (k, k)
        Row minus column on the items that both have: the mean difference, its standard error, the
        two-sided p and the number of items. NaN if nothing can be said; the diagonal is 0.
    clusters : array (k, k)
        Clusters behind each pair (items without clusters): degrees of freedom plus one.
    p_holm : array (k, k)
        Adjusted over both directions of all pairs (`multiplicity.holm_directional`).
    exact : bool
        True if p is McNemar's exact p, False if it is that of a (cluster-robust) t test.
    within : Pairwise, optional
        Under the claim "other-domains", the same for other items of these domains; no difference is
        more certain than there.
    """

    names: pd.Index
    estimate: Floats
    se: Floats
    p: Floats
    n: Floats
    clusters: Floats
    p_holm: Floats
    exact: bool
    df: Floats | None = None
    trials: Floats | None = None
    sampling: Sampling | None = None
    within: Pairwise | None = None

    def rank_sets(self, level: float = 0.95) -> pd.DataFrame:
        """Return the rank set of each run (`ranks.rank_sets`): `best` and `worst` rank, 1 is the
        best.

        Parameters
        ----------
        level : float
            Probability that all sets together contain all true ranks.

        Returns
        -------
        DataFrame
            Indexed by run, in the order of `names`.
        """
        sure = np.nan_to_num(self.p_holm, nan=1.0) < 1 - level
        return pd.DataFrame(bounds_of_ranks(sure & (self.estimate < 0)), index=self.names)

    def ordered(self, names: Sequence[Any]) -> Pairwise:
        """Return the pairs with the runs in this order."""
        at = self.names.get_indexer(pd.Index(names))
        matrices = {
            name: getattr(self, name)[np.ix_(at, at)]
            for name in ("estimate", "se", "p", "n", "clusters", "p_holm", "df", "trials")
            if getattr(self, name) is not None
        }
        within = None if self.within is None else self.within.ordered(names)
        return replace(self, names=self.names[at], within=within, **matrices)


def compare_pairs(
    scores: pd.DataFrame,
    clusters: Clusters | None = None,
    *,
    sampling: Sampling | None = None,
    answer_variance: pd.DataFrame | None = None,
) -> Pairwise:
    """Compare all pairs of runs on the items that both have.

    Parameters
    ----------
    scores : DataFrame
        Items x runs; NaN is a missing answer.
    clusters : Clusters, optional
        Label of each item's cluster, as in `differences.all_pairs`; None if items are independent.
    sampling : Sampling, optional
        Sampling of the items under a claim, as in `differences.all_pairs`.
    answer_variance : DataFrame, optional
        Variance of every score over its occasions, as in `differences.all_pairs`.

    Returns
    -------
    Pairwise
        Estimates, standard errors and p of `all_pairs` with the method "auto", as matrices.

    Raises
    ------
    ParameterError
        For repeated items or runs, infinite scores, or items without a cluster.

    Examples
    --------
    >>> right = np.random.default_rng(1).random((200, 3)) < [0.9, 0.6, 0.6]
    >>> scores = pd.DataFrame(right.astype(float), columns=list("abc"))
    >>> compare_pairs(scores).rank_sets().loc["a"].tolist()
    [1, 1]

    References
    ----------
    Cameron, A. C., Miller, D. L. (2015). A practitioner's guide to cluster-robust inference.
    Journal of Human Resources 50, 317-372.
    """
    runs = CheckedRuns.of(scores, clusters, sampling, answer_variance)
    x, codes = runs.scores.to_numpy(), runs.codes
    if runs.sampling is not None:
        single = len(np.unique(runs.sampling.units)) == len(x)
        one = len(np.unique(runs.sampling.strata)) == 1
        plain = single and one and bool(np.isin(np.nan_to_num(x), (0, 1)).all())
        if runs.sampling.claim != "same-domains" or not plain:
            wider = _under_claim(runs, runs.sampling)
            if runs.sampling.within is None:
                return wider
            return _not_surer(wider, compare_pairs(scores, sampling=runs.sampling.within))
    observed = (~np.isnan(x)).astype(float)
    filled = np.nan_to_num(x)
    binary = bool(np.isin(filled, (0, 1)).all())
    sums = _summed(filled, observed, codes)
    with np.errstate(invalid="ignore", divide="ignore"):
        estimate = np.where(sums.n > 0, sums.d / sums.n, np.nan)
        squares = sums.dd + estimate**2 * sums.nn - 2 * estimate * sums.dn
        g = sums.groups
        se = np.sqrt(np.maximum(squares, 0) * g / (g - 1)) / sums.n
        p = 2 * special.stdtr(g - 1, -np.abs(estimate) / se)
    exact = binary and codes is None
    if exact:
        wins = np.rint(filled.T @ (observed - filled)).astype(int)
        p = mcnemar_p(wins, wins.T)
    p = np.where((sums.n > 0) & ((g > 1) | exact), p, np.nan)
    # If almost no spread is left, it depends on the order of the additions. Such pairs are few
    # (equal or constant runs) and are tested one by one, as in `all_pairs`.
    cancelled = (squares <= _CANCELLED * sums.whole) & (sums.n > 0) & (g > 1)
    for a, b in np.argwhere(np.triu(cancelled, 1)):
        one = _judged(x, codes, a, b, ComparisonSettings(), binary=binary)
        estimate[a, b], estimate[b, a] = one.estimate, -one.estimate
        se[a, b] = se[b, a] = one.se
        p[a, b] = p[b, a] = one.p
    np.fill_diagonal(se, 0.0)
    np.fill_diagonal(estimate, 0.0)
    np.fill_diagonal(p, 1.0)
    return Pairwise(
        runs.scores.columns, estimate, se, p, sums.n, g, _adjusted(p), exact,
        sampling=runs.sampling,
    )  # fmt: skip


def _adjusted(p: Floats) -> Floats:
    """Holm's adjustment over both directions of all pairs."""
    upper = np.triu_indices(len(p), 1)
    p_holm = np.ones_like(p)
    p_holm[upper] = holm_directional(p[upper])
    return np.where(np.tri(len(p), dtype=bool), p_holm.T, p_holm)


def _not_surer(wider: Pairwise, narrower: Pairwise) -> Pairwise:
    """`paired.not_surer` as matrices; `pair_table` joins the intervals."""
    finite = np.isfinite(narrower.p)
    p = np.where(finite, np.maximum(wider.p, narrower.p), wider.p)
    return replace(wider, p=p, p_holm=_adjusted(p), within=narrower)


def _under_claim(runs: CheckedRuns, sampling: Sampling) -> Pairwise:
    """The differences of all pairs under a claim: `paired.infer_claim` as matrices."""
    x = runs.scores.to_numpy()
    observed = (~np.isnan(x)).astype(float)
    filled = np.nan_to_num(x)
    n = observed.T @ observed
    with np.errstate(invalid="ignore", divide="ignore"):
        lead = filled.T @ observed
        estimate = np.where(n > 0, (lead - lead.T) / n, np.nan)
    k = x.shape[1]
    binary = bool(np.isin(filled, (0, 1)).all()) and sampling.claim == "same-domains"
    se, df, units = (np.full((k, k), np.nan) for _ in range(3))
    trials = np.full((k, k), np.nan) if binary else None
    if sampling.claim == "these-items":
        odd = np.triu_indices(k, 1)
    else:
        moments = _claimed_moments(filled, observed, sampling)
        with np.errstate(invalid="ignore", divide="ignore"):
            se, df, units = np.sqrt(moments.variance) / n, moments.df, moments.units
            if trials is not None:
                effect = moments.variance / np.where(moments.rows > 0, moments.rows, np.nan)
                least = np.minimum(units, n)
                trials = np.where(effect > 0, np.clip(n / effect, least, n), least)
        # If almost no spread is left, it depends on the order of the additions.
        rounded = np.zeros((k, k), bool) if binary else moments.cancelled
        odd = np.nonzero(np.triu(moments.lone | rounded, 1))
    settings = ComparisonSettings()
    p = np.full((k, k), np.nan)
    with np.errstate(invalid="ignore", divide="ignore"):
        if trials is not None:
            spread = trials * (trials * se**2 + estimate**2)
            rests = np.maximum(spread, trials * np.abs(estimate))
            p = score_p(estimate, rests / trials**2, df)
        else:
            p = 2 * special.stdtr(df, -np.abs(estimate) / se)
    known_p = (n > 0) & (units > 1) & (df > 0)
    p, se = np.where(known_p, p, np.nan), np.where(known_p, se, np.nan)
    # Pairs that missing answers leave with a domain of one unit are tested one by one.
    for i, j in zip(*odd, strict=True):
        both = (observed[:, i] * observed[:, j]) > 0
        noise = None
        if runs.answer_variance is not None:
            noise = runs.answer_variance.to_numpy()[both][:, [i, j]].sum(axis=1)
        d, size = subtracted(x[both, i], x[both, j])
        here = sampling.among(both)
        one = infer_claim(d, here, settings, binary=binary, size=size, answer_variance=noise)
        means = here.means(np.zeros(d.size, int), d, noise) if d.size else None
        for at, sign in (((i, j), 1), ((j, i), -1)):
            estimate[at], se[at], p[at] = sign * one.estimate, one.se, one.p
            df[at] = np.nan if means is None else means.df[0]
            units[at] = 0 if means is None else means.units[0]
            if trials is not None and means is not None:
                trials[at] = np.nan if one.method == "exact" else means.trials[0]
    np.fill_diagonal(estimate, 0.0)
    np.fill_diagonal(p, 1.0)
    return Pairwise(
        runs.scores.columns, estimate, se, p, n, units, _adjusted(p), exact=False, df=df,
        trials=trials, sampling=sampling,
    )  # fmt: skip


@dataclass(frozen=True)
class _DifferenceMoments:
    """Moments of every pair's differences: the variance of their sum under the claim, the same with
    every item as a unit, degrees of freedom, units, whether a stratum holds one unit, and whether
    the spread in a stratum is so small that its digits are lost.
    """

    variance: Floats
    rows: Floats
    df: Floats
    units: Floats
    lone: NDArray[np.bool_]
    cancelled: NDArray[np.bool_]


def _claimed_moments(filled: Floats, observed: Floats, sampling: Sampling) -> _DifferenceMoments:
    """Moments under the claim; for other domains the variance is at least that within domains."""
    moments = _moments(filled, observed, sampling)
    if sampling.within is None:
        return moments
    within = _moments(filled, observed, sampling.within)
    variance = np.fmax(moments.variance, within.variance)
    return replace(moments, variance=variance, lone=moments.lone | within.lone)


def _moments(x: Floats, observed: Floats, sampling: Sampling) -> _DifferenceMoments:
    k = x.shape[1]
    parts: list[tuple[Floats, Floats, Floats]] = []
    rows_variance, units = np.zeros((k, k)), np.zeros((k, k))
    lone, cancelled = np.zeros((k, k), bool), np.zeros((k, k), bool)
    for stratum in np.unique(sampling.strata):
        here = np.flatnonzero(sampling.strata == stratum)
        _, codes, sizes = np.unique(sampling.units[here], return_inverse=True, return_counts=True)
        codes = codes.reshape(-1)
        alone = here[sizes[codes] == 1]
        s, n, q = _item_sums(x[here], observed[here])
        grouped = [here[codes == code] for code in np.flatnonzero(sizes > 1)]
        own_s, own_n, own_q = _item_sums(x[alone], observed[alone])
        count = own_n.copy()
        with np.errstate(invalid="ignore", divide="ignore"):
            ratio = np.where(n > 0, s / n, 0.0)
            by_item = q - ratio * s
            rows_variance += np.where(n > 1, np.maximum(by_item, 0) * n / (n - 1), 0.0)
            share = np.where(n > 1, 1 - 1 / n, 1.0)
            residual = own_q - 2 * ratio * own_s + ratio**2 * own_n
            squares = np.maximum(residual, 0.0) / share**2
            for members in grouped:
                d, m, _ = _item_sums(x[members], observed[members])
                count += m > 0
                left = np.where(m < n, 1 - m / np.maximum(n, 1), 1.0)
                squares += ((d - ratio * m) / left) ** 2
            several = count > 1
            variance = np.where(several, squares * (count - 1) / count, 0.0)
            few = several & (variance <= _CANCELLED * _squared(x[here], observed[here]))
            variance = np.where(few, 0.0, variance)
            design = np.where(several, n**2 / count, 0.0)
        parts.append((variance, design, np.where(several, count - 1, 0.0)))
        units += count
        lone |= count == 1
        cancelled |= few
    total, designs = sum(v for v, _, _ in parts), sum(d for _, d, _ in parts)
    whole, squared = np.zeros((k, k)), np.zeros((k, k))
    with np.errstate(invalid="ignore", divide="ignore"):
        for variance, design, df in parts:
            mixed = np.where(total > 0, (variance + total * design / designs) / 2, design)
            whole += np.where(df > 0, mixed, 0.0)
            squared += np.where(df > 0, mixed**2 / np.maximum(df, 1), 0.0)
        df = np.where(squared > 0, whole**2 / squared, 0.0)
    return _DifferenceMoments(np.asarray(total), rows_variance, df, units, lone, cancelled)


def _squared(x: Floats, observed: Floats) -> Floats:
    """Sums of squared scores of both runs of every pair, which limit the rounding of other sums."""
    square = (x**2).T @ observed
    return square + square.T


def _item_sums(x: Floats, observed: Floats) -> tuple[Floats, Floats, Floats]:
    """Sums over items of every pair's differences, of common items, and of squared differences."""
    lead = x.T @ observed
    square = (x**2).T @ observed
    return lead - lead.T, observed.T @ observed, square + square.T - 2 * x.T @ x


def pair_table(
    pairs: Pairwise, scores: pd.DataFrame, clusters: Clusters | None = None, level: float = 0.95
) -> pd.DataFrame:
    """Return the table of `differences.all_pairs` from all pairs at once.

    Parameters
    ----------
    pairs : Pairwise
        Result of `compare_pairs` for these scores and clusters.
    scores : DataFrame
        Items x runs; NaN is a missing answer.
    clusters : Clusters, optional
        Label of each item's cluster, as in `compare_pairs`.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        A row per pair: `first`, `second`, `estimate`, `low`, `high`, `p`, `p_holm`, `n`, and on
        how many items the first was better (`wins`) or worse (`losses`).

    Examples
    --------
    >>> scores = pd.DataFrame({"a": [1.0, 1, 1, 0], "b": [1.0, 0, 0, 0]})
    >>> pair_table(compare_pairs(scores), scores)[["estimate", "wins", "losses"]].values.tolist()
    [[0.5, 2.0, 0.0]]
    """
    runs = CheckedRuns.of(scores, clusters)
    x, codes = runs.scores.to_numpy(), runs.codes
    claimed = pairs.df is not None
    i, j = np.triu_indices(x.shape[1], 1)
    estimate, se, g = pairs.estimate[i, j], pairs.se[i, j], pairs.clusters[i, j]
    df = g - 1 if pairs.df is None else pairs.df[i, j]
    with np.errstate(invalid="ignore"):
        half = special.stdtrit(np.maximum(df, 1e-9), 0.5 + level / 2) * se
    low, high = (np.where(df > 0, estimate + side * half, np.nan) for side in (-1, 1))
    wins, losses = np.zeros(len(i), int), np.zeros(len(i), int)
    settings, binary = (
        ComparisonSettings(level=level),
        bool(np.isin(np.nan_to_num(x), (0, 1)).all()),
    )
    for k, (a, b) in enumerate(zip(i.tolist(), j.tolist(), strict=True)):
        both = ~np.isnan(x[:, a]) & ~np.isnan(x[:, b])
        d, size = subtracted(x[both, a], x[both, b])
        wins[k], losses[k] = np.count_nonzero(d > 0), np.count_nonzero(d < 0)
        if pairs.exact:
            low[k], high[k] = tango(wins[k], losses[k], int(pairs.n[a, b]), level)
        elif pairs.trials is not None:
            trials = float(pairs.trials[a, b])
            if np.isfinite(se[k]) and np.isnan(trials):  # judged by the exact test
                low[k], high[k] = tango(wins[k], losses[k], int(pairs.n[a, b]), level)
            elif np.isfinite(se[k]):
                _, low[k], high[k], _, _ = stratified_score(
                    float(estimate[k]), float(se[k]), float(df[k]), trials, level
                )
        elif claimed and pairs.sampling is not None and se[k] == 0:
            one = infer_claim(d, pairs.sampling.among(both), settings, binary=binary, size=size,
                              answer_variance=np.zeros(d.size))  # fmt: skip
            low[k], high[k] = one.low, one.high
        elif se[k] == 0:
            one = _judged(x, codes, int(a), int(b), settings, binary=binary)
            low[k], high[k] = one.low, one.high
    if pairs.within is not None:
        narrow = pair_table(pairs.within, scores, level=level)[["low", "high"]].to_numpy().T
        finite = np.isfinite(narrow)
        low = np.where(finite[0], np.minimum(low, narrow[0]), low)
        high = np.where(finite[1], np.maximum(high, narrow[1]), high)
    return pd.DataFrame({
        "first": pairs.names[i], "second": pairs.names[j], "estimate": estimate, "low": low,
        "high": high, "p": pairs.p[i, j], "p_holm": pairs.p_holm[i, j],
        "n": pairs.n[i, j].astype(int), "wins": wins, "losses": losses,
    })  # fmt: skip


def _judged(
    x: Floats,
    codes: NDArray[np.intp] | None,
    a: int,
    b: int,
    settings: ComparisonSettings,
    *,
    binary: bool,
) -> Inference:
    """Judge one pair of runs from its differences."""
    both = ~np.isnan(x[:, a]) & ~np.isnan(x[:, b])
    d, size = subtracted(x[both, a], x[both, b])
    return infer(d, None if codes is None else codes[both], settings, binary=binary, size=size)


@dataclass(frozen=True)
class _Sums:
    """Over the clusters of every pair: summed differences d, items n, their squares and products,
    how many clusters there are, and the squares of summed absolute scores (`whole`), which bound
    the rounding of the others."""

    d: Floats
    n: Floats
    dd: Floats
    dn: Floats
    nn: Floats
    groups: Floats
    whole: Floats


def _summed(x: Floats, observed: Floats, codes: NDArray[np.intp] | None) -> _Sums:
    if codes is None:
        lead = x.T @ observed
        d, n = lead - lead.T, observed.T @ observed
        square = (x**2).T @ observed
        whole = square + square.T
        return _Sums(d, n, whole - 2 * x.T @ x, d, n, n, whole)
    k = x.shape[1]
    total = [np.zeros((k, k)) for _ in range(7)]
    order = np.argsort(codes, kind="stable")
    for rows in np.split(order, np.flatnonzero(np.diff(codes[order])) + 1):
        lead = x[rows].T @ observed[rows]
        d, n = lead - lead.T, observed[rows].T @ observed[rows]
        whole = np.abs(x[rows]).T @ observed[rows]
        whole = (whole + whole.T) ** 2
        for number, more in enumerate((d, n, d * d, d * n, n * n, n > 0, whole)):
            total[number] += more
    return _Sums(*total)
