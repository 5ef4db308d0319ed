"""Root mean square residuals, in the variants that programs print."""

from __future__ import annotations

import math

import numpy as np

from gfactor.psychometrics.rounding import cleared
from gfactor.psychometrics.sem.conditional import given_covariates, is_conditional
from gfactor.psychometrics.sem.measures.context import Context, Measures, family
from gfactor.psychometrics.sem.model import vech_places


def _group(context: Context, number: int) -> dict[str, float]:
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
    sd, sd_implied = np.sqrt(cov.diagonal()), np.sqrt(np.abs(sigma.diagonal()))
    raw = cleared(cov - sigma, np.outer(sd, sd))[row, column]
    bentler = raw / (sd[row] * sd[column])
    cor = cov / np.outer(sd, sd) - sigma / np.outer(sd_implied, sd_implied)
    cor = cleared(cor)[row, column]
    mplus = cor.copy()
    # Covariances can be 0 exactly; variances are above 0.
    mplus[row == column] = cleared(1 - sigma.diagonal() / cov.diagonal())
    away = cleared(mean - implied, np.abs(mean) + sd) if means else np.zeros(p)
    shift = mean / sd - implied / sd_implied if means else np.zeros(p)
    shift = cleared(shift, np.abs(mean) / sd + 1)
    star = p * (p + 1) / 2
    # lavaan takes given covariates off, too, though they have no residuals.
    off = star - p - covariates
    more = p if means else 0

    def root(residuals: np.ndarray, also: np.ndarray, count: float) -> float:
        return math.sqrt(float((residuals**2).sum() + (also**2).sum()) / count)

    none = np.zeros(0)
    return {
        "rmr": root(raw, away, star + more),
        "rmr_nomean": root(raw, none, star),
        "srmr_bentler": root(bentler, away / sd, star + more),
        "srmr_bentler_nomean": root(bentler, none, star),
        "crmr": root(cor, away / sd, off + more) if star > p and off + more > 0 else 0.0,
        "crmr_nomean": root(cor, none, off) if off > 0 else 0.0,
        "srmr_mplus": root(mplus, shift, star + more),
        "srmr_mplus_nomean": root(mplus, none, star),
    }


@family(4)
def residual(context: Context) -> Measures:
    """Return residual indices, averaged over groups by their sizes. SRMR is Bentler's, or that of
    Mplus if it is to be mimicked and the information is observed."""
    problem = context.problem
    groups = [_group(context, number) for number in range(context.n_groups)]
    mean = {
        name: float(sum(s * g[name] for s, g in zip(problem.sample.shares, groups, strict=True)))
        for name in groups[0]
    }
    options = problem.options
    like_mplus = options.mimic == "Mplus" and options.information[0] == "observed"
    measures: Measures = {"rmr": mean["rmr"], "rmr_nomean": mean["rmr_nomean"]}
    measures["srmr"] = mean["srmr_mplus" if like_mplus else "srmr_bentler"]
    measures |= {name: value for name, value in mean.items() if not name.startswith("rmr")}
    return measures
