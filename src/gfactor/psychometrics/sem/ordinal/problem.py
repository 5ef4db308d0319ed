"""A model with ordinal variables, its sample and its estimator brought together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.sem.constraints import Constraints, read_constraints
from gfactor.psychometrics.sem.discrepancy import Weight, WeightedMoments
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.ordinal.columns import average
from gfactor.psychometrics.sem.ordinal.least_squares import OrdinalLeastSquares, weight_matrix
from gfactor.psychometrics.sem.ordinal.moments import OrdinalMoments, ordinal_moments
from gfactor.psychometrics.sem.ordinal.structure import OrdinalStructure, compile_ordinal, widened
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.problem import Problem
from gfactor.psychometrics.sem.sample import (
    GroupSample,
    Sample,
    design_of,
    left_out,
    numbers,
    refuse_apart,
    single_column,
)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class OrdinalProblem(Problem):
    """The problem of fitting a model with ordinal variables. `moments` has each group's thresholds
    and polychoric correlations; `sample` has the latter as covariances of standardized
    responses."""

    moments: tuple[OrdinalMoments, ...] = ()
    ordinal: OrdinalStructure | None = field(default=None, repr=False)

    @property
    def use_mean(self) -> bool:
        return True

    def moment_units(self, number: int) -> Array:
        """Return the sampling standard deviation of every statistic."""
        return np.sqrt(np.maximum(np.diag(self.moments[number].gamma), 1e-300))

    @property
    def bounding_variances(self) -> list[Array]:
        return [moments.cov.diagonal() for moments in self.moments]

    def with_table(self, table: ParameterTable) -> OrdinalProblem:
        assert self.ordinal is not None
        squares = cast(OrdinalLeastSquares, self.discrepancy)
        structure = widened(self.ordinal, table, self.moments[0].covariates)
        return replace(
            self,
            structure=structure.latent,
            ordinal=structure,
            discrepancy=OrdinalLeastSquares(structure, self.moments, squares.weights),
        )

    @cached_property
    def counted_moments(self) -> NDArray[np.bool_]:
        return np.ones(len(self.moments[0].statistics), dtype=bool)


@dataclass(frozen=True)
class OrdinalEstimated(Estimated):
    """A point of an ordinal problem: the covariance of the moments is that of two-step estimates.

    As in lavaan, groups are weighted by n in the information and by n - 1 in the chi-square, and
    sampling covariances are divided by n minus the number of groups.
    """

    @property
    def _fewer(self) -> float:
        n = self.problem.sample.n
        return (n - len(self.problem.sample.groups)) / n

    @property
    def error_cases(self) -> float:
        return float(self.problem.sample.n)

    def information(self, which: int) -> Array:
        total = np.zeros((self.problem.structure.n_free,) * 2)
        for given, delta in zip(self.problem.weights, self.deltas(), strict=True):
            total += given.factor * (delta.T @ given.weight @ delta)
        return total * self._fewer if which == 0 else total

    def weight(self, number: int, which: int) -> Weight:
        weight = self.problem.weights[number].weight
        return float(np.sqrt(self._fewer)) * weight if which == 0 else weight

    @cached_property
    def _gammas(self) -> list[Array]:
        problem = self.problem
        assert isinstance(problem, OrdinalProblem)
        return [moments.gamma for moments in problem.moments]

    def test_gamma(self, number: int) -> Array:
        """Return the Gamma matrix of the test's corrections, times (n - 1) / n as in Mplus."""
        problem = self.problem
        assert isinstance(problem, OrdinalProblem)
        moments = problem.moments[number]
        return moments.gamma * (
            (moments.n - 1) / moments.n if problem.options.mimic == "Mplus" else 1.0
        )


def category_levels(
    rows: Array, names: Sequence[str], ordered: Collection[str]
) -> dict[str, Array]:
    """Return the categories of every ordinal variable, over all groups; `names` are those of the
    columns of `rows`."""
    return {
        name: np.unique(values[~np.isnan(values)])
        for name, values in zip(names, rows.T, strict=True)
        if name in ordered
    }


