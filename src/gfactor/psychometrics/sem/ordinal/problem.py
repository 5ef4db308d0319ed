"""A model with ordinal variables, its sample and its estimator brought together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.constraints import Constraints, read_constraints
from gfactor.psychometrics.sem.discrepancy import WeightedMoments
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.ordinal.least_squares import OrdinalLeastSquares, weight_matrix
from gfactor.psychometrics.sem.ordinal.moments import OrdinalMoments, ordinal_moments
from gfactor.psychometrics.sem.ordinal.structure import OrdinalStructure, compile_ordinal
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.problem import Problem
from gfactor.psychometrics.sem.sample import GroupSample, Sample

Array = NDArray[np.float64]


@dataclass(frozen=True)
class OrdinalProblem(Problem):
    """`moments` has each group's thresholds and polychoric correlations; `sample` repeats the
    latter as covariances of standardized responses."""

    moments: tuple[OrdinalMoments, ...] = ()
    ordinal: OrdinalStructure | None = field(default=None, repr=False)

    @property
    def use_mean(self) -> bool:
        return True

    @cached_property
    def counted_moments(self) -> NDArray[np.bool_]:
        return np.ones(len(self.moments[0].statistics), dtype=bool)


@dataclass(frozen=True)
class OrdinalEstimated(Estimated):
    """A point of an ordinal problem: the covariance of the moments is that of two-step estimates.

    As in lavaan, groups count by n in the information, by n - 1 in the chi-square, and sampling
    covariances are divided by n less the number of groups.
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

    def weight(self, number: int, which: int) -> Array:
        weight = self.problem.weights[number].weight
        return weight * np.sqrt(self._fewer) if which == 0 else weight

    @cached_property
    def _gammas(self) -> list[Array]:
        problem = self.problem
        assert isinstance(problem, OrdinalProblem)
        return [own.gamma for own in problem.moments]

    def test_gamma(self, number: int) -> Array:
        """What the corrections of the test take: in the manner of Mplus times (n - 1) / n."""
        problem = self.problem
        assert isinstance(problem, OrdinalProblem)
        own = problem.moments[number]
        return own.gamma * ((own.n - 1) / own.n if problem.options.mimic == "Mplus" else 1.0)


def category_levels(data: pd.DataFrame, ordered: Sequence[str]) -> dict[str, Array]:
    """The categories of every ordinal variable, over all groups."""
    return {name: np.unique(data[name].dropna().to_numpy(float)) for name in ordered}


def ordinal_sample(
    data: pd.DataFrame,
    variables: Sequence[str],
    ordered: Sequence[str],
    group: str | None = None,
    groups: Sequence[str] = (),
) -> tuple[Sample, tuple[OrdinalMoments, ...]]:
    """Complete cases of every group, and their two-step statistics.

    Parameters
    ----------
    groups: the groups' names in the order of the model; values of the column `group`.

    Raises ParameterError where a variable is no column or not numeric, a category has no case in a
    group, or a group has no complete case.
    """
    for name in variables:
        if name not in data.columns:
            raise ParameterError(
                f"the model's variable {name!r} is not a column of the data; the data have "
                f"{', '.join(map(str, data.columns[:12]))}."
            )
        if not pd.api.types.is_numeric_dtype(data[name]):
            raise ParameterError(
                f"the ordinal column {name!r} holds text; number its categories in their order."
            )
    table = pd.DataFrame(data, columns=list(variables))
    complete = ~np.isnan(table.to_numpy(float)).any(axis=1)
    levels = category_levels(table.loc[complete], [n for n in variables if n in ordered])
    labels = groups or [""]
    samples: list[GroupSample] = []
    made: list[OrdinalMoments] = []
    for label in labels:
        mine = complete
        if group is not None:
            mine = complete & (np.asarray(data[group].astype(str)) == label)
        own = table.loc[mine]
        where = f" in group {label!r}" if label else ""
        if len(own) < 3:
            raise ParameterError(f"{len(own)} complete cases are left{where}; three are needed.")
        moments = ordinal_moments(own, ordered, levels, where)
        mean = np.zeros(len(variables))
        numeric = ~moments.ordered[moments.owner]
        mean[moments.owner[numeric]] = -moments.thresholds[numeric]
        rows = own.to_numpy(float)
        samples.append(GroupSample(label, len(own), mean, moments.cov, rows, np.flatnonzero(mine)))
        made.append(moments)
    return Sample(tuple(variables), tuple(samples)), tuple(made)


def ordinal_problem(
    table: ParameterTable,
    sample: Sample,
    moments: tuple[OrdinalMoments, ...],
    options: Options,
    constraints: Constraints | None = None,
) -> OrdinalProblem:
    """The problem of fitting a table with thresholds; `options` has all defaults in place.

    Raises ParameterError for an estimator that needs a likelihood.
    """
    if options.minimised not in {"ULS", "DWLS", "WLS"}:
        raise ParameterError(
            f"estimator {options.estimator} does not fit ordinal variables; use WLSMV, WLSM, "
            "ULSMV, DWLS, ULS or WLS."
        )
    structure = compile_ordinal(table, moments, options.parameterization)
    weights = tuple(weight_matrix(own, options.minimised) for own in moments)
    squares = OrdinalLeastSquares(structure, moments, weights)
    return OrdinalProblem(
        options,
        sample,
        structure.latent,
        constraints or read_constraints(table),
        squares,
        weights=tuple(
            WeightedMoments(own.statistics, weight, float(share))
            for own, weight, share in zip(moments, weights, sample.shares, strict=True)
        ),
        moments=moments,
        ordinal=structure,
    )


def ordinal_starts(table: ParameterTable, problem: OrdinalProblem, start: Array) -> Array:
    """Starts of thresholds (the sample's) and scaling factors (1) put into `start`."""
    assert problem.ordinal is not None
    out = start.copy()
    for group, own in zip(problem.ordinal.groups, problem.moments, strict=True):
        out[group.thresholds.index] = own.thresholds[group.thresholds.place]
        out[group.scales.index] = 1.0
    for row in table.rows:
        if row.free and row.op in {"|", "~*~"} and row.value is not None:
            out[row.free - 1] = row.value
    return out
