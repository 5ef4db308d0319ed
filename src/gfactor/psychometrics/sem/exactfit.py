"""Tests of exact fit, by lavaan's names.

Satorra and Bentler (1994); mean and variance adjusted by Asparouhov and Muthen's scaling and shift
(2010) or by adjusted degrees of freedom.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc

from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.rounding import cleared
from gfactor.psychometrics.sem.discrepancy import moment_vector, normal_weight
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.inference.gamma import moment_rows
from gfactor.psychometrics.sem.problem import Problem
from gfactor.psychometrics.sem.sample import GroupSample

_TESTS: dict[str, Callable[[Estimated], ExactFit]] = {}


@dataclass(frozen=True)
class ExactFit:
    """A chi-square test of the model against the unrestricted one.

    Parameters
    ----------
    name: lavaan's name of the test.
    chisq, df: the plain statistic and its degrees of freedom.
    pvalue: p-value of the plain statistic; None if it has no chi-square distribution (ULS; that of
        DWLS has none either, but lavaan prints a p and so do we).
    scaled, df_scaled, pvalue_scaled: values of the corrected statistic, None for the standard test.
    factor: chisq / factor (+ shift) is the corrected statistic.
    shift: term that the scaled-shifted statistic adds.
    mean_factor: the correction of the mean alone, which robust CFI and RMSEA use.
    h1_factor, h0_factor: scaling factors of the two log-likelihoods (Yuan-Bentler as in Mplus).
    """

    name: str
    chisq: float
    df: int
    pvalue: float | None
    scaled: float | None = None
    df_scaled: float | None = None
    pvalue_scaled: float | None = None
    factor: float | None = None
    shift: float | None = None
    mean_factor: float | None = None
    h1_factor: float | None = None
    h0_factor: float | None = None


def tail(statistic: float, df: float) -> float:
    """Return the probability of a larger chi-square; NaN without degrees of freedom."""
    return float(chdtrc(df, max(statistic, 0.0))) if df > 0 else float("nan")


def plain(estimated: Estimated) -> tuple[float, int, float | None]:
    """Return the uncorrected statistic, its degrees of freedom and its p."""
    problem = estimated.problem
    chisq = 2 * problem.cases * float(cleared(estimated.value))
    if problem.df == 0:
        chisq = max(chisq, 0.0)
    has_distribution = problem.options.minimised != "ULS"
    return chisq, problem.df, tail(chisq, problem.df) if has_distribution else None


def corrected(
    name: str,
    uncorrected: tuple[float, int, float | None],
    factor: float,
    scaled: float,
    *,
    h1_factor: float | None = None,
    h0_factor: float | None = None,
) -> ExactFit:
    """Return a test with only its mean corrected, by a factor; `uncorrected` is the result of
    `plain`."""
    chisq, df, pvalue = uncorrected
    return ExactFit(
        name,
        chisq,
        df,
        pvalue,
        scaled,
        df,
        tail(scaled, df),
        factor,
        mean_factor=factor,
        h1_factor=h1_factor,
        h0_factor=h0_factor,
    )


def registered(*names: str) -> Callable[[Callable[[Estimated], ExactFit]], Callable[..., ExactFit]]:
    """Register a test under lavaan's names."""

    def register(function: Callable[[Estimated], ExactFit]) -> Callable[..., ExactFit]:
        for name in names:
            _TESTS[name] = function
        return function

    return register


def exact_fit(estimated: Estimated, name: str | None = None) -> ExactFit:
    """Return the test that the options name, or another by its name."""
    return _TESTS[name or str(estimated.problem.options.test)](estimated)


@registered("standard", "none", "bollen.stine")
def standard(estimated: Estimated) -> ExactFit:
    """Return likelihood ratio (ML) or minimum distance (GLS, WLS); Bollen and Stine's test differs
    only in its p-value, which comes from resamples (`Fit.measures`)."""
    return ExactFit("standard", *plain(estimated))


def traces(estimated: Estimated) -> tuple[float, float]:
    """Return tr(U Gamma) and tr(U Gamma U Gamma), U the residual weight matrix of all groups."""
    problem = estimated.problem
    inverse = estimated.restricted_inverse(estimated.moment_information(1))
    shares = problem.sample.shares
    weights = [estimated.weight(g, 1) for g in range(len(shares))]
    pulled = [w @ d for w, d in zip(weights, estimated.deltas(), strict=True)]
    gammas = [estimated.test_gamma(g) for g in range(len(shares))]
    first = second = 0.0
    crossed: dict[tuple[int, int], np.ndarray] = {}
    for g, share in enumerate(shares):
        for h, other in enumerate(shares):
            block = -math.sqrt(share * other) * (pulled[g] @ (inverse @ (pulled[h].T @ gammas[h])))
            crossed[g, h] = block + weights[g] @ gammas[g] if g == h else block
        first += float(np.trace(crossed[g, g]))
    for g in range(len(shares)):
        for h in range(len(shares)):
            second += float((crossed[g, h] * crossed[h, g].T).sum())
    return first, second


@registered("satorra.bentler")
def satorra_bentler(estimated: Estimated) -> ExactFit:
    """Return Satorra and Bentler's test, whose statistic is divided so that its mean is the degrees
    of freedom."""
    uncorrected = chisq, df, _ = plain(estimated)
    factor = traces(estimated)[0] / df if df else math.nan
    if df < 0 or factor == 0:
        return _untestable("satorra.bentler", chisq, df)
    return corrected("satorra.bentler", uncorrected, factor, chisq / factor if df else 0.0)


def _untestable(name: str, chisq: float, df: int) -> ExactFit:
    """Return the test of a model with no or negative degrees of freedom, which needs no
    correction."""
    return ExactFit(name, chisq, df, math.nan, chisq, df, math.nan, mean_factor=1.0)


