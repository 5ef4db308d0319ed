"""Absolute fit: Hoelter's critical N, goodness of fit, centrality, cross-validation."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from scipy.special import chdtri

from gfactor.psychometrics.sem.conditional import given_covariates, is_conditional
from gfactor.psychometrics.sem.discrepancy import moment_vector, normal_weight
from gfactor.psychometrics.sem.inference.saturated import saturated_likelihood
from gfactor.psychometrics.sem.measures.context import Context, Measures, family
from gfactor.psychometrics.sem.problem import Problem


def _weight(context: Context, number: int) -> np.ndarray | None:
    """Return the weight of the moments: the estimator's, or the saturated model's information."""
    problem = context.problem
    if not problem.likelihood_based:
        weight = problem.weights[number].weight
        # Moments among given covariates carry no weight, except in lavaan's ULS.
        counted = problem.counted_moments | (problem.options.minimised == "ULS")
        return weight * np.outer(counted, counted)
    here, group = context.estimated.point.groups[number], problem.sample.groups[number]
    structured = problem.options.h1_information[0] == "structured"
    mean, cov = here.mu, here.sigma
    if not structured:
        mean, cov = group.mean, problem.unrestricted_covariance(number)
    try:
        if problem.blocks[number].complete:
            weight = normal_weight(np.linalg.inv(cov), means=problem.use_mean)
        else:
            saturated = saturated_likelihood(problem, number)
            moments = moment_vector(mean, cov, means=problem.use_mean)
            weight = saturated.expected(saturated.at(moments))
    except np.linalg.LinAlgError:
        return None
    # Moments among given covariates carry no weight.
    counted = problem.counted_moments
    return weight * np.outer(counted, counted)


def _sample_moments(problem: Problem, number: int) -> np.ndarray:
    """Means and covariances; of incomplete cases, as in lavaan, from those that show both, or with
    sampling weights those of the unrestricted model."""
    group = problem.sample.groups[number]
    mean, cov = group.mean, problem.unrestricted_covariance(number)
    incomplete = problem.likelihood_based and not problem.blocks[number].complete
    if incomplete and group.weights is None:
        frame = pd.DataFrame(group.rows)
        mean = frame.mean().to_numpy()
        cov = frame.cov().to_numpy() * (group.n - 1) / group.n
    return moment_vector(mean, cov, means=problem.use_mean)


def _quickly(context: Context, number: int) -> float:
    """e'Ve / s'Vs with normal-theory weights, without making V."""
    problem = context.problem
    here, group = context.estimated.point.groups[number], problem.sample.groups[number]
    structured = problem.options.h1_information[0] == "structured"
    cov = problem.unrestricted_covariance(number)
    inverse = np.linalg.inv(here.sigma if structured else cov)

    def length(mean: np.ndarray, square: np.ndarray) -> float:
        turned = inverse @ square
        means = float(mean @ inverse @ mean) if problem.use_mean else 0.0
        return 0.5 * float((turned * turned.T).sum()) + means

    return length(group.mean - here.mu, cov - here.sigma) / length(group.mean, cov)


def _given(context: Context, number: int) -> float:
    """e'Ve / s'Vs of regressions on given covariates and of covariances given these."""
    problem = context.problem
    here, group = context.estimated.point.groups[number], problem.sample.groups[number]
    given = np.isin(problem.sample.variables, problem.exogenous)
    seen = given_covariates(group.mean, group.cov, given)
    expected = given_covariates(here.mu, here.sigma, given)
    structured = problem.options.h1_information[0] == "structured"
    inverse = np.linalg.inv(expected.cov if structured else seen.cov)

    def length(effects: np.ndarray, square: np.ndarray) -> float:
        turned = inverse @ square
        paths = float(np.trace(inverse @ effects @ seen.design @ effects.T))
        return 0.5 * float((turned * turned.T).sum()) + paths

    both = [np.column_stack([one.intercept, one.slopes]) for one in (seen, expected)]
    return length(both[0] - both[1], seen.cov - expected.cov) / length(both[0], seen.cov)


def _gfi(context: Context) -> float:
    """1 - e'Ve / s'Vs (Tanaka and Huba 1985), V the estimator's weight matrix;
    groups count by their sizes."""
    problem = context.problem
    means = problem.use_mean
    total = 0.0
    for number, share in enumerate(problem.sample.shares):
        if is_conditional(problem):
            total += share * _given(context, number)
            continue
        here = context.estimated.point.groups[number]
        s = _sample_moments(problem, number)
        e = s - moment_vector(here.mu, here.sigma, means=means)
        if (
            problem.likelihood_based
            and problem.blocks[number].complete
            and (problem.counted_moments.all())
        ):
            total += share * _quickly(context, number)
            continue
        weight = _weight(context, number)
        if weight is None:
            return math.nan
        total += share * float(e @ weight @ e) / float(s @ weight @ s)
    return 1 - total


@family(5)
def absolute(context: Context) -> Measures:
    """Return CN at 5 % and 1 %, GFI, AGFI, PGFI, MFI, ECVI."""
    problem = context.problem
    chisq, df, n = context.exact.chisq, context.exact.df, context.n
    gfi = _gfi(context)
    counted = problem.counted_moments
    moments = (counted.sum() if is_conditional(problem) else len(counted)) * context.n_groups

    def critical(level: float) -> float:
        if df <= 0 or not chisq:
            return 1.0 if problem.likelihood_based else math.nan
        return float(chdtri(df, level)) / (chisq / n) + 1

    return {
        "cn_05": critical(0.05),
        "cn_01": critical(0.01),
        **beside_gfi(context, gfi, float(moments)),
        "ecvi": chisq / n + 2 * problem.n_parameters / n,
    }


def beside_gfi(context: Context, gfi: float, moments: float) -> Measures:
    """Return GFI with the measures that follow from it or from chi-square alone, of any estimator.

    A further measure of this kind, for continuous and ordinal variables alike, is a line here; if
    it needs degrees of freedom, its name also stands in `context`.

    Parameters
    ----------
    context : Context
        Fit whose measures these are.
    gfi : float
        Its GFI.
    moments : float
        Number of sample moments.
    """
    chisq, df, n = context.exact.chisq, context.exact.df, context.n
    return {
        "gfi": gfi,
        "agfi": 1 - moments / df * (1 - gfi) if df > 0 else 1.0,
        "pgfi": df / moments * gfi,
        "mfi": math.exp(max(-0.5 * (chisq - df) / n, -700.0)),
    }
