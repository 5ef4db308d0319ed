"""Factor score coefficients of one group: regression, Bartlett and ten Berge.

References
----------
Thurstone, L. L. (1935). The vectors of mind. Chicago. (Regression scores.)
Bartlett, M. S. (1937). The statistical conception of mental factors. Brit. J. Psychology 28.
ten Berge, J. M. F., Krijnen, W. P., Wansbeek, T., Shapiro, A. (1999). Some new results on
    correlation-preserving factor scores prediction methods. Linear Algebra Appl. 289, 311-318.
Grice, J. W. (2001). Computing and evaluating factor scores. Psychological Methods 6, 430-450.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.model import GroupPoint

Array = NDArray[np.float64]

METHODS = ("regression", "bartlett", "tenberge")


def weights(point: GroupPoint, method: str, seen: NDArray[np.bool_] | None = None) -> Array:
    """Coefficients W, scores being E(eta) + W (y - mu), shape (latent variables, p).

    Parameters
    ----------
    method: one of METHODS.
    seen: which variables a case shows; the columns of others are 0.

    A latent variable that has no seen indicator of its own (a second-order factor) has no Bartlett
    score: its row is 0. Ten Berge's scores keep the correlations among latent variables that have
    indicators of their own; a second-order factor is scored so that its variance is kept.
    """
    p = point.structure.p
    shown = np.ones(p, dtype=bool) if seen is None else seen
    out = np.zeros((point.structure.q, p))
    if not shown.any():
        return out[: point.structure.n_true_latent]
    inverse: Array = np.linalg.inv(point.sigma[np.ix_(shown, shown)]).astype(np.float64)
    loading, cov = point.loading[shown], point.latent_cov
    if method == "regression":
        out[:, shown] = cov @ loading.T @ inverse
    elif method == "bartlett":
        precision = loading.T @ inverse @ loading
        out[:, shown] = np.linalg.pinv(precision, hermitian=True) @ loading.T @ inverse
    elif method == "tenberge":
        out[:, shown] = _ten_berge(loading, cov, inverse, point.structure.n_true_latent)
    else:
        raise ParameterError(
            f"the method of factor scores is {method!r}; it is one of {', '.join(METHODS)}"
        )
    return out[: point.structure.n_true_latent]


def determinacy(point: GroupPoint) -> Array:
    """Correlation of each latent variable with its regression score, shape (latent variables,).

    NaN where the model gives a latent variable a variance that is not positive. Two sets of scores
    that fit the model equally well may correlate as low as 2 d^2 - 1 (Grice 2001).
    """
    cov = point.latent_cov
    explained = cov @ point.loading.T @ np.linalg.inv(point.sigma) @ point.loading @ cov
    variance = np.diag(cov)
    good = (variance > 0) & (np.diag(explained) > 0)
    ratio = np.diag(explained) / np.where(good, variance, 1.0)
    found = np.sqrt(np.where(good, ratio, np.nan))
    return found[: point.structure.n_true_latent]


def error_sd(point: GroupPoint, coefficients: Array) -> Array:
    """Standard deviation of score minus latent variable for these coefficients."""
    count = len(coefficients)
    cross = coefficients @ point.loading @ point.latent_cov[:, :count]
    variance = (
        coefficients @ point.sigma @ coefficients.T
        - cross
        - cross.T
        + point.latent_cov[:count, :count]
    )
    return np.sqrt(np.maximum(np.diag(variance), 0.0))


def _ten_berge(loading: Array, cov: Array, inverse: Array, count: int) -> Array:
    own = [int(k) for k in np.flatnonzero(np.any(loading != 0, axis=0))]
    out = np.zeros((len(cov), len(loading)))
    for block in (own, *([k] for k in range(count) if k not in own)):
        # A factor of factors acts on the variables through its covariances with the factors.
        acts = loading @ cov[:, block] @ np.linalg.pinv(cov[np.ix_(block, block)])
        root = _power(cov[np.ix_(block, block)], 0.5)
        scaled = acts @ root
        inner = _power(scaled.T @ inverse @ scaled, -0.5)
        out[block] = root @ inner @ scaled.T @ inverse
    return out


def _power(matrix: Array, power: float) -> Array:
    values, vectors = np.linalg.eigh((matrix + matrix.T) / 2)
    if values.min(initial=1.0) <= 1e-12 * max(values.max(initial=1.0), 1.0):
        raise ParameterError(
            "ten Berge scores need latent variables whose covariance matrix is positive definite; "
            "this solution's is not: use regression scores, or a model with a proper solution"
        )
    return (vectors * values**power) @ vectors.T
