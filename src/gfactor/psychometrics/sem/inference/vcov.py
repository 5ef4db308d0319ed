"""Sampling covariances of the estimates."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.inference.estimated import Estimated


def covariance_of_estimates(estimated: Estimated) -> np.ndarray:
    """The covariance matrix of the free parameters, shape (n_free, n_free), by options.se.

    "standard": the inverse information. "robust.huber.white": the sandwich of the inverse
    information around the casewise scores (MLR). "robust.sem": around the distribution-free
    covariance of the moments (Satorra and Bentler 1994). "first.order": the inverse of the
    scores' cross-products. "none": NaN.
    """
    problem = estimated.problem
    kind, n = problem.options.se, problem.cases
    if kind == "none":
        return np.full((problem.structure.n_free,) * 2, np.nan)
    if kind == "first.order":
        return estimated.restricted_inverse(estimated.first_order(0)) / n
    bread = estimated.restricted_inverse(estimated.information(0))
    if kind == "standard":
        return bread / n
    if kind == "robust.huber.white":
        meat = estimated.first_order(0)
    else:
        meat = np.zeros_like(bread)
        for number, group in enumerate(problem.sample.groups):
            pulled = estimated.weight(number, 0) @ estimated.deltas()[number]
            share = group.n / problem.sample.n
            if not problem.likelihood_based:
                share = problem.weights[number].factor
            meat += share * share / (group.n / n) * (pulled.T @ estimated.gamma(number) @ pulled)
    out = bread @ meat @ bread / n
    return (out + out.T) / 2
