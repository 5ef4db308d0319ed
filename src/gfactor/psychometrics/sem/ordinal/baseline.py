"""The independence model of ordinal variables: thresholds free, no correlations."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.sem.optimize import minimise
from gfactor.psychometrics.sem.ordinal.problem import (
    OrdinalEstimated,
    OrdinalProblem,
    ordinal_problem,
    ordinal_starts,
)
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.problem import unconstrained

Array = NDArray[np.float64]


def independence_table(problem: OrdinalProblem) -> ParameterTable:
    """Every threshold, every continuous variable's mean and variance and every effect of a given
    covariate a free parameter."""
    rows: list[Parameter] = []
    number = 0

    def add(group: int, lhs: str, op: str, rhs: str, value: float | None = None) -> None:
        nonlocal number
        number += value is None
        rows.append(
            Parameter(lhs, op, rhs, group, free=number if value is None else 0, value=value)
        )

    for group, own in enumerate(problem.moments, 1):
        for name, ordered in zip(own.names, own.ordered, strict=True):
            add(group, name, "~~", name, 1.0 if ordered else None)
        for name, ordered, categories in zip(own.names, own.ordered, own.categories, strict=True):
            for step in range(1, categories):
                add(group, name, "|", f"t{step}")
            add(group, name, "~1", "", 0.0 if ordered else None)
            if ordered:
                add(group, name, "~*~", name, 1.0)
            for covariate in own.covariates:
                add(group, name, "~", covariate)
        for one, other in combinations_with_replacement(own.covariates, 2):
            rows.append(Parameter(one, "~~", other, group, value=0.0, exo=True))
    return ParameterTable(tuple(rows), problem.sample.labels if len(problem.moments) > 1 else ())


def ordinal_baseline(problem: OrdinalProblem) -> OrdinalEstimated:
    """The independence model at its minimum. Only under WLS that is not at the sample's own
    thresholds and variances, which the full weight matrix ties to the correlations."""
    table = independence_table(problem)
    # Theta parameterization would do the same: variances of one and scales of one agree.
    own = ordinal_problem(
        table,
        problem.sample,
        problem.moments,
        problem.options.replaced(parameterization="delta"),
        unconstrained(table.n_free),
    )
    theta = ordinal_starts(table, own, _starts(table, problem))
    outcome = minimise(own.discrepancy, own.constraints.linear, theta, np.abs(theta) + 1.0)
    return OrdinalEstimated(own, outcome.point, outcome.value)


def _starts(table: ParameterTable, problem: OrdinalProblem) -> Array:
    start = np.zeros(table.n_free)
    places = {name: k for k, name in enumerate(problem.sample.variables)}
    for row in table.rows:
        if row.free and row.op in {"~~", "~1"}:
            group, k = problem.sample.groups[row.group - 1], places[row.lhs]
            start[row.free - 1] = group.cov[k, k] if row.op == "~~" else group.mean[k]
        elif row.free and row.op == "~":
            own = problem.moments[row.group - 1]
            k = places[row.lhs]
            start[row.free - 1] = own.slopes[k, own.covariates.index(row.rhs)]
    return start
