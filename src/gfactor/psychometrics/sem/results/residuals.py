"""What the model leaves of the sample's moments."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd

from gfactor.psychometrics.sem.discrepancy import normal_weight
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.model import vech_places

ResidualKind = Literal["raw", "cor", "cor.bentler", "normalized", "standardized"]


def _square(values: np.ndarray, p: int) -> np.ndarray:
    row, column = vech_places(p)
    out = np.zeros((p, p))
    out[row, column] = out[column, row] = values
    return out


def residual_covariances(
    estimated: Estimated, vcov: np.ndarray, number: int, kind: ResidualKind
) -> pd.DataFrame:
    """Sample minus implied covariances of one group, labelled.

    Parameters
    ----------
    kind: "raw"; "cor" (of the two correlation matrices); "cor.bentler" (covariances over the
        sample's standard deviations); "normalized" (over the sampling error of the sample's
        covariance); "standardized" (over that of the residual itself, so that it is about a
        standard normal under the model; Hausman 1978, Joreskog and Sorbom).
    """
    problem = estimated.problem
    cov = problem.unrestricted_covariance(number)
    sigma = estimated.point.groups[number].sigma
    names = list(problem.sample.variables)
    p = len(names)
    sd = np.sqrt(cov.diagonal())
    left = cov - sigma
    if kind == "cor":
        own = np.sqrt(sigma.diagonal())
        left = cov / np.outer(sd, sd) - sigma / np.outer(own, own)
    elif kind == "cor.bentler":
        left = left / np.outer(sd, sd)
    elif kind in {"normalized", "standardized"}:
        n = problem.sample.groups[number].n
        weight = normal_weight(np.linalg.inv(cov), means=False)
        variance = np.linalg.inv(weight).diagonal() / n
        if kind == "standardized":
            delta = estimated.deltas()[number][-len(variance) :]
            variance = variance - np.einsum("ij,jk,ik->i", delta, vcov, delta)
        floor = 1e-10 * np.abs(variance).max()
        error = np.sqrt(np.where(variance > floor, variance, np.nan))
        row, column = vech_places(p)
        left = _square(left[row, column] / error, p)
        left = np.where(np.isnan(left), 0.0, left)
    return pd.DataFrame(left, index=names, columns=names)


def residual_means(estimated: Estimated, number: int) -> pd.Series:
    """Sample minus implied means of one group."""
    problem = estimated.problem
    here = estimated.point.groups[number]
    away = problem.sample.groups[number].mean - here.mu
    return pd.Series(away, index=list(problem.sample.variables))
