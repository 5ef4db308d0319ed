"""Continuous variables given covariates (conditional.x): what changes besides the likelihood.

Estimates, standard errors and chi-square are those of covariates taken as given (fixed.x), since
the likelihood of the rest given x is the same. The independence model, however, has free effects of
the covariates, and residuals are those of intercepts and of covariances given x.
"""

from __future__ import annotations

import dataclasses
from itertools import combinations_with_replacement

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import solve
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.problem import Problem, problem_of

_PLAIN = {"standard", "robust.huber.white", "first.order", "none"}


def is_conditional(problem: Problem) -> bool:
    """Return True if effects of covariates are taken out first."""
    return bool(problem.options.conditional_x and problem.exogenous)


def refuse_conditional(options: Options, table: ParameterTable) -> None:
    """Raise ParameterError for options that do not work with covariates taken as given."""
    if options.two_stage and table.given:
        raise ParameterError(
            f"missing = {options.missing!r} does not support covariates that are taken as given; "
            "set fixed_x = False."
        )
    if not options.conditional_x or not table.given:
        return
    plain = options.se in _PLAIN and (
        str(options.test) in {"standard", "none"} or str(options.test).startswith("yuan")
    )
    if (
        options.minimised != "ML"
        or options.missing != "listwise"
        or options.likelihood == "wishart"
        or not plain
    ):
        raise ParameterError(
            "conditional_x = True works only with the estimators ML and MLR of complete cases, and "
            "with ordinal variables; set fixed_x = True instead, which is the same model."
        )


@dataclasses.dataclass(frozen=True)
class GivenCovariates:
    """Moments of the other variables given covariates: intercepts (p,), slopes (p, q), covariances
    (p, p); and the raw moments of the covariates with a leading one, shape (1 + q, 1 + q)."""

    intercept: np.ndarray
    slopes: np.ndarray
    cov: np.ndarray
    design: np.ndarray


def given_covariates(mean: np.ndarray, cov: np.ndarray, given: np.ndarray) -> GivenCovariates:
    """Compute the covariates' part from the moments of all variables; `given` is a mask of the
    covariates."""
    rest = ~given
    slopes = solve(cov[np.ix_(given, given)], cov[np.ix_(given, rest)]).T
    center = np.concatenate([[1.0], mean[given]])
    design = np.outer(center, center)
    design[1:, 1:] += cov[np.ix_(given, given)]
    return GivenCovariates(
        mean[rest] - slopes @ mean[given],
        slopes,
        cov[np.ix_(rest, rest)] - slopes @ cov[np.ix_(given, rest)],
        design,
    )


def conditional_baseline(problem: Problem) -> Estimated:
    """Return the baseline model with every variable's regression on the covariates and no other
    relation; its solution is the sample's own regressions."""
    sample, given = problem.sample, problem.exogenous
    rest = [name for name in sample.variables if name not in given]
    index = {name: k for k, name in enumerate(sample.variables)}
    rows: list[Parameter] = []
    theta: list[float] = []

    def add(number: int, lhs: str, op: str, rhs: str, value: float) -> None:
        theta.append(value)
        rows.append(Parameter(lhs, op, rhs, number, free=len(theta)))

    for number, group in enumerate(sample.groups, 1):
        moments = given_covariates(group.mean, group.cov, np.isin(sample.variables, given))
        level = dict(zip(rest, moments.intercept, strict=True))
        for name in sample.variables:
            if name in given:
                mean = float(group.mean[index[name]])
                rows.append(Parameter(name, "~1", "", number, value=mean, exo=True))
            else:
                add(number, name, "~1", "", float(level[name]))
        for k, name in enumerate(rest):
            add(number, name, "~~", name, float(moments.cov[k, k]))
            for j, covariate in enumerate(name for name in sample.variables if name in given):
                add(number, name, "~", covariate, float(moments.slopes[k, j]))
        for one, other in combinations_with_replacement(given, 2):
            value = float(group.cov[index[one], index[other]])
            rows.append(Parameter(one, "~~", other, number, value=value, exo=True))
    table = ParameterTable(tuple(rows), sample.labels if len(sample.groups) > 1 else ())
    problem_of_table = problem_of(table, sample, problem.options)
    problem_of_table = dataclasses.replace(problem_of_table, memo=problem.memo)
    point = problem_of_table.discrepancy.at(np.array(theta))
    return Estimated(problem_of_table, point, problem_of_table.discrepancy.value(point))
