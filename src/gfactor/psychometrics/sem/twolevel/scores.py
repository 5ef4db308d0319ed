"""Factor scores of two-level models: of cases within their clusters, and of clusters.

The likelihood's transformation (see `sample`) leaves the mean of a cluster, which tells of both
levels, and the deviations of its cases from the mean, which tell of the level within alone. A score
is the expectation of a latent variable given both (the best linear unbiased prediction).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import by_severity
from gfactor.psychometrics.sem.sample import named_columns, numbers, single_column
from gfactor.psychometrics.sem.score_weights import scale_checks, solution_checks
from gfactor.psychometrics.sem.scores import FactorScores, explained
from gfactor.psychometrics.sem.twolevel.likelihood import TwoLevelPoint
from gfactor.psychometrics.sem.twolevel.sample import Clusters, refuse_values_of_clusters

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.twolevel.fit import TwoLevelFit

Array = NDArray[np.float64]


def two_level_scores(
    fit: TwoLevelFit, data: pd.DataFrame | None, method: str, level: int
) -> FactorScores:
    """Score the cases (level 1) or the clusters (level 2) of the fit, or of new data.

    Raises ParameterError for another method than regression, and data without a column that the
    model needs.
    """
    if method != "regression":
        raise ParameterError(
            f"two-level models have scores by method 'regression', not {method!r}, which has no "
            "unbiased form where clusters have few cases"
        )
    latent = fit.table.of_group(level).latent
    if not latent:
        raise ParameterError(f"the model has no latent variable to score at level {level}")
    clusters = fit.levels.clusters
    index = pd.Index(clusters.cases if level == 1 else clusters.names)
    where: NDArray[np.intp] = np.arange(len(index))
    if data is not None:
        clusters, index, where = _read(fit, data, level)
    point = TwoLevelPoint(fit.problem.structure, fit.theta, clusters)
    values = np.full((len(index), len(latent)), np.nan)
    error = values.copy()
    values[where], error[where] = (_of_cases, _of_clusters)[level - 1](point)
    here = point.groups[level - 1]
    determinacy = explained(here, error)
    diagnostics = list(solution_checks(here, method, latent, determinacy, ""))
    if data is not None and clusters.n:
        variance = np.zeros(len(point.mean))
        for group, positions in zip(point.groups, clusters.positions, strict=True):
            variance[positions] += np.diag(group.sigma)
        sd = np.sqrt(variance)
        diagnostics += scale_checks(point.mean, sd, clusters.rows, clusters.variables, "")
    names = list(latent)
    return FactorScores(
        pd.DataFrame(values, index=index, columns=names),
        pd.DataFrame(error, index=index, columns=names),
        pd.DataFrame({"": determinacy}, index=names),
        {},
        method,
        ("",) * len(index),
        by_severity(diagnostics),
        "clusters" if level == 2 else "cases",
    )


def _of_clusters(point: TwoLevelPoint) -> tuple[Array, Array]:
    """Scores and errors of the latent variables between clusters, shape (clusters, q)."""
    clusters, (_, between) = point.clusters, point.groups
    count = between.structure.n_true_latent
    cross = np.zeros((count, len(clusters.variables)))
    cross[:, clusters.positions[1]] = (between.latent_cov @ between.loading.T)[:count]
    scores, error = np.zeros((clusters.count, count)), np.zeros((clusters.count, count))
    for size in clusters.by_size:
        scaled = cross * size.scale
        coefficients = np.linalg.solve(point.covariance_of(size), scaled.T).T
        away = size.values - point.mean * size.scale
        scores[size.members] = between.latent_mean[:count] + away @ coefficients.T
        left = between.latent_cov[:count, :count] - coefficients @ scaled.T
        error[size.members] = np.sqrt(np.maximum(np.diag(left), 0.0))
    return scores, error


def _of_cases(point: TwoLevelPoint) -> tuple[Array, Array]:
    """Scores and errors of the latent variables within clusters, shape (cases, q)."""
    clusters, (within, _) = point.clusters, point.groups
    count, p = within.structure.n_true_latent, len(clusters.within)
    cross = (within.latent_cov @ within.loading.T)[:count]
    coefficients = np.linalg.solve(within.sigma, cross.T).T
    away = (clusters.rows - clusters.means[clusters.codes])[:, :p]
    scores, error = np.zeros((clusters.n, count)), np.zeros((clusters.n, count))
    scores += within.latent_mean[:count] + away @ coefficients.T
    variance = np.diag(within.latent_cov)[:count]
    by_deviation = np.einsum("kp,kp->k", coefficients, cross)
    for size in clusters.by_size:
        # A case has the n-th part of its cluster's mean, which is scaled by the root of n.
        share = np.zeros((count, len(clusters.variables)))
        share[:, :p] = cross / np.sqrt(size.cases)
        by_mean = np.linalg.solve(point.covariance_of(size), share.T).T
        moved = np.zeros((clusters.count, count))
        moved[size.members] = (size.values - point.mean * size.scale) @ by_mean.T
        cases = np.isin(clusters.codes, size.members)
        scores[cases] += moved[clusters.codes[cases]]
        left = variance - (1 - 1 / size.cases) * by_deviation
        left = left - np.einsum("kp,kp->k", by_mean, share)
        error[cases] = np.sqrt(np.maximum(left, 0.0))
    return scores, error


def _read(
    fit: TwoLevelFit, data: pd.DataFrame, level: int
) -> tuple[Clusters, pd.Index, NDArray[np.intp]]:
    """The complete cases of new data in their clusters, the index of the scores, and the rows of it
    that have scores: an incomplete case has none."""
    old, column = fit.levels.clusters, fit.options.cluster
    data = named_columns(data)
    if not len(data):
        raise ParameterError("there are no cases to be scored: the data have no rows")
    for name in (*old.variables, column):
        if name not in data.columns:
            raise ParameterError(f"the cases to be scored have no column {name!r}")
    assert column is not None
    rows = numbers(data, old.variables)
    codes, names = pd.factorize(single_column(data, column))
    complete = np.flatnonzero(~np.isnan(rows).any(axis=1) & (codes >= 0))
    seen, codes = np.unique(codes[complete], return_inverse=True)
    clusters = Clusters(
        old.within, old.between, rows[complete], codes.reshape(-1), complete,
        tuple(np.asarray(names)[seen].tolist()),
    )  # fmt: skip
    refuse_values_of_clusters(clusters)
    if level == 1:
        return clusters, data.index, complete
    return clusters, pd.Index(names), seen
