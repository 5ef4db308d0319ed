"""Paired differences between runs on the same items.

A run is a column of scores, 0/1 or graded, with one entry per item. Two runs are compared on the
items that both have; those that only one has are counted and left out. The difference cancels the
difficulty of the items, which both runs share: it is far more precise than either mean.

Items of one label (a domain, a document, a question with several images) are not independent: give
them as `clusters`, or the interval is too narrow. The methods are in `paired`.

References
----------
Miller, E. (2024). Adding error bars to evals: a statistical approach to language model evaluations.
    arXiv:2411.00640 (clusters and pairs in evaluations of language models).
Lakens, D. (2013). Calculating and reporting effect sizes to facilitate cumulative science.
    Frontiers in Psychology 4, 863 (the standardized paired difference, d_z).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.claim import Sampling
from gfactor.psychometrics.inference.multiplicity import benjamini_hochberg, holm_directional
from gfactor.psychometrics.inference.paired import (
    ROUNDING,
    ComparisonSettings,
    Method,
    infer,
    infer_claim,
    subtracted,
)
from gfactor.psychometrics.inference.runs import CheckedRuns, Clusters, side_by_side
from gfactor.results import Result

FEW_CLUSTERS = 5
"""With fewer clusters, a t interval over clusters is valid but too wide to be useful."""


@dataclass(frozen=True, repr=False)
class Difference(Result):
    """The paired difference of two runs, first minus second.

    Parameters
    ----------
    mean_first, mean_second : float
        Mean scores over the paired items.
    estimate, low, high, se, p : float
        The mean difference, its interval at `level`, standard error and two-sided p; NaN
        if there are too few items or clusters.
    effect : float
        The estimate over the standard deviation of the items' differences (d_z).
    n, clusters : int
        Numbers of paired items, and of their clusters (n without clusters).
    wins, losses : int
        Numbers of items on which the first, or the second, scores higher.
    first_only, second_only : int
        Numbers of items left out because only one run has them.
    method : str
        Method by which interval and p were computed.
    by_cluster : DataFrame
        `n`, `first`, `second` and `difference` of every cluster.
    """

    first: str
    second: str
    mean_first: float
    mean_second: float
    estimate: float
    low: float
    high: float
    se: float
    p: float
    effect: float
    n: int
    clusters: int
    wins: int
    losses: int
    first_only: int
    second_only: int
    method: str
    level: float
    by_cluster: pd.DataFrame

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Return a diagnostic if there are too few clusters for a narrow interval."""
        if self.clusters >= FEW_CLUSTERS:
            return ()
        message = f"The items fall into {self.clusters} clusters, too few for a narrow interval."
        remedy = "Compare on items of more clusters."
        values = {"clusters": self.clusters}
        return (Diagnostic("few_clusters", "warning", message, remedy, values=values),)

    @property
    def title(self) -> str:
        left_out = self.first_only + self.second_only
        return (
            f"{self.first} - {self.second}: {self.estimate:+z.3f} "
            f"[{self.low:+z.3f}, {self.high:+z.3f}], p {p_value(self.p, '= ')} ({self.method}), "
            f"effect {self.effect:.2f}; {self.n} paired items in {self.clusters} clusters, "
            f"better on {self.wins}, worse on {self.losses}"
            + (f"; {left_out} items left out that only one has" if left_out else "")
            + (f"; few clusters ({self.clusters})" if self.clusters < FEW_CLUSTERS else "")
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {k: v for k, v in vars(self).items() if k != "by_cluster"}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"by_cluster": self.by_cluster}

    def _lines(self) -> list[str]:
        return [self.title]


