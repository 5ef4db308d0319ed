"""Cases in clusters as sufficient statistics of the two-level normal likelihood.

With y the values of a cluster of n cases, an orthogonal transformation of the cases leaves n - 1
contrasts, which have the covariances within clusters alone, and the mean times the root of n. The
mean is combined with the variables that have one value per cluster. Clusters of one size have one
covariance matrix, so that all results except scores of single clusters are sums over sizes.

References
----------
Muthen, B. O. (1994). Multilevel covariance structure analysis. Sociological Methods & Research 22,
    376-398.
McDonald, R. P., Goldstein, H. (1989). Balanced versus unbalanced designs for linear structural
    relations in two-level data. British Journal of Mathematical and Statistical Psychology 42,
    215-232.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.sample import GroupSample
from gfactor.psychometrics.sem.twolevel.patterns import ClusterPatterns, own_values, patterns_of

Names = tuple[str, ...]


@dataclass(frozen=True)
class ClusterSize:
    """All clusters of one size.

    Parameters
    ----------
    cases: number of cases of each cluster.
    members: numbers of these clusters among all.
    scale: factor of every variable in `values`: the root of `cases` for those that vary within
        clusters, 1 for those with one value per cluster.
    values: means of the clusters times `scale`, shape (clusters, variables).
    mean, cov: moments of `values`, divisor the number of clusters.
    """

    cases: int
    members: np.ndarray
    scale: np.ndarray
    values: np.ndarray
    mean: np.ndarray
    cov: np.ndarray

    @property
    def count(self) -> int:
        """Return the number of clusters."""
        return len(self.members)


@dataclass(frozen=True)
class Clusters:
    """Cases in clusters.

    Parameters
    ----------
    within, between: variables of the levels. Those of both are split into two parts.
    rows: the cases, shape (n, variables), columns as `variables`; NaN if a value is missing.
    codes: the cluster of each case, 0, 1, ... without gaps.
    cases: position of each case in the data given.
    names: value of each cluster in the column of clusters.
    """

    within: Names
    between: Names
    rows: np.ndarray
    codes: np.ndarray
    cases: np.ndarray
    names: tuple[object, ...]

    @cached_property
    def variables(self) -> Names:
        """Variables that vary within clusters, then those with one value per cluster."""
        return tuple(dict.fromkeys((*self.within, *self.between)))

    @cached_property
    def positions(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the positions of each level's variables among all."""
        return (
            np.arange(len(self.within)),
            np.array([self.variables.index(name) for name in self.between], dtype=int),
        )

    @property
    def n(self) -> int:
        return len(self.rows)

    @cached_property
    def sizes(self) -> np.ndarray:
        """Return the number of cases of each cluster."""
        return np.bincount(self.codes)

    @property
    def count(self) -> int:
        """Return the number of clusters."""
        return len(self.sizes)

    @cached_property
    def complete(self) -> bool:
        """Return True if no value is missing."""
        return not np.isnan(self.rows).any()

    @cached_property
    def patterns(self) -> ClusterPatterns:
        """Return the sums over cases with the same values missing."""
        return patterns_of(self.rows, self.codes, len(self.within))

    @property
    def n_values(self) -> int:
        """Return the number of observed values; a variable that exists only between clusters has
        one value per cluster."""
        p = len(self.within)
        return int((~np.isnan(self.rows[:, :p])).sum() + (~np.isnan(self.means[:, p:])).sum())

    @cached_property
    def filled(self) -> Clusters:
        """Return the clusters with missing values replaced by the mean of their cluster, or of all
        cases, as a start for estimating their moments."""
        if self.complete:
            return self
        means = np.where(np.isnan(self.means), np.nanmean(self.rows, axis=0), self.means)
        rows = np.where(np.isnan(self.rows), means[self.codes], self.rows)
        return replace(self, rows=rows)

    @cached_property
    def means(self) -> np.ndarray:
        """Return the means of each cluster's values, shape (clusters, variables)."""
        return own_values(self.rows, self.codes)

    @cached_property
    def products_within(self) -> np.ndarray:
        """Return the sums of products about the cluster's mean, shape (clusters, p, p)."""
        p = len(self.within)
        away = (self.rows - self.means[self.codes])[:, :p]
        out = np.zeros((self.count, p, p))
        np.add.at(out, self.codes, away[:, :, None] * away[:, None, :])
        return out

    @cached_property
    def pooled_within(self) -> np.ndarray:
        """Return the pooled covariances within clusters, with divisor n minus the number of
        clusters."""
        return self.products_within.sum(axis=0) / (self.n - self.count)

    @cached_property
    def by_size(self) -> tuple[ClusterSize, ...]:
        """Return the clusters by their size, the smallest first."""
        varying = np.arange(len(self.variables)) < len(self.within)
        out = []
        for cases in np.unique(self.sizes).tolist():
            members = np.flatnonzero(self.sizes == cases)
            scale = np.where(varying, np.sqrt(cases), 1.0)
            values = self.means[members] * scale
            mean = values.mean(axis=0)
            away = values - mean
            out.append(
                ClusterSize(cases, members, scale, values, mean, away.T @ away / len(members))
            )
        return tuple(out)

    def of(self, names: Sequence[str]) -> Clusters:
        """Return the same clusters with some of the variables."""
        within = tuple(name for name in self.within if name in names)
        between = tuple(name for name in self.between if name in names)
        chosen = dict.fromkeys((*within, *between))
        columns = [self.variables.index(name) for name in chosen]
        rows = self.rows[:, columns]
        return Clusters(within, between, rows, self.codes, self.cases, self.names)


