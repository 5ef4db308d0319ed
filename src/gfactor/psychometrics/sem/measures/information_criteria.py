"""Log-likelihoods and information criteria."""

from __future__ import annotations

import math

import numpy as np

from gfactor.psychometrics.sem.discrepancy import NormalLikelihood
from gfactor.psychometrics.sem.measures.context import Context, Measures, family
from gfactor.psychometrics.sem.problem import Problem

_LOG_2PI = math.log(2 * math.pi)


def _constant(problem: Problem) -> float:
    """Values seen, times log 2 pi / 2."""
    seen = sum(float(b.weight @ b.seen.sum(axis=1)) for b in problem.blocks)
    return problem.sample.n * seen * _LOG_2PI / 2


def _of_covariates(problem: Problem) -> float:
    """The log-likelihood of covariates taken as given, at their own moments."""
    given = np.isin(problem.sample.variables, problem.exogenous)
    if not given.any():
        return 0.0
    total = 0.0
    for group in problem.sample.groups:
        cov = group.cov[np.ix_(given, given)]
        k = int(given.sum())
        total -= group.n / 2 * (k * _LOG_2PI + np.linalg.slogdet(cov)[1] + k)
    return float(total)


def log_likelihoods(problem: Problem, value: float) -> tuple[float, float]:
    """Return the log-likelihoods of the model, at the discrepancy `value`, and of the unrestricted
    model, given the covariates.
    """
    likelihood = problem.discrepancy
    assert isinstance(likelihood, NormalLikelihood)
    # Under the Wishart likelihood, as in lavaan: n cases whose covariances have divisor n - 1.
    saturated = sum(
        b.saturated * share / b.weight.sum()
        for b, share in zip(likelihood.blocks, problem.sample.shares, strict=True)
    )
    best = -problem.sample.n * float(saturated) - _constant(problem)
    best -= _of_covariates(problem)
    return best - problem.sample.n * value, best


@family(2)
def likelihood(context: Context) -> Measures:
    """Return log-likelihood and information criteria; nothing if no likelihood was maximized."""
    problem = context.problem
    if not problem.likelihood_based:
        return {}
    return criteria(context, *log_likelihoods(problem, context.estimated.value_by_share))


def criteria(context: Context, logl: float, best: float) -> Measures:
    """Return log-likelihoods of the model (`logl`) and of the unrestricted one, and information
    criteria."""
    problem = context.problem
    k, n = problem.n_parameters, problem.sample.n
    measures: Measures = {
        "logl": logl,
        "unrestricted.logl": best,
        "aic": -2 * logl + 2 * k,
        "bic": -2 * logl + k * math.log(n),
        "ntotal": float(n),
        "bic2": -2 * logl + k * math.log((n + 2) / 24),
    }
    if context.exact.h1_factor is not None:
        measures["scaling.factor.h1"] = context.exact.h1_factor
        measures["scaling.factor.h0"] = context.exact.h0_factor
    return measures
