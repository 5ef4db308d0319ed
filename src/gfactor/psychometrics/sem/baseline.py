"""The independence model, against which incremental fit is measured."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gfactor.psychometrics.sem.conditional import conditional_baseline, is_conditional
from gfactor.psychometrics.sem.discrepancy import Discrepancy, LeastSquares, NormalLikelihood
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.model import GroupStructure, Structure
from gfactor.psychometrics.sem.model.derivative_index import INTERCEPT, RESIDUAL
from gfactor.psychometrics.sem.optimize import minimise
from gfactor.psychometrics.sem.problem import Problem, unconstrained
from gfactor.psychometrics.sem.sample import GroupSample


@dataclass(frozen=True)
class _GroupMoments:
    """Moments of a group that are parameters: variances of `varying`, covariances of `first` with
    `second`, means of `means`; all are positions among the variables.
    """

    varying: np.ndarray
    first: np.ndarray
    second: np.ndarray
    means: np.ndarray

    @property
    def count(self) -> int:
        return len(self.varying) + len(self.first) + len(self.means)

    def start(self, group: GroupSample, apart: bool) -> np.ndarray:
        """Return the sample's moments. Under full information with incomplete cases (`apart`) these
        are the moments of each variable's observed values, the maximum likelihood estimates for
        independent variables."""
        cov, variances, mean = group.cov, group.cov.diagonal(), group.mean
        if apart and group.rows is not None and np.isnan(group.rows).any():
            variances, mean = np.nanvar(group.rows, axis=0), np.nanmean(group.rows, axis=0)
        return np.concatenate(
            [variances[self.varying], cov[self.first, self.second], mean[self.means]]
        )


Names = tuple[str, ...]


@lru_cache(maxsize=64)
def _moments(variables: Names, given: Names, predictors: Names, use_mean: bool) -> _GroupMoments:
    taken = np.isin(variables, given)
    varying = np.flatnonzero(~taken)
    linked = np.flatnonzero(np.isin(variables, predictors) & ~taken)
    first, second = (linked[k] for k in np.tril_indices(len(linked), -1))
    return _GroupMoments(varying, first, second, varying if use_mean else varying[:0])


def _group(
    variables: Names, moments: _GroupMoments, number: int, theta: np.ndarray, nu: np.ndarray
) -> GroupStructure:
    """The structure of a group; theta and nu hold the fixed values."""
    row = np.concatenate([moments.varying, moments.first, moments.means])
    column = np.concatenate([moments.varying, moments.second, np.zeros_like(moments.means)])
    quadratic = len(moments.varying) + len(moments.first)
    kind = np.repeat([RESIDUAL, INTERCEPT], [quadratic, len(moments.means)])
    base = (np.zeros((len(nu), 0)), np.zeros((0, 0)), np.zeros((0, 0)), theta, nu, np.zeros((0, 1)))
    index = np.arange(len(kind)) + number * len(kind)
    return GroupStructure(variables, (), 0, base, kind, row, column, index)


@lru_cache(maxsize=64)
def _free_structure(
    variables: Names, predictors: Names, use_mean: bool, n_groups: int
) -> Structure:
    """The independence model if nothing is fixed: the same for every sample."""
    moments = _moments(variables, (), predictors, use_mean)
    p = len(variables)
    groups = tuple(
        _group(variables, moments, number, np.zeros((p, p)), np.zeros((p, 1)))
        for number in range(n_groups)
    )
    return Structure(groups, moments.count * n_groups, (), use_mean)


def _independence(problem: Problem) -> tuple[Structure, np.ndarray]:
    """Give every variable its own variance (and mean). Observed predictors keep their covariances:
    as free parameters, or the sample's if the predictors are taken as given."""
    variables, use_mean = problem.sample.variables, problem.use_mean
    samples = problem.sample.groups
    moments = _moments(variables, problem.exogenous, problem.predictors, use_mean)
    apart = problem.options.full_information
    start = np.concatenate([moments.start(group, apart) for group in samples])
    if not problem.exogenous:
        return _free_structure(variables, problem.predictors, use_mean, len(samples)), start
    given = np.isin(variables, problem.exogenous)
    both = np.ix_(given, given)
    groups = []
    for number, group in enumerate(samples):
        theta, nu = np.zeros((len(given),) * 2), np.zeros((len(given), 1))
        theta[both] = problem.unrestricted_covariance(number)[both]
        nu[given, 0] = group.mean[given]
        groups.append(_group(variables, moments, number, theta, nu))
    return Structure(tuple(groups), len(start), (), use_mean), start


def fit_baseline(problem: Problem) -> Estimated:
    """Return the independence model fitted to the problem's sample with its estimator."""
    if is_conditional(problem):
        return conditional_baseline(problem)
    structure, start = _independence(problem)
    likelihood = problem.discrepancy
    discrepancy: Discrepancy
    if isinstance(likelihood, NormalLikelihood):
        discrepancy = NormalLikelihood(structure, likelihood.blocks, use_mean=problem.use_mean)
    else:
        discrepancy = LeastSquares(structure, problem.weights, use_mean=problem.use_mean)
    constraints = unconstrained(structure.n_free)
    complete = problem.likelihood_based and all(block.complete for block in problem.blocks)
    if complete and problem.options.likelihood != "wishart":
        # The start, which is the sample's own moments, is the solution.
        point = discrepancy.at(start)
        value = discrepancy.value(point)
    else:
        outcome = minimise(discrepancy, constraints.linear, start, np.abs(start) + 1.0)
        point, value = outcome.point, outcome.value
    options = problem.options.replaced(se="none") if problem.options.two_stage else problem.options
    independence = Problem(
        options,
        problem.sample,
        structure,
        constraints,
        discrepancy,
        problem.blocks,
        problem.weights,
        problem.exogenous,
        problem.predictors,
        problem.memo,
    )
    return Estimated(independence, point, value)
