"""Residuals of the sample's moments."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.rounding import cleared
from gfactor.psychometrics.sem.discrepancy import normal_weight
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.model import vech_places

ResidualKind = Literal["raw", "cor", "cor.bentler", "normalized", "standardized"]


def _square(values: np.ndarray, p: int) -> np.ndarray:
    row, column = vech_places(p)
    out = np.zeros((p, p))
    out[row, column] = out[column, row] = values
    return out


def residual_covariances(estimated: Estimated, number: int, kind: ResidualKind) -> pd.DataFrame:
    """Return sample minus implied covariances of one group, with names.

    Parameters
    ----------
    kind: "raw"; "cor" (of the two correlation matrices); "cor.bentler" (covariances over the
        sample's standard deviations); "normalized" (over the sampling error of the sample's
        covariance); "standardized" (over that of the residual itself, so that it is about a
        standard normal under the model; Hausman 1978, Joreskog and Sorbom). Sampling errors follow
        the options: with robust standard errors they assume no distribution, with incomplete cases
        they are conditional on which values are missing.
    """
    problem = estimated.problem
    cov = problem.unrestricted_covariance(number)
    sigma = estimated.point.groups[number].sigma
    names = list(problem.sample.variables)
    p = len(names)
    sd = np.sqrt(cov.diagonal())
    # The residual of a moment that the model reproduces exactly is only rounding, which would look
    # large relative to its own error.
    left = cleared(cov - sigma, np.outer(sd, sd))
    if kind == "cor":
        sd_implied = np.sqrt(sigma.diagonal())
        left = cleared(cov / np.outer(sd, sd) - sigma / np.outer(sd_implied, sd_implied))
    elif kind == "cor.bentler":
        left = left / np.outer(sd, sd)
    elif kind in {"normalized", "standardized"}:
        variance_of = _of_sample if kind == "normalized" else _of_residuals
        row, column = vech_places(p)
        variance = variance_of(estimated, number)[-len(row) :]
        # The error of a moment that the model reproduces exactly is only rounding.
        floor = 1e-10 * np.abs(variance).max()
        error = np.sqrt(np.where(variance > floor, variance, np.nan))
        left = _square(left[row, column] / error, p)
        left = np.where(np.isnan(left), 0.0, left)
    return pd.DataFrame(left, index=names, columns=names)


def _moment_covariance(estimated: Estimated, number: int) -> np.ndarray:
    """The covariance matrix of a group's moments, times its cases."""
    problem = estimated.problem
    options, kind = problem.options, str(problem.options.information[0])
    if options.se.startswith("robust") or options.two_stage or options.minimised == "WLS":
        if estimated.complete and not problem.sample.groups[number].designed:
            return estimated.gamma(number)
        return estimated.saturated(number).gamma(kind)
    if estimated.complete:
        inverse = inv(problem.unrestricted_covariance(number))
        information = normal_weight(inverse, means=problem.use_mean)
    else:
        information = estimated.saturated(number).information_by(kind)
    counted = problem.counted_moments
    out = np.zeros_like(information)
    out[np.ix_(counted, counted)] = inv(information[np.ix_(counted, counted)])
    return out


def _of_sample(estimated: Estimated, number: int) -> np.ndarray:
    """Sampling variances of a group's moments."""
    n = estimated.problem.sample.groups[number].n
    return _moment_covariance(estimated, number).diagonal() / n


def _of_residuals(estimated: Estimated, number: int) -> np.ndarray:
    """Sampling variances of a group's moments less the model's, to which all groups may have
    contributed."""
    sample, deltas = estimated.problem.sample, estimated.deltas()
    pulled = [estimated.weight(g, 0) @ delta for g, delta in enumerate(deltas)]
    inner = sum(
        share * (delta.T @ pull)
        for share, delta, pull in zip(sample.shares, deltas, pulled, strict=True)
    )
    inverse = estimated.restricted_inverse(np.asarray(inner))
    total = np.zeros(len(deltas[number]))
    for other, (group, share) in enumerate(zip(sample.groups, sample.shares, strict=True)):
        residual_map = -share * (deltas[number] @ inverse @ pulled[other].T)
        if other == number:
            residual_map = residual_map + np.eye(len(residual_map))
        gamma = _moment_covariance(estimated, other)
        total += ((residual_map @ gamma) * residual_map).sum(axis=1) / group.n
    return total