def ordinal_sample(
    data: pd.DataFrame,
    variables: Sequence[str],
    ordered: Sequence[str],
    group: str | None = None,
    groups: Sequence[str] = (),
    given: Sequence[str] = (),
    pairwise: bool = False,
    weights: str | None = None,
) -> tuple[Sample, tuple[OrdinalMoments, ...]]:
    """Return the cases of every group, and their two-step statistics.

    Parameters
    ----------
    groups: the groups' names in the order of the model; values of the column `group`.
    given: variables whose effects are taken out first; the sample is without them.
    pairwise: True if incomplete cases count for their observed variables and pairs; covariates must
    not be missing. Otherwise incomplete cases are left out.
    weights: the column of sampling weights.

    Raises ParameterError if a variable is not a column or not numeric, a category has no case in a
    group, or a group has no complete case.
    """
    table = numbers(data, variables)
    lost = np.isnan(table)
    empty = np.flatnonzero(lost.all(axis=0))
    if len(table) and len(empty):
        name = variables[empty[0]]
        raise ParameterError(f"the variable {name!r} has no values; leave it out of the model.")
    taken = np.array([name in given for name in variables])
    complete = ~lost.any(axis=1)
    if pairwise:
        complete = ~lost[:, taken].any(axis=1) & ~lost[:, ~taken].all(axis=1)
    names = [name for name in variables if name not in given]
    covariates = table[:, [variables.index(name) for name in given]]
    table = table[:, ~taken]
    levels = category_levels(table[complete], names, ordered)
    labels = groups or [""]
    if group is not None:
        column = single_column(data, group)
        present = column.notna().to_numpy()
        member = column.astype(str).to_numpy(dtype=object)
    else:
        present = np.ones(len(table), dtype=bool)
        member = np.full(len(table), "", dtype=object)
    each = _weights(data, weights, complete & present & np.isin(member, list(labels)))
    samples: list[GroupSample] = []
    by_group: list[OrdinalMoments] = []
    total = 0
    for label in labels:
        total += int((present & (member == label)).sum())
        members = complete & present & (member == label)
        rows = table[members]
        where = f" in group {label!r}" if label else ""
        if len(rows) < 3:
            raise ParameterError(f"{len(rows)} complete cases are left{where}; three are needed.")
        refuse_apart(rows, names, where)
        x = pd.DataFrame(covariates[members], columns=list(given)) if given else None
        if x is not None:
            _refuse_determined(x, where)
        weight = None if each is None else each[members]
        cases = pd.DataFrame(rows, columns=names)
        moments = ordinal_moments(cases, ordered, levels, where, given=x, weights=weight)
        mean = np.zeros(rows.shape[1])
        numeric = ~moments.ordered[moments.owner]
        mean[moments.owner[numeric]] = -moments.thresholds[numeric]
        at = np.flatnonzero(members)
        samples.append(GroupSample(label, len(rows), mean, moments.cov, rows, at, weight))
        by_group.append(moments)
    notes = left_out(tuple(samples), total, not pairwise, int((~present).sum()), group)
    return Sample(tuple(names), tuple(samples), notes=notes, index=data.index), tuple(by_group)


def _weights(data: pd.DataFrame, weights: str | None, used: NDArray[np.bool_]) -> Array | None:
    """Return the sampling weights, which sum to the number of cases that are used."""
    design = design_of(data, weights, None)
    if design is None or design.weights is None:
        return None
    return design.weights / design.weights[used].mean()


def _refuse_determined(covariates: pd.DataFrame, where: str) -> None:
    """Raise ParameterError if a covariate does not vary or is determined by the others."""
    values = covariates.to_numpy(float)
    spread = values.std(axis=0)
    if not spread.all():
        name = covariates.columns[int(np.argmin(spread))]
        raise ParameterError(f"the covariate {name!r} does not vary{where}; leave it out.")
    unit = (values - values.mean(axis=0)) / spread
    if eigvalsh(unit.T @ unit / len(unit))[0] < 1e-10:
        raise ParameterError(
            f"the covariates {', '.join(covariates.columns)} determine each other{where}; leave "
            "one out."
        )


def with_covariate_moments(
    table: ParameterTable, moments: Sequence[OrdinalMoments]
) -> ParameterTable:
    """Return the table with the means and covariances of given covariates, which are not fitted.

    See `OrdinalMoments.covariances`.
    """
    rows: list[Parameter] = []
    for given in table.rows:
        row = given
        group_moments = moments[row.group - 1] if row.group else moments[0]
        if row.exo and row.op in {"~~", "~1"} and group_moments.design is not None:
            i = group_moments.covariates.index(row.lhs)
            if row.op == "~1":
                moment = average(group_moments.design, group_moments.weights)[i]
            else:
                moment = group_moments.covariances[i, group_moments.covariates.index(row.rhs)]
            row = row.changed(value=float(moment), free=0)
        rows.append(row)
    return ParameterTable(tuple(rows), table.groups)


def ordinal_problem(
    table: ParameterTable,
    sample: Sample,
    moments: tuple[OrdinalMoments, ...],
    options: Options,
    constraints: Constraints | None = None,
) -> OrdinalProblem:
    """Return the problem of fitting a table with thresholds; `options` must be resolved.

    Raises ParameterError for an estimator that needs a likelihood.
    """
    if options.minimised not in {"ULS", "DWLS", "WLS"}:
        raise ParameterError(
            f"estimator {options.estimator} does not fit ordinal variables; use WLSMV, WLSM, "
            "ULSMV, DWLS, ULS or WLS."
        )
    structure = compile_ordinal(table, moments, options.parameterization)
    weights = tuple(weight_matrix(one, options.minimised) for one in moments)
    squares = OrdinalLeastSquares(structure, moments, weights)
    return OrdinalProblem(
        options,
        sample,
        structure.latent,
        constraints or read_constraints(table),
        squares,
        exogenous=moments[0].covariates,
        weights=tuple(
            WeightedMoments(one.statistics, weight, float(share))
            for one, weight, share in zip(moments, weights, sample.shares, strict=True)
        ),
        moments=moments,
        ordinal=structure,
    )


def ordinal_starts(table: ParameterTable, problem: OrdinalProblem, start: Array) -> Array:
    """Return `start` with the start values of thresholds (the sample's) and scaling factors (1)
    filled in."""
    assert problem.ordinal is not None
    out = start.copy()
    for group, moments in zip(problem.ordinal.groups, problem.moments, strict=True):
        out[group.thresholds.index] = moments.thresholds[group.thresholds.position]
        out[group.scales.index] = 1.0
    for row in table.rows:
        if row.free and row.op in {"|", "~*~"} and row.value is not None:
            out[row.free - 1] = row.value
    return out
