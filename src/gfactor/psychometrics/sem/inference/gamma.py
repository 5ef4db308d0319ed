"""The sampling covariance of means and covariances without assuming a distribution."""

from __future__ import annotations

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.model.point import vech_places
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.sample import GroupSample


def moment_rows(group: GroupSample, *, means: bool, given: np.ndarray | None = None) -> np.ndarray:
    """Return each case's contribution to the moments: its values (if wanted) and the products of
    its deviations, shape (n, moments). The part that covariates taken as `given` (a mask of the
    variables) explain is subtracted, so that their own moments do not vary."""
    if group.designed:
        raise ParameterError(
            "this needs the distribution-free covariance of the moments, which does not exist with "
            "sampling weights or clusters; use MLR."
        )
    if group.rows is None:
        raise ParameterError(
            "robust standard errors, scaled tests and WLS need the cases themselves; give data "
            "instead of a covariance matrix, or use estimator ML with standard errors 'standard'."
        )
    row, column = vech_places(len(group.mean))
    away = group.rows - group.mean
    products = away[:, row] * away[:, column]
    if given is not None and given.any():
        covariates = away[:, given]
        explained = covariates @ np.linalg.lstsq(covariates, away, rcond=None)[0]
        products = products - explained[:, row] * explained[:, column]
        away = away - explained
    return np.concatenate([away, products], axis=1) if means else products


def moment_covariance(
    group: GroupSample, *, means: bool, given: np.ndarray | None = None
) -> np.ndarray:
    """Return the asymptotic covariance matrix of sqrt(n) times the moments (Browne 1984), divisor
    n."""
    rows = moment_rows(group, means=means, given=given)
    away = rows - rows.mean(axis=0)
    return away.T @ away / len(rows)


def estimator_gamma(
    group: GroupSample, options: Options, *, means: bool, given: np.ndarray | None = None
) -> np.ndarray:
    """Return the distribution-free covariance of the moments for an estimator; least squares with
    mimic = "Mplus" centers the products at covariances with divisor n - 1."""
    gamma = moment_covariance(group, means=means, given=given)
    taken = given is not None and bool(given.any())
    if options.minimised == "ML" or options.mimic != "Mplus" or taken:
        return gamma
    p, n = len(group.mean), group.n
    skip = p if means else 0
    w = (group.cov * n / (n - 1))[vech_places(p)]
    gamma[skip:, skip:] -= np.outer(w, w) * (1 - ((n - 1) / n) ** 2)
    gamma[:skip, skip:] *= (n - 1) / n
    gamma[skip:, :skip] *= (n - 1) / n
    return gamma
