"""Input of the measures of fit of continuous variables: explained moments, and residuals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
import pandas as pd

from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.rounding import cleared
from gfactor.psychometrics.sem.conditional import given_covariates, is_conditional
from gfactor.psychometrics.sem.discrepancy import moment_vector, normal_weight
from gfactor.psychometrics.sem.inference.saturated import saturated_likelihood
from gfactor.psychometrics.sem.measures.context import Context, Explained, Kind, Measures
from gfactor.psychometrics.sem.measures.information_criteria import log_likelihoods
from gfactor.psychometrics.sem.model import vech_places
from gfactor.psychometrics.sem.problem import Problem


class ContinuousContext(Context):
    """A model of means and covariances."""

    kind: ClassVar[Kind] = "continuous"

    @property
    def log_likelihoods(self) -> tuple[float, float] | None:
        if not self.problem.likelihood_based:
            return None
        return log_likelihoods(self.problem, self.estimated.value_by_share)

    @property
    def residuals(self) -> Measures:
        """SRMR is Bentler's, or that of Mplus with mimic = "Mplus" and observed information."""
        problem = self.problem
        groups = [_residuals(self, number) for number in range(self.n_groups)]
        mean: Measures = {
            name: float(
                sum(s * g[name] for s, g in zip(problem.sample.shares, groups, strict=True))
            )
            for name in groups[0]
        }
        options = problem.options
        like_mplus = options.mimic == "Mplus" and options.information[0] == "observed"
        return mean | {"srmr": mean["srmr_mplus" if like_mplus else "srmr_bentler"]}

    @cached_property
    def explained(self) -> Sequence[Explained] | None:
        parts = []
        for number, share in enumerate(self.problem.sample.shares):
            pair = _explained(self, number)
            if pair is None:
                return None
            parts.append(Explained(float(share), *pair))
        return parts

    @property
    def n_moments(self) -> float:
        counted = self.problem.counted_moments
        each = counted.sum() if is_conditional(self.problem) else len(counted)
        return float(each * self.n_groups)


def _explained(context: Context, number: int) -> tuple[float, float] | None:
    """e'Ve and s'Vs of a group, V the estimator's weight matrix; None if there is none."""
    problem = context.problem
    if is_conditional(problem):
        return _given(context, number)
    complete = problem.likelihood_based and problem.blocks[number].complete
    if complete and problem.counted_moments.all():
        return _quickly(context, number)
    weight = _weight(context, number)
    if weight is None:
        return None
    here = context.estimated.point.groups[number]
    s = _sample_moments(problem, number)
    e = s - moment_vector(here.mu, here.sigma, means=problem.use_mean)
    return float(e @ weight @ e), float(s @ weight @ s)


def _weight(context: Context, number: int) -> np.ndarray | None:
    """Return the weight of the moments: the estimator's, or the saturated model's information."""
    problem = context.problem
    if not problem.likelihood_based:
        weight = problem.weights[number].weight
        assert isinstance(weight, np.ndarray)
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
            weight = normal_weight(inv(cov), means=problem.use_mean)
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
    """Means and covariances; for incomplete cases, as in lavaan, from cases in which both are
    observed; with sampling weights those of the unrestricted model."""
    group = problem.sample.groups[number]
    mean, cov = group.mean, problem.unrestricted_covariance(number)
    incomplete = problem.likelihood_based and not problem.blocks[number].complete
    if incomplete and group.weights is None:
        frame = pd.DataFrame(group.rows)
        mean = frame.mean().to_numpy()
        cov = frame.cov().to_numpy() * (group.n - 1) / group.n
    return moment_vector(mean, cov, means=problem.use_mean)


def _quickly(context: Context, number: int) -> tuple[float, float]:
    """e'Ve and s'Vs with normal-theory weights, without forming V."""
    problem = context.problem
    here, group = context.estimated.point.groups[number], problem.sample.groups[number]
    structured = problem.options.h1_information[0] == "structured"
    cov = problem.unrestricted_covariance(number)
    inverse = inv(here.sigma if structured else cov)

    def length(mean: np.ndarray, square: np.ndarray) -> float:
        turned = inverse @ square
        means = float(mean @ inverse @ mean) if problem.use_mean else 0.0
        return 0.5 * float((turned * turned.T).sum()) + means

    return length(group.mean - here.mu, cov - here.sigma), length(group.mean, cov)


