"""Moments of both levels as parameters: the unrestricted model and models of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import solve
from gfactor.psychometrics.sem.model import GroupStructure, Structure
from gfactor.psychometrics.sem.model.derivative_index import INTERCEPT, RESIDUAL
from gfactor.psychometrics.sem.optimize import minimise
from gfactor.psychometrics.sem.problem import unconstrained
from gfactor.psychometrics.sem.sample import GroupSample, Sample
from gfactor.psychometrics.sem.twolevel.likelihood import TwoLevelLikelihood, TwoLevelPoint
from gfactor.psychometrics.sem.twolevel.sample import Clusters

Array = NDArray[np.float64]
_FLOOR = 0.01
"""Least variance between clusters, as a share of the whole variance, for units and starts."""


@dataclass(frozen=True, eq=False)
class LevelMoments:
    """Moments of one level.

    Parameters
    ----------
    names: the level's variables. mean, cov: their moments.
    free: True for covariances that are parameters, shape (p, p), symmetric.
    free_mean: True for means that are parameters.
    """

    names: tuple[str, ...]
    mean: Array
    cov: Array
    free: NDArray[np.bool_]
    free_mean: NDArray[np.bool_]

    @cached_property
    def positions(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Return rows and columns of the free covariances, and positions of the free means."""
        column, row = np.nonzero(np.triu(self.free))
        return row, column, np.flatnonzero(self.free_mean)

    @property
    def values(self) -> Array:
        """Return the free moments: covariances, then means."""
        row, column, means = self.positions
        return np.concatenate([self.cov[row, column], self.mean[means]])

    def structure(self, first: int) -> GroupStructure:
        """Return the level as matrices; its parameters have numbers from `first` on."""
        row, column, means = self.positions
        p = len(self.names)
        theta = np.where(self.free, 0.0, self.cov)
        nu = np.where(self.free_mean, 0.0, self.mean)[:, None]
        base = (np.zeros((p, 0)), np.zeros((0, 0)), np.zeros((0, 0)), theta, nu, np.zeros((0, 1)))
        kind = np.repeat([RESIDUAL, INTERCEPT], [len(row), len(means)])
        rows = np.concatenate([row, means])
        columns = np.concatenate([column, np.zeros_like(means)])
        index = first + np.arange(len(kind))
        return GroupStructure(self.names, (), 0, base, kind, rows, columns, index)

    def at(self, mean: Array, cov: Array) -> LevelMoments:
        """Return the moments with other values."""
        return replace(self, mean=mean, cov=cov)


Levels = tuple[LevelMoments, ...]
"""Moments within clusters and between them, of one group after the other."""


def structure_of(levels: Levels) -> Structure:
    """Return a model whose parameters are the free moments."""
    sizes = np.cumsum([0, *(len(level.values) for level in levels)])
    parts = [level.structure(int(first)) for level, first in zip(levels, sizes, strict=False)]
    return Structure(tuple(parts), int(sizes[-1]), (), True)


def maximum(clusters: Sequence[Clusters], levels: Levels) -> tuple[TwoLevelPoint, bool]:
    """Return the maximum likelihood moments if some are free, with the search starting from the
    levels' values, and True if it converged."""
    structure = structure_of(levels)
    likelihood = TwoLevelLikelihood(structure, clusters)
    start = np.concatenate([level.values for level in levels])
    scale = np.concatenate([_units(level) for level in levels])
    linear = unconstrained(structure.n_free).linear
    outcome = minimise(likelihood, linear, start, scale)
    return cast(TwoLevelPoint, outcome.point), outcome.status == "converged"


def _units(level: LevelMoments) -> Array:
    row, column, means = level.positions
    sd = np.sqrt(np.abs(level.cov.diagonal()))
    return np.concatenate([sd[row] * sd[column], np.abs(level.mean[means]) + sd[means]])


def unrestricted_levels(clusters: Clusters) -> Levels:
    """Return the moments of both levels of a group with all covariances and means free, and start
    values for a search.

    A variable of both levels has its mean between clusters.
    """
    clusters = clusters.filled
    within, between = clusters.positions
    only = ~np.isin(clusters.within, clusters.between)
    inside = _inside(clusters, only)
    whole = clusters.rows.var(axis=0)[between]
    outside = np.cov(clusters.means[:, between].T, bias=True).reshape((len(between),) * 2)
    both = np.isin(clusters.between, clusters.within)
    shared = [clusters.within.index(name) for name in np.array(clusters.between)[both]]
    outside[np.ix_(both, both)] -= inside[np.ix_(shared, shared)] / clusters.sizes.mean()
    average = clusters.means.mean(axis=0)
    return (
        LevelMoments(
            clusters.within,
            np.where(only, clusters.rows[:, within].mean(axis=0), 0.0),
            inside,
            np.ones((len(only),) * 2, dtype=bool),
            only,
        ),
        LevelMoments(
            clusters.between,
            average[between],
            _positive(outside, whole),
            np.ones((len(both),) * 2, dtype=bool),
            np.ones(len(both), dtype=bool),
        ),
    )


def _inside(clusters: Clusters, only: NDArray[np.bool_]) -> Array:
    """Return covariances within clusters; for variables of this level alone, their total
    covariances."""
    pooled = clusters.pooled_within
    if not only.any():
        return pooled
    total = np.cov(clusters.rows[:, clusters.positions[0]][:, only].T, bias=True)
    total = total.reshape((int(only.sum()),) * 2)
    slopes = solve(pooled[np.ix_(only, only)], pooled[only])
    return pooled + slopes.T @ (total - pooled[np.ix_(only, only)]) @ slopes


def _positive(cov: Array, unit: Array) -> Array:
    """The nearest covariances that are safely positive definite, in units of these variances."""
    sd = np.sqrt(unit)
    values, vectors = np.linalg.eigh(cov / np.outer(sd, sd))
    return (vectors * np.maximum(values, _FLOOR)) @ vectors.T * np.outer(sd, sd)


@dataclass(frozen=True)
class LevelSample(Sample):
    """The unrestricted moments of both levels, as the "groups" within and between.

    Between-cluster variances that are negative or near zero are increased here, because they serve
    as units; `TwoLevelProblem.unrestricted` has the original values.
    """

    clusters: tuple[Clusters, ...] = ()

    @cached_property
    def n(self) -> int:
        return sum(one.n for one in self.clusters)


def level_sample(
    clusters: Sequence[Clusters],
    levels: Levels,
    labels: Sequence[str],
    notes: Sequence[Diagnostic],
    index: pd.Index | None,
) -> LevelSample:
    """Return the sample of a two-level problem; `labels` are the names of all levels."""
    groups = []
    for number, one in enumerate(clusters):
        inside, outside = levels[2 * number : 2 * number + 2]
        whole = np.nanvar(one.rows, axis=0)[one.positions[1]]
        usable = _positive(outside.cov, whole)
        names = labels[2 * number : 2 * number + 2]
        groups += [
            GroupSample(names[0], one.n, inside.mean, inside.cov),
            GroupSample(names[1], one.count, outside.mean, usable),
        ]
    variables = tuple(dict.fromkeys(name for one in clusters for name in one.variables))
    return LevelSample(variables, tuple(groups), True, tuple(notes), index, tuple(clusters))