def from_the_higher(row: Mapping[Any, Any], position: Mapping[str, int]) -> dict[Any, Any]:
    """Return a row of a table of pairs with the higher-ranked run as the first.

    Parameters
    ----------
    row : mapping
        `first`, `second`, `estimate`, `low` and `high` of a pair, and `effect` if there is one.
    position : mapping of str to int
        Position of each run, the best lowest.

    Returns
    -------
    dict
        The row, with differences of the opposite sign if the two changed places.

    Examples
    --------
    >>> row = {"first": "a", "second": "b", "estimate": -0.25, "low": -0.5, "high": 0.125}
    >>> from_the_higher(row, {"b": 1, "a": 2})
    {'first': 'b', 'second': 'a', 'estimate': 0.25, 'low': -0.125, 'high': 0.5}
    """
    if position[row["first"]] < position[row["second"]]:
        return dict(row)
    turned = {"first": row["second"], "second": row["first"], "low": -row["high"]}
    signs = {name: -row[name] for name in ("estimate", "effect") if name in row}
    return {**row, **turned, "high": -row["low"], **signs}


@dataclass(frozen=True, repr=False)
class Differences(Result):
    """All pairs of several runs.

    `table` has a row per pair with the fields of `Difference`, and
    p_holm: adjusted over both directions of all pairs (`multiplicity.holm_directional`): if it is
        below 1 - level, the direction of the difference is supported in all such pairs together.
    p_fdr: adjusted by Benjamini and Hochberg over all pairs.

    `runs` are the compared runs.
    """

    table: pd.DataFrame
    settings: ComparisonSettings
    runs: CheckedRuns

    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        sure = np.count_nonzero(self.table["p_holm"] < 1 - self.settings.level)
        return (
            f"{self.runs.scores.shape[1]} runs, {len(self.table)} pairs, {sure} of which differ "
            f"(Holm, level {self.settings.level:g})"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return vars(self.settings)

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"differences": self.table}

    def _lines(self) -> list[str]:
        return [self.title]


def difference(
    first: pd.Series | ArrayLike,
    second: pd.Series | ArrayLike,
    clusters: Clusters | None = None,
    *,
    method: Method = "auto",
    level: float = 0.95,
    n_bootstrap: int = 2000,
    seed: int = 0,
) -> Difference:
    """Return the paired difference of two runs.

    Parameters
    ----------
    first, second : Series or ArrayLike
        Scores by item. Series are matched by their index, which names the items; plain
        lists by position, and then need the same length. NaN is a missing answer.
    clusters : Clusters, optional
        Each item's label, as a series by item or a list in the items' order; None if
        items are independent.
    method : Method
        "auto", or one of `gfactor.psychometrics.inference.differences.METHODS`. "auto" is "exact"
        for scores of 0 and 1 without clusters, else "t".
    level : float
        Confidence level of the interval, between 0 and 1.
    n_bootstrap : int
        Number of bootstrap samples; 2,000 determine an end to within a tenth of the width.
    seed : int
        Seed of the random number generator of the bootstrap.

    Returns
    -------
    Difference
        The mean difference first - second with its interval, p, effect and n.

    Raises
    ------
    ParameterError
        For repeated items, infinite scores, or items without a cluster.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics import difference
    >>> random = np.random.default_rng(1)
    >>> comparison = difference(random.random(300) < 0.8, random.random(300) < 0.6)
    >>> comparison.n, bool(comparison.p < 0.01)
    (300, True)
    """
    settings = ComparisonSettings(method, level, n_bootstrap, seed)
    runs = CheckedRuns.of(side_by_side(first, second), clusters)
    a, b = runs.scores.columns
    row = _compare(runs, 0, 1, settings)
    return Difference(a, b, **row, level=level, by_cluster=_by_cluster(runs))


