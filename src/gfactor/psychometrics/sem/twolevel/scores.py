"""Factor scores of two-level models: those of cases within their clusters, and those of clusters.

A score is the expectation of a latent variable given all values of a cluster that are not missing
(the best linear unbiased prediction); see `incomplete`; complete clusters are a special case.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.sem.sample import named_columns, numbers, single_column
from gfactor.psychometrics.sem.score_weights import scale_checks, solution_checks
from gfactor.psychometrics.sem.scores import FactorScores, explained
from gfactor.psychometrics.sem.twolevel.group_levels import GroupLevels
from gfactor.psychometrics.sem.twolevel.incomplete import IncompleteLevels
from gfactor.psychometrics.sem.twolevel.likelihood import TwoLevelPoint
from gfactor.psychometrics.sem.twolevel.sample import Clusters, refuse_values_of_clusters

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.twolevel.fit import TwoLevelFit

Array = NDArray[np.float64]


def two_level_scores(
    fit: TwoLevelFit, data: pd.DataFrame | None, method: str, level: int, group: str | None = None
) -> FactorScores:
    """Score the cases (level 1) or the clusters (level 2) of the fit, or of new data.

    Raises ParameterError for another method than regression, and data without a column that the
    model needs.
    """
    if method != "regression":
        raise ParameterError(
            f"two-level models have scores by method 'regression', not {method!r}, which has no "
            "unbiased form if clusters have few cases"
        )
    latent = fit.table.of_group(level).latent
    if not latent:
        raise ParameterError(f"the model has no latent variable to score at level {level}")
    parts = _scored_as_fitted(fit, level) if data is None else _scored(fit, data, level, group)
    point = TwoLevelPoint(fit.problem.structure, fit.theta, [one.clusters for one in parts])
    frames, errors, shares = [], [], {}
    diagnostics: list[Diagnostic] = []
    for number, (part, here) in enumerate(zip(parts, point.levels, strict=True)):
        block = here.groups[level - 1]
        values, error = np.full((2, len(part.index), len(latent)), np.nan)
        if part.clusters.n:
            values[part.scored_rows], error[part.scored_rows] = (of_cases, of_clusters)[level - 1](
                here
            )
        label = fit.sample.labels[2 * number].rpartition(": ")[0]
        where = f" in group {label!r}" if label else ""
        frames.append(pd.DataFrame(values, index=part.index, columns=list(latent)))
        errors.append(pd.DataFrame(error, index=part.index, columns=list(latent)))
        shares[label] = explained(block, error)
        diagnostics += solution_checks(block, method, latent, shares[label], where)
        if data is not None and part.clusters.n:
            diagnostics += _scale_checks(here, part.clusters, where)
    labels = [label for label, frame in zip(shares, frames, strict=True) for _ in range(len(frame))]
    order = np.arange(len(labels))
    if level == 1:
        order = np.argsort(np.concatenate([one.order for one in parts]), kind="stable")
    return FactorScores(
        pd.concat(frames).iloc[order],
        pd.concat(errors).iloc[order],
        pd.DataFrame(shares, index=list(latent)),
        {},
        method,
        tuple(np.array(labels, dtype=object)[order].tolist()),
        by_severity(diagnostics),
        "clusters" if level == 2 else "cases",
    )


@dataclass(frozen=True)
class _ScoredPart:
    """Cases of one group to be scored: their clusters, the index of the scores, the rows of it that
    have scores, and the position of each case among all."""

    clusters: Clusters
    index: pd.Index
    scored_rows: NDArray[np.intp]
    order: NDArray[np.intp]


def of_clusters(levels: GroupLevels) -> tuple[Array, Array]:
    """Return scores and errors of the latent variables between clusters, shape (clusters, q)."""
    between, clusters = levels.groups[1], levels.clusters
    count = between.structure.n_true_latent
    cross = np.zeros((count, len(clusters.variables)))
    cross[:, clusters.positions[1]] = (between.latent_cov @ between.loading.T)[:count]
    at = IncompleteLevels(levels.point, levels.first // 2, clusters).at
    scores = between.latent_mean[:count] + at.slope @ cross.T
    explained_part = einsum("ka,jab,kb->jk", cross, at.precision, cross)
    variance = np.diag(between.latent_cov)[:count]
    return scores, np.sqrt(np.maximum(variance - explained_part, 0.0))


def of_cases(levels: GroupLevels) -> tuple[Array, Array]:
    """Return scores and errors of the latent variables within clusters, shape (cases, q)."""
    within, clusters = levels.groups[0], levels.clusters
    count, p = within.structure.n_true_latent, len(clusters.within)
    cross = (within.latent_cov @ within.loading.T)[:count]
    data = clusters.patterns
    at = IncompleteLevels(levels.point, levels.first // 2, clusters).at
    inverse = at.inverse[data.pattern]
    coefficients = (cross @ inverse)[data.rows]
    away = np.nan_to_num(clusters.rows[:, :p] - levels.mean[:p] - at.mean[clusters.codes])
    scores = within.latent_mean[:count] + einsum("nka,na->nk", coefficients, away)
    left = inverse - inverse @ at.covariance[data.cluster] @ inverse
    explained_part = einsum("ka,mab,kb->mk", cross, left, cross)[data.rows]
    variance = np.diag(within.latent_cov)[:count]
    return scores, np.sqrt(np.maximum(variance - explained_part, 0.0))


def _scale_checks(levels: GroupLevels, clusters: Clusters, where: str) -> list[Diagnostic]:
    variance = np.zeros(len(levels.mean))
    for group, positions in zip(levels.groups, clusters.positions, strict=True):
        variance[positions] += np.diag(group.sigma)
    sd = np.sqrt(variance)
    return list(scale_checks(levels.mean, sd, clusters.rows, clusters.variables, where))


def _scored_as_fitted(fit: TwoLevelFit, level: int) -> list[_ScoredPart]:
    parts = []
    for one in fit.levels.clusters:
        index = fit.sample.names_of(one.cases) if level == 1 else pd.Index(one.names)
        parts.append(_ScoredPart(one, index, np.arange(len(index)), one.cases))
    return parts


def _scored(
    fit: TwoLevelFit, data: pd.DataFrame, level: int, group: str | None
) -> list[_ScoredPart]:
    data = named_columns(data)
    if not len(data):
        raise ParameterError("there are no cases to be scored: the data have no rows")
    labels = [label.rpartition(": ")[0] for label in fit.sample.labels[::2]]
    if len(labels) == 1:
        return [_read(fit, data, level, 0, np.arange(len(data)))]
    column = None if group is None or group not in data.columns else single_column(data, group)
    if column is None and group not in labels:
        raise ParameterError(
            f"the model has the groups {', '.join(labels)}; name the column of the data that has "
            "them, or the one group of all cases (group = ...)"
        )
    values = np.full(len(data), group) if column is None else column.astype(str).to_numpy()
    return [
        _read(fit, data, level, number, np.flatnonzero(values == label))
        for number, label in enumerate(labels)
    ]


def _read(
    fit: TwoLevelFit, data: pd.DataFrame, level: int, number: int, chosen: NDArray[np.intp]
) -> _ScoredPart:
    """The cases of a group in new data, in their clusters. A case without a value has no scores,
    nor has one with missing values if the fit was to complete cases."""
    old, column = fit.levels.clusters[number], fit.options.cluster
    for name in (*old.variables, column):
        if name not in data.columns:
            raise ParameterError(f"the cases to be scored have no column {name!r}")
    assert column is not None
    rows = numbers(data, old.variables)[chosen]
    codes, names = pd.factorize(single_column(data, column).iloc[chosen])
    absent = np.isnan(rows)
    lacking = absent.all(axis=1) if fit.options.full_information else absent.any(axis=1)
    usable = np.flatnonzero(~lacking & (codes >= 0))
    seen, codes = np.unique(codes[usable], return_inverse=True)
    clusters = Clusters(
        old.within, old.between, rows[usable], codes.reshape(-1), chosen[usable],
        tuple(np.asarray(names)[seen].tolist()),
    )  # fmt: skip
    if len(usable):
        refuse_values_of_clusters(clusters)
    if level == 1:
        return _ScoredPart(clusters, data.index[chosen], usable, chosen)
    return _ScoredPart(clusters, pd.Index(names), seen, chosen)
