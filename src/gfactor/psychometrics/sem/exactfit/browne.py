"""Browne's residual-based statistics (1984, equation 2.20a), for any estimator."""

from __future__ import annotations

import dataclasses

import numpy as np

from gfactor.psychometrics.sem.discrepancy import moment_vector, normal_weight
from gfactor.psychometrics.sem.exactfit.result import ExactFit, plain, registered, tail
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.inference.gamma import moment_rows
from gfactor.psychometrics.sem.problem import Problem
from gfactor.psychometrics.sem.sample import GroupSample


def _covariance(problem: Problem, number: int) -> np.ndarray:
    """As the estimator takes it: divisor n for the likelihood, n - 1 for least squares."""
    group = problem.sample.groups[number]
    return group.cov if problem.likelihood_based else group.cov * group.n / (group.n - 1)


def _counted(problem: Problem, group: GroupSample) -> float:
    """Under least squares the statistic, too, counts n - 1 cases."""
    return 1.0 if problem.likelihood_based else (group.n - 1) / group.n


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
        np.linalg.inv(estimated.gamma(number)) * _counted(estimated.problem, group)
        for number, group in enumerate(estimated.problem.sample.groups)
    ]
    return _tested(estimated, "browne.residual.adf", weights)


@registered("browne.residual.nt")
def browne_nt(estimated: Estimated) -> ExactFit:
    """With the covariance of the moments under normality, at the sample's moments."""
    covs = [_covariance(estimated.problem, g) for g in range(len(estimated.problem.sample.groups))]
    return _tested(estimated, "browne.residual.nt", _normal_weights(estimated, covs))


@registered("browne.residual.nt.model")
def browne_nt_model(estimated: Estimated) -> ExactFit:
    """The same at the model's moments."""
    covs = [here.sigma for here in estimated.point.groups]
    return _tested(estimated, "browne.residual.nt.model", _normal_weights(estimated, covs))


@registered("browne.residual.adf.model")
def browne_adf_model(estimated: Estimated) -> ExactFit:
    """With the distribution-free covariance about the model's moments instead of the sample's."""
    problem = estimated.problem
    weights = []
    for group, here in zip(problem.sample.groups, estimated.point.groups, strict=True):
        center = here.mu if problem.use_mean else group.mean
        about = dataclasses.replace(group, mean=center)
        rows = moment_rows(about, means=problem.use_mean)
        away = rows - moment_vector(0 * center, here.sigma, means=problem.use_mean)
        weights.append(np.linalg.inv(away.T @ away / len(rows)))
    return _tested(estimated, "browne.residual.adf.model", weights)


def _normal_weights(estimated: Estimated, covs: list[np.ndarray]) -> list[np.ndarray]:
    problem = estimated.problem
    weights = []
    for group, cov in zip(problem.sample.groups, covs, strict=True):
        fewer = _counted(problem, group)
        weights.append(fewer * normal_weight(np.linalg.inv(cov), means=problem.use_mean))
    return weights


def _tested(estimated: Estimated, name: str, weights: list[np.ndarray]) -> ExactFit:
    statistic = _residual_statistic(estimated, weights)
    _, df, _ = plain(estimated)
    return ExactFit(name, statistic, df, tail(statistic, df))
