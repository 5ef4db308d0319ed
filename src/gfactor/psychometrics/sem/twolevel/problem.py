"""A two-level model and its data: the problem, the unrestricted and the independence model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.sem.constraints import read_constraints
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.model import GroupStructure, Structure, compile_table
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.problem import Problem, unconstrained
from gfactor.psychometrics.sem.twolevel.likelihood import TwoLevelLikelihood, TwoLevelPoint
from gfactor.psychometrics.sem.twolevel.moments import (
    LevelMoments,
    Levels,
    level_sample,
    maximum,
    unrestricted_levels,
)
from gfactor.psychometrics.sem.twolevel.sample import Clusters

Array = NDArray[np.float64]


def given_by_level(table: ParameterTable) -> tuple[tuple[str, ...], ...]:
    """Return the covariates taken as given at each level, group by group."""
    return tuple(table.of_group(number).given for number in range(1, table.n_groups + 1))


def with_level_moments(table: ParameterTable, levels: Levels) -> ParameterTable:
    """Return the table with the unrestricted moments of given covariates filled in."""
    rows = []
    for row in table:
        if row.exo and not row.free and row.op in {"~~", "~1"}:
            level = levels[row.group - 1]
            one = level.names.index(row.lhs)
            value = level.mean[one]
            if row.op == "~~":
                value = level.cov[one, level.names.index(row.rhs)]
            rows.append(row.changed(value=float(value)))
        else:
            rows.append(row)
    return table.with_rows(rows)


@dataclass(frozen=True)
class TwoLevelProblem(Problem):
    """The problem of fitting a two-level model.

    Parameters
    ----------
    levels: unrestricted moments; those that are data are free.
    predictors_by_level: observed variables that only predict, at each level.
    log_likelihood: of the unrestricted model, given the covariates.
    """

    levels: Levels | None = None
    predictors_by_level: tuple[tuple[str, ...], ...] = ()
    log_likelihood: float = 0.0

    @property
    def unrestricted(self) -> Levels:
        assert self.levels is not None
        return self.levels

    @property
    def clusters(self) -> tuple[Clusters, ...]:
        """Return the data of each group."""
        return self.likelihood.clusters

    @property
    def likelihood(self) -> TwoLevelLikelihood:
        return cast(TwoLevelLikelihood, self.discrepancy)

    @property
    def n_groups(self) -> int:
        return len(self.clusters)

    @property
    def likelihood_based(self) -> bool:
        return True

    @cached_property
    def n_moments(self) -> int:
        return sum(len(level.values) for level in self.unrestricted)

    def unrestricted_covariance(self, number: int) -> Array:
        return self.unrestricted[number].cov


def two_level_problem(
    table: ParameterTable,
    clusters: Sequence[Clusters],
    options: Options,
    notes: Sequence[Diagnostic] = (),
    index: pd.Index | None = None,
) -> tuple[ParameterTable, TwoLevelProblem]:
    """Return the problem of fitting a table to the clusters of each group, and the table with its
    covariates' moments.

    Raises ParameterError if the clusters are too few for the unrestricted model.
    """
    for one in clusters:
        _refuse_too_few(one)
    start = tuple(level for one in clusters for level in unrestricted_levels(one))
    point, converged = maximum(clusters, start)
    if not converged:
        count = sum(one.count for one in clusters)
        raise ParameterError(
            f"the likelihood of the unrestricted two-level model has no maximum in these {count} "
            "clusters; collect more clusters, or use fewer variables."
        )
    given = given_by_level(table)
    levels = tuple(
        _as_data(level.at(here.mu, here.sigma), names)
        for level, here, names in zip(start, point.groups, given, strict=True)
    )
    for level, names in zip(levels[1::2], given[1::2], strict=True):
        _refuse_covariates(level, names)
    table = with_level_moments(table, levels)
    structure, constraints = compile_table(table), read_constraints(table)
    predictors = tuple(table.of_group(k).predictors for k in range(1, table.n_groups + 1))
    whole = TwoLevelLikelihood(point.structure, clusters)
    likelihood = TwoLevelLikelihood(structure, clusters, whole.value(point))
    problem = TwoLevelProblem(
        options,
        level_sample(clusters, levels, table.groups, notes, index),
        structure,
        constraints,
        likelihood,
        exogenous=tuple(dict.fromkeys(name for names in given for name in names)),
        predictors=tuple(dict.fromkeys(name for names in predictors for name in names)),
        levels=levels,
        predictors_by_level=predictors,
        log_likelihood=whole.log_likelihood(point)
        - sum(
            _of_covariates(one, levels[2 * k : 2 * k + 2], given[2 * k : 2 * k + 2])
            for k, one in enumerate(clusters)
        ),
    )
    return table, problem


def _refuse_too_few(clusters: Clusters) -> None:
    if clusters.count <= len(clusters.between) or (
        clusters.n - clusters.count <= len(clusters.within)
    ):
        raise ParameterError(
            f"{clusters.count} clusters of {clusters.n} cases do not determine the covariances of "
            f"{len(clusters.between)} variables between clusters and {len(clusters.within)} within "
            "them; collect more clusters, or use fewer variables."
        )


def _refuse_covariates(level: LevelMoments, given: Sequence[str]) -> None:
    """Raise ParameterError if given covariates have no proper covariances between clusters."""
    chosen = [level.names.index(name) for name in given]
    cov = level.cov[np.ix_(chosen, chosen)]
    variances = dict(zip(given, np.diag(cov).tolist(), strict=True))
    for name, variance in variances.items():
        if not variance > 0:
            raise ParameterError(
                f"the covariate {name!r} varies no more between clusters than within them "
                f"(estimated variance between clusters {variance:.3g}), so that it has no effect "
                "there; name it at level 1 only."
            )
    if chosen and eigvalsh(cov)[0] <= 0:
        raise ParameterError(
            f"between clusters the covariates {', '.join(given)} determine each other; name fewer "
            "at level 2."
        )


def _as_data(level: LevelMoments, given: Sequence[str]) -> LevelMoments:
    """Return the level with the moments among given covariates fixed, not estimated."""
    taken = np.isin(level.names, given)
    return replace(
        level, free=level.free & ~np.outer(taken, taken), free_mean=level.free_mean & ~taken
    )


def _of_covariates(clusters: Clusters, levels: Levels, given: Sequence[Sequence[str]]) -> float:
    """The log-likelihood of a group's given covariates of one level. Those of both levels are left
    in the likelihood, as in lavaan."""
    names = [
        name
        for name in (*given[0], *given[1])
        if name not in clusters.within or name not in clusters.between
    ]
    if not names:
        return 0.0
    alone = clusters.of(names)
    parts: list[GroupStructure] = []
    for level, names_of_level in zip(levels, (alone.within, alone.between), strict=True):
        chosen = [level.names.index(name) for name in names_of_level]
        fixed = np.zeros(len(chosen), dtype=bool)
        part = LevelMoments(
            names_of_level,
            level.mean[chosen],
            level.cov[np.ix_(chosen, chosen)],
            fixed[:, None] & fixed,
            fixed,
        )
        parts.append(part.structure(0))
    likelihood = TwoLevelLikelihood(Structure(tuple(parts), 0, (), True), [alone])
    return likelihood.log_likelihood(likelihood.at(np.zeros(0)))


@dataclass(frozen=True)
class TwoLevelEstimated(Estimated):
    """A two-level model at its minimum. Clusters are the independent units of its scores."""

    @property
    def two_level(self) -> TwoLevelProblem:
        return cast(TwoLevelProblem, self.problem)

    @property
    def here(self) -> TwoLevelPoint:
        return cast(TwoLevelPoint, self.point)

    def information(self, which: int) -> Array:
        observed = self.problem.options.information[which] == "observed"
        return self.hessian if observed else self.expected

    def first_order(self, which: int) -> Array:
        del which
        scores = self.two_level.likelihood.scores(self.here)
        return scores.T @ scores / self.problem.sample.n

    @cached_property
    def corrections(self) -> tuple[float, float]:
        memo = self.problem.memo
        if "saturated" not in memo:
            whole = _estimate(self.two_level, self.two_level.unrestricted)
            memo["saturated"] = whole._own_correction()
        return memo["saturated"], self._own_correction()


def independence_estimate(problem: TwoLevelProblem) -> TwoLevelEstimated:
    """Return the fitted independence model, in which only covariates covary at either level."""
    levels = []
    for number, level in enumerate(problem.unrestricted):
        linked = np.isin(level.names, problem.predictors_by_level[number])
        keep = np.eye(len(linked), dtype=bool) | np.outer(linked, linked) | ~level.free
        start = problem.sample.groups[number].cov
        cov = np.where(keep, np.where(level.free, start, level.cov), 0.0)
        levels.append(replace(level, cov=cov, free=level.free & keep))
    return _estimate(problem, tuple(levels))


def _estimate(problem: TwoLevelProblem, levels: Levels) -> TwoLevelEstimated:
    point, _ = maximum(problem.clusters, levels)
    likelihood = TwoLevelLikelihood(point.structure, problem.clusters, problem.likelihood.saturated)
    alone = replace(
        problem,
        structure=point.structure,
        constraints=unconstrained(point.structure.n_free),
        discrepancy=likelihood,
    )
    return TwoLevelEstimated(alone, point, likelihood.value(point))