def all_pairs(
    scores: pd.DataFrame,
    clusters: Clusters | None = None,
    *,
    sampling: Sampling | None = None,
    answer_variance: pd.DataFrame | None = None,
    method: Method = "auto",
    level: float = 0.95,
    n_bootstrap: int = 2000,
    seed: int = 0,
) -> Differences:
    """Return the paired differences between all columns of an items x runs table.

    Missing answers (NaN) are left out pair by pair. Arguments and errors are those of
    `difference`; at least two columns are needed.

    Parameters
    ----------
    scores : DataFrame
        Items x runs; NaN is a missing answer.
    clusters : Clusters, optional
        Each item's label, as a series by item or a list in the items' order; None if
        items are independent.
    sampling : Sampling, optional
        Sampling of the items under a claim (`gfactor.psychometrics.Sampling`), instead of clusters.
        The claim then chooses the method.
    answer_variance : DataFrame, optional
        Variance of every score over occasions, for the claim "these-items".
    method : Method
        "auto", or one of `gfactor.psychometrics.inference.differences.METHODS`.
    level : float
        Confidence level of the interval, 0 to 1.
    n_bootstrap : int
        Number of resamples of a bootstrap.
    seed : int
        Seed of the bootstrap samples.

    Returns
    -------
    Differences
        A row per pair, with p adjusted for all of them.

    Raises
    ------
    ParameterError
        For fewer than two runs, repeated items, infinite scores, or items without a
        cluster.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import all_pairs
    >>> right = np.random.default_rng(1).random((200, 3)) < [0.9, 0.6, 0.6]
    >>> comparison = all_pairs(pd.DataFrame(right.astype(float), columns=list("abc")))
    >>> len(comparison.table), bool(comparison.table["p_holm"].iloc[0] < 0.01)
    (3, True)
    """
    settings = ComparisonSettings(method, level, n_bootstrap, seed)
    if scores.shape[1] < 2:
        raise ParameterError(
            f"a comparison needs at least two runs, got {scores.shape[1]}; add the answers of "
            "another examinee to the same items"
        )
    runs = CheckedRuns.of(scores, clusters, sampling, answer_variance)
    names = scores.columns
    rows = [
        {"first": names[i], "second": names[j]} | _compare(runs, i, j, settings)
        for i, j in combinations(range(scores.shape[1]), 2)
    ]
    table = pd.DataFrame(rows)
    table["p_holm"] = holm_directional(table["p"].to_numpy())
    table["p_fdr"] = benjamini_hochberg(table["p"].to_numpy())
    return Differences(table, settings, runs)


def _compare(runs: CheckedRuns, i: int, j: int, settings: ComparisonSettings) -> dict[str, Any]:
    """The columns of a pair's row that are not names."""
    table = runs.scores.to_numpy()
    a, b, groups = table[:, i], table[:, j], runs.codes
    has_a, has_b = ~np.isnan(a), ~np.isnan(b)
    both = has_a & has_b
    x, y = a[both], b[both]
    (d, size), n = subtracted(x, y), int(both.sum())
    cluster = None if groups is None else groups[both]
    binary = bool(np.isin(x, (0, 1)).all() and np.isin(y, (0, 1)).all())
    units = n if cluster is None else int(np.count_nonzero(np.bincount(cluster)))
    if runs.sampling is None:
        inference = infer(d, cluster, settings, binary=binary, size=size)
    else:
        here = runs.sampling.among(both)
        noise = None
        if runs.answer_variance is not None:
            noise = runs.answer_variance.to_numpy()[both][:, [i, j]].sum(axis=1)
        inference = infer_claim(d, here, settings, binary=binary, size=size, answer_variance=noise)
        units = len(np.unique(here.units))
    spread = float(d.std(ddof=1)) if n > 1 else 0.0
    return {
        "mean_first": float(x.mean()) if n else np.nan,
        "mean_second": float(y.mean()) if n else np.nan,
        **vars(inference),
        "effect": inference.estimate / spread if spread > ROUNDING * size else np.nan,
        "n": n,
        "clusters": units,
        "wins": int((d > 0).sum()),
        "losses": int((d < 0).sum()),
        "first_only": int((has_a & ~has_b).sum()),
        "second_only": int((has_b & ~has_a).sum()),
    }


def _by_cluster(runs: CheckedRuns) -> pd.DataFrame:
    x = runs.scores.to_numpy()
    paired = ~np.isnan(x).any(axis=1)
    labels = np.full(len(x), "all") if runs.clusters is None else np.asarray(runs.clusters)
    names, codes, n = np.unique(labels[paired], return_inverse=True, return_counts=True)
    first, second = (np.bincount(codes, column, names.size) / n for column in x[paired].T)
    columns = {"n": n, "first": first, "second": second, "difference": first - second}
    return pd.DataFrame(columns, index=pd.Index(names, name="cluster"))