def clusters_of(
    group: GroupSample, variables: Names, levels: tuple[Names, Names], names: Sequence[object]
) -> Clusters:
    """Group cases by their cluster.

    Parameters
    ----------
    group: cases with their clusters; the columns are `variables`.
    levels: the variables of the level within clusters, and of the level between them.
    names: values in the column of clusters, in the order of their numbers.

    Raises
    ------
    ParameterError
        If all clusters have one case, if there are fewer than two clusters, if a variable of the
        level between varies within a cluster, or if a variable is constant on its level.
    """
    within, between = levels
    assert group.rows is not None
    assert group.clusters is not None
    assert group.cases is not None
    seen, codes = np.unique(group.clusters, return_inverse=True)
    codes = codes.reshape(-1)
    order = [variables.index(name) for name in dict.fromkeys((*within, *between))]
    clusters = Clusters(
        within, between, group.rows[:, order], codes, group.cases,
        tuple(names[number] for number in seen.tolist()),
    )  # fmt: skip
    if clusters.count < 2 or clusters.count == clusters.n:
        raise ParameterError(
            f"a two-level model needs several clusters with several cases each; there are "
            f"{clusters.count} clusters of {clusters.n} cases. Name the column of clusters, or fit "
            "a model of one level."
        )
    for name, varies in zip(clusters.within, _varying(clusters), strict=False):
        if not varies:
            raise ParameterError(
                f"the variable {name!r} has one value in each cluster, but the model has it within "
                "clusters; name it at level 2 only."
            )
    refuse_values_of_clusters(clusters)
    return clusters


def _varying(clusters: Clusters) -> list[bool]:
    """True for variables that vary within clusters."""
    away = clusters.rows - clusters.means[clusters.codes]
    spread = np.sqrt(np.nanmean(away**2, axis=0))
    return (spread > 1e-10 * np.maximum(np.nanstd(clusters.rows, axis=0), 1e-300)).tolist()


def refuse_values_of_clusters(clusters: Clusters) -> None:
    """Raise ParameterError if a variable that is only in the model between clusters varies within a
    cluster."""
    for name, varies in zip(clusters.variables, _varying(clusters), strict=True):
        if name not in clusters.within and varies:
            raise ParameterError(
                f"the variable {name!r} varies within clusters, but the model has it between "
                "clusters only; give its cluster means as the column, or name it at level 1, too."
            )
