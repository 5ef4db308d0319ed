"""Browne's residual-based statistics (1984, equation 2.20a), for any estimator."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.discrepancy import moment_vector, normal_weight
from gfactor.psychometrics.sem.exactfit.result import ExactFit, plain, registered, tail
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.problem import Problem


def _covariance(problem: Problem, number: int) -> np.ndarray:
    """As the estimator takes it: divisor n for the likelihood, n - 1 for least squares."""
    group = problem.sample.groups[number]
    return group.cov if problem.likelihood_based else group.cov * group.n / (group.n - 1)


def _residual_statistic(estimated: Estimated, weights: list[np.ndarray]) -> float:
    """n e' (V - V D (D' V D)^-1 D' V) e over all groups."""
    problem = estimated.problem
    means = problem.use_mean
    inner = np.zeros((problem.structure.n_free,) * 2)
    side = np.zeros(problem.structure.n_free)
    total = 0.0
    for number, (group, share) in enumerate(
        zip(problem.sample.groups, problem.sample.shares, strict=True)
    ):
        here = estimated.point.groups[number]
        cov = _covariance(problem, number)
        away = moment_vector(group.mean, cov, means=means) - moment_vector(
            here.mu, here.sigma, means=means
        )
        delta, weight = estimated.deltas()[number], weights[number]
        inner += share * (delta.T @ weight @ delta)
        side += share * (delta.T @ weight @ away)
        total += share * float(away @ weight @ away)
    total -= float(side @ estimated.restricted_inverse(inner) @ side)
    return problem.sample.n * total


@registered("browne.residual.adf")
def browne_adf(estimated: Estimated) -> ExactFit:
    """With the distribution-free covariance of the moments; needs more cases than moments."""
    weights = [
        np.linalg.inv(estimated.gamma(number))
        for number in range(len(estimated.problem.sample.groups))
    ]
    statistic = _residual_statistic(estimated, weights)
    _, df, _ = plain(estimated)
    return ExactFit("browne.residual.adf", statistic, df, tail(statistic, df))


@registered("browne.residual.nt")
def browne_nt(estimated: Estimated) -> ExactFit:
    """With the covariance of the moments under normality, at the sample's moments."""
    problem = estimated.problem
    weights = []
    for number, group in enumerate(problem.sample.groups):
        # Under least squares the statistic, too, counts n - 1 cases.
        fewer = 1.0 if problem.likelihood_based else (group.n - 1) / group.n
        inverse = np.linalg.inv(_covariance(problem, number))
        weights.append(fewer * normal_weight(inverse, means=problem.use_mean))
    statistic = _residual_statistic(estimated, weights)
    _, df, _ = plain(estimated)
    return ExactFit("browne.residual.nt", statistic, df, tail(statistic, df))
