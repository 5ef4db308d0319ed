"""Sampling covariances of the estimates."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.problem import Problem

_BY_MOMENTS = {"robust.sem", "two.stage", "robust.two.stage"}
"""Sandwiches around the covariance of the moments."""


def _with_biased_means(gamma: np.ndarray, problem: Problem, n: int) -> np.ndarray:
    """Divide the covariance of the means by n as Mplus does, while that of covariances has n -
    1."""
    out = gamma.copy()
    p = len(problem.sample.variables) if problem.use_mean else 0
    out[:p, :p] *= (n - 1) / n
    return out


def covariance_of_estimates(estimated: Estimated) -> np.ndarray:
    """Return the covariance matrix of the free parameters, shape (n_free, n_free), by options.se.

    "standard": the inverse information. "robust.huber.white": the sandwich of the inverse
    information around the casewise scores (MLR), "robust.cluster" around their sums in clusters.
    "robust.sem": around the distribution-free
    covariance of the moments (Satorra and Bentler 1994); "two.stage" and "robust.two.stage":
    around that of moments estimated from incomplete cases. "first.order": the inverse of the
    scores' cross-products. "none": NaN. NaN, too, for parameters that are not identified.
    """
    kind = estimated.problem.options.se
    out = _covariance(estimated)
    if kind != "none":
        lost = ~estimated.determined(_information(estimated))
        if lost.any():
            out[lost] = out[:, lost] = np.nan
    return out


def _information(estimated: Estimated) -> np.ndarray:
    """Return the information matrix that the options' standard errors invert."""
    kind = estimated.problem.options.se
    if kind == "first.order":
        return estimated.first_order(0)
    return estimated.moment_information(0) if kind in _BY_MOMENTS else estimated.information(0)


def _covariance(estimated: Estimated) -> np.ndarray:
    problem = estimated.problem
    kind, n = problem.options.se, estimated.error_cases
    if kind == "none":
        return np.full((problem.structure.n_free,) * 2, np.nan)
    if kind == "first.order":
        return estimated.restricted_inverse(_information(estimated)) / n
    bread = estimated.restricted_inverse(_information(estimated))
    if kind == "standard":
        return bread / n
    if kind in {"robust.huber.white", "robust.cluster"}:
        meat = estimated.first_order(0)
    else:
        like_mplus = problem.options.mimic == "Mplus"
        meat = np.zeros_like(bread)
        for number, group in enumerate(problem.sample.groups):
            pulled = estimated.weight(number, 0) @ estimated.deltas()[number]
            share = whole = group.size / problem.sample.n
            if like_mplus:
                whole = (group.size - 1) / problem.sample.n
            gamma = estimated.gamma(number)
            if like_mplus and problem.likelihood_based:
                gamma = _with_biased_means(gamma, problem, group.n)
            meat += share * share / whole * (pulled.T @ gamma @ pulled)
    out = bread @ meat @ bread / n
    return (out + out.T) / 2