@registered("mean.var.adjusted")
def mean_var_adjusted(estimated: Estimated) -> ExactFit:
    """Return the mean- and variance-adjusted test, with fractional degrees of freedom."""
    chisq, df, pvalue = plain(estimated)
    first, second = traces(estimated) if df > 0 else (0.0, 0.0)
    if second <= 0:
        return _untestable("mean.var.adjusted", chisq, df)
    df_scaled = first**2 / second
    if estimated.problem.options.mimic == "Mplus":
        df_scaled = math.floor(df_scaled + 0.5)
    factor = first / df_scaled
    scaled = chisq / factor
    return ExactFit(
        "mean.var.adjusted",
        chisq,
        df,
        pvalue,
        scaled,
        df_scaled,
        tail(scaled, df_scaled),
        factor,
        mean_factor=first / df,
    )


@registered("scaled.shifted")
def scaled_shifted(estimated: Estimated) -> ExactFit:
    """Return the scaled and shifted test, whose factor and shift correct mean and variance at the
    model's degrees of freedom."""
    chisq, df, pvalue = plain(estimated)
    first, second = traces(estimated) if df > 0 else (0.0, 0.0)
    if second <= 0:
        return _untestable("scaled.shifted", chisq, df)
    stretch = math.sqrt(df / second)
    shift = df - stretch * first
    scaled = chisq * stretch + shift
    return ExactFit(
        "scaled.shifted",
        chisq,
        df,
        pvalue,
        scaled,
        df,
        tail(scaled, df),
        1 / stretch,
        shift,
        mean_factor=first / df,
    )


def _with_corrections(
    name: str, estimated: Estimated, factor: float, scaled: float, h1: float, h0: float
) -> ExactFit:
    problem = estimated.problem
    return corrected(
        name,
        plain(estimated),
        factor,
        scaled,
        h1_factor=h1 / problem.n_moments,
        h0_factor=h0 / problem.structure.n_free,
    )


@registered("yuan.bentler.mplus")
def yuan_bentler_mplus(estimated: Estimated) -> ExactFit:
    """Return Mplus's variant of Yuan and Bentler's test, from the difference of the corrections of
    the two log-likelihoods. That of the unrestricted model is always taken at the sample's moments.
    As in lavaan, the model's correction is divided by the number of free parameters before equality
    constraints."""
    chisq, df, _ = plain(estimated)
    h1, h0 = estimated.corrections
    factor = (h1 - h0) / df if df else math.nan
    # A negative correction has no meaning; it is shown, but nothing is divided by it.
    usable = df > 0 and factor > 0
    scaled = chisq / factor if usable else (math.nan if df else 0.0)
    return _with_corrections("yuan.bentler.mplus", estimated, factor, scaled, h1, h0)


@registered("yuan.bentler")
def yuan_bentler(estimated: Estimated) -> ExactFit:
    """Return T2* of Yuan and Bentler: the correction from the residual part of the weight
    matrix."""
    chisq, df, _ = plain(estimated)
    factor = traces(estimated)[0] / df if df else math.nan
    scaled = chisq / factor if df else 0.0
    return _with_corrections("yuan.bentler", estimated, factor, scaled, *estimated.corrections)


def _covariance(problem: Problem, number: int) -> np.ndarray:
    """Return the covariances with the estimator's divisor: n for the likelihood, n - 1 for least
    squares."""
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
    """Test with the distribution-free covariance of the moments; this needs more cases than
    moments."""
    weights = [
        inv(estimated.gamma(number)) * _counted(estimated.problem, group)
        for number, group in enumerate(estimated.problem.sample.groups)
    ]
    return _tested(estimated, "browne.residual.adf", weights)


@registered("browne.residual.nt")
def browne_nt(estimated: Estimated) -> ExactFit:
    """Test with the covariance of the moments under normality, at the sample's moments."""
    covs = [_covariance(estimated.problem, g) for g in range(len(estimated.problem.sample.groups))]
    return _tested(estimated, "browne.residual.nt", _normal_weights(estimated, covs))


@registered("browne.residual.nt.model")
def browne_nt_model(estimated: Estimated) -> ExactFit:
    """Test with the covariance of the moments under normality, at the model's moments."""
    covs = [here.sigma for here in estimated.point.groups]
    return _tested(estimated, "browne.residual.nt.model", _normal_weights(estimated, covs))


@registered("browne.residual.adf.model")
def browne_adf_model(estimated: Estimated) -> ExactFit:
    """Test with the distribution-free covariance about the model's moments instead of the
    sample's."""
    problem = estimated.problem
    weights = []
    for group, here in zip(problem.sample.groups, estimated.point.groups, strict=True):
        center = here.mu if problem.use_mean else group.mean
        about = dataclasses.replace(group, mean=center)
        rows = moment_rows(about, means=problem.use_mean)
        away = rows - moment_vector(0 * center, here.sigma, means=problem.use_mean)
        weights.append(inv(away.T @ away / len(rows)) * _counted(problem, group))
    return _tested(estimated, "browne.residual.adf.model", weights)


def _normal_weights(estimated: Estimated, covs: list[np.ndarray]) -> list[np.ndarray]:
    problem = estimated.problem
    weights = []
    for group, cov in zip(problem.sample.groups, covs, strict=True):
        fewer = _counted(problem, group)
        weights.append(fewer * normal_weight(inv(cov), means=problem.use_mean))
    return weights


def _tested(estimated: Estimated, name: str, weights: list[np.ndarray]) -> ExactFit:
    statistic = _residual_statistic(estimated, weights)
    _, df, _ = plain(estimated)
    return ExactFit(name, statistic, df, tail(statistic, df))
