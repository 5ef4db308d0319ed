"""The independence model, against which incremental fit is measured."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.discrepancy import Discrepancy, LeastSquares, NormalLikelihood
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.model import GroupStructure, Structure
from gfactor.psychometrics.sem.model.structure import INTERCEPT, RESIDUAL
from gfactor.psychometrics.sem.optimize import minimise
from gfactor.psychometrics.sem.problem import Problem, unconstrained


def _independence(problem: Problem) -> tuple[Structure, np.ndarray]:
    """Every variable its own variance (and mean). Observed predictors keep their covariances: free
    ones, or those of the sample where they are taken as given."""
    variables = problem.sample.variables
    p = len(variables)
    given = np.isin(variables, problem.exogenous)
    own = np.flatnonzero(~given)
    linked = np.flatnonzero(np.isin(variables, problem.predictors) & ~given)
    first, second = (linked[k] for k in np.tril_indices(len(linked), -1))
    means = own if problem.use_mean else own[:0]
    row = np.concatenate([own, first, means])
    column = np.concatenate([own, second, np.zeros_like(means)])
    kind = np.repeat([RESIDUAL, INTERCEPT], [len(own) + len(first), len(means)])
    groups, starts = [], []
    for number, group in enumerate(problem.sample.groups):
        theta, nu = np.zeros((p, p)), np.zeros((p, 1))
        theta[np.ix_(given, given)] = problem.unrestricted_covariance(number)[np.ix_(given, given)]
        nu[given, 0] = group.mean[given]
        base = (np.zeros((p, 0)), np.zeros((0, 0)), np.zeros((0, 0)), theta, nu, np.zeros((0, 1)))
        index = np.arange(len(kind)) + number * len(kind)
        groups.append(GroupStructure(variables, (), 0, base, kind, row, column, index))
        starts += [group.cov.diagonal()[own], group.cov[first, second], group.mean[means]]
    structure = Structure(tuple(groups), len(kind) * len(groups), (), problem.use_mean)
    return structure, np.concatenate(starts)


def fit_baseline(problem: Problem) -> Estimated:
    """The independence model fitted to the problem's sample with its estimator."""
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
    own = Problem(
        problem.options,
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
    return Estimated(own, point, value)
