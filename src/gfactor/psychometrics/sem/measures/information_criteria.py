"""Log-likelihoods and information criteria."""

from __future__ import annotations

import math

import numpy as np

from gfactor.psychometrics.sem.discrepancy import NormalLikelihood
from gfactor.psychometrics.sem.measures.context import Context, Kind, Measures
from gfactor.psychometrics.sem.measures.declared import Measure, family
from gfactor.psychometrics.sem.problem import Problem

_LOG_2PI = math.log(2 * math.pi)

_MAXIMIZED = "maximum likelihood"
_MPLUS = 'test="yuan.bentler.mplus"'


def _constant(problem: Problem) -> float:
    """Number of observed values, times log 2 pi / 2."""
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


def _declared(name: str, formula: str, source: str = "", given: str = _MAXIMIZED) -> Measure:
    lacks: dict[Kind, str] = {"ordinal": "no likelihood is maximized"}
    return Measure(name, formula, source, needs_df=False, given=given, lacks=lacks)


@family(
    _declared("logl", "log-likelihood of the model, L"),
    _declared("unrestricted.logl", "log-likelihood of the unrestricted model, L_1"),
    _declared("aic", "-2 L + 2 npar", "Akaike (1974)"),
    _declared("bic", "-2 L + npar log n", "Schwarz (1978)"),
    _declared("ntotal", "n"),
    _declared("bic2", "-2 L + npar log((n + 2) / 24)", "Sclove (1987)"),
    _declared("scaling.factor.h1", "scaling factor of L_1", "Yuan & Bentler (2000)", _MPLUS),
    _declared("scaling.factor.h0", "scaling factor of L", "Yuan & Bentler (2000)", _MPLUS),
    order=2,
)
def criteria(context: Context) -> Measures:
    """Return log-likelihoods of the model and of the unrestricted one, and information criteria;
    nothing if no likelihood was maximized."""
    both = context.log_likelihoods
    if both is None:
        return {}
    logl, best = both
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