def _given(context: Context, number: int) -> tuple[float, float]:
    """e'Ve and s'Vs of regressions on given covariates and of covariances given these."""
    problem = context.problem
    here, group = context.estimated.point.groups[number], problem.sample.groups[number]
    given = np.isin(problem.sample.variables, problem.exogenous)
    seen = given_covariates(group.mean, group.cov, given)
    expected = given_covariates(here.mu, here.sigma, given)
    structured = problem.options.h1_information[0] == "structured"
    inverse = inv(expected.cov if structured else seen.cov)

    def length(effects: np.ndarray, square: np.ndarray) -> float:
        turned = inverse @ square
        paths = float(np.trace(inverse @ effects @ seen.design @ effects.T))
        return 0.5 * float((turned * turned.T).sum()) + paths

    both = [np.column_stack([one.intercept, one.slopes]) for one in (seen, expected)]
    return length(both[0] - both[1], seen.cov - expected.cov), length(both[0], seen.cov)


def _residuals(context: Context, number: int) -> dict[str, float]:
    problem = context.problem
    group, here = problem.sample.groups[number], context.estimated.point.groups[number]
    cov, sigma = problem.unrestricted_covariance(number), here.sigma
    means = problem.use_mean
    mean, implied, covariates = group.mean, here.mu, 0
    if is_conditional(problem):
        given = np.isin(problem.sample.variables, problem.exogenous)
        seen, expected = (given_covariates(*m, given) for m in ((mean, cov), (implied, sigma)))
        mean, cov, implied, sigma = seen.intercept, seen.cov, expected.intercept, expected.cov
        covariates = int(given.sum())
    p = len(cov)
    row, column = vech_places(p)
    variances, implied_variances = cov.diagonal(), sigma.diagonal()
    sd, sd_implied = np.sqrt(variances), np.sqrt(np.abs(implied_variances))
    units = sd[:, None] * sd
    raw = cleared(cov - sigma, units)
    correlations = cleared(cov / units - sigma / (sd_implied[:, None] * sd_implied))
    cor = _squares(correlations[row, column])
    # Covariances can be 0 exactly; variances are above 0.
    relative = cleared(1 - implied_variances / variances)
    mplus = cor - _squares(correlations.diagonal()) + _squares(relative)
    residuals = _squares(raw[row, column]), _squares((raw / units)[row, column])
    away = standardized_away = shift = 0.0
    if means:
        apart = cleared(mean - implied, np.abs(mean) + sd)
        away, standardized_away = _squares(apart), _squares(apart / sd)
        shift = _squares(cleared(mean / sd - implied / sd_implied, np.abs(mean) / sd + 1))
    star = p * (p + 1) / 2
    # lavaan subtracts given covariates here as well, although they have no residuals.
    off = star - p - covariates
    more = p if means else 0
    some_off = star > p and off + more > 0
    return {
        "rmr": math.sqrt((residuals[0] + away) / (star + more)),
        "rmr_nomean": math.sqrt(residuals[0] / star),
        "srmr_bentler": math.sqrt((residuals[1] + standardized_away) / (star + more)),
        "srmr_bentler_nomean": math.sqrt(residuals[1] / star),
        "crmr": math.sqrt((cor + standardized_away) / (off + more)) if some_off else 0.0,
        "crmr_nomean": math.sqrt(cor / off) if off > 0 else 0.0,
        "srmr_mplus": math.sqrt((mplus + shift) / (star + more)),
        "srmr_mplus_nomean": math.sqrt(mplus / star),
    }


def _squares(residuals: np.ndarray) -> float:
    """Return the sum of the squares."""
    return float(np.vdot(residuals, residuals))
