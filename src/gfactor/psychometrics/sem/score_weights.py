"""Weights of factor scores, their determinacy, and diagnostics of scores.

References
----------
Thurstone, L. L. (1935). The vectors of mind. Chicago. (Regression scores.)
Bartlett, M. S. (1937). The statistical conception of mental factors. Brit. J. Psychology 28.
ten Berge, J. M. F., Krijnen, W. P., Wansbeek, T., Shapiro, A. (1999). Some new results on
    correlation-preserving factor scores prediction methods. Linear Algebra Appl. 289, 311-318.
Grice, J. W. (2001). Computing and evaluating factor scores. Psychological Methods 6, 430-450.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.sem.model import GroupPoint

Array = NDArray[np.float64]

METHODS = ("regression", "bartlett", "tenberge")


def weights(point: GroupPoint, method: str, seen: NDArray[np.bool_] | None = None) -> Array:
    """Return the coefficients W of factor scores E(eta) + W (y - mu), shape (latent variables, p).

    Parameters
    ----------
    method: one of METHODS.
    seen: True for the observed variables of a case; the columns of others are 0. A latent variable
    that has no observed indicator of its own (a second-order factor) has no Bartlett
    score: its row is 0. A composite's score follows from those of its parts. Ten Berge's scores
    keep the correlations among latent variables that have indicators of their own; a second-order
    factor is scored so that its variance is kept.
    """
    p = point.structure.p
    observed = np.ones(p, dtype=bool) if seen is None else seen
    out = np.zeros((point.structure.q, p))
    if not observed.any():
        return out[: point.structure.n_true_latent]
    inverse: Array = inv(point.sigma[np.ix_(observed, observed)]).astype(np.float64)
    loading, cov = point.loading[observed], point.latent_cov
    if method == "regression":
        out[:, observed] = cov @ loading.T @ inverse
    elif method == "bartlett":
        precision = loading.T @ inverse @ loading
        out[:, observed] = np.linalg.pinv(precision, hermitian=True) @ loading.T @ inverse
        _sum_parts(point, out)
    elif method == "tenberge":
        out[:, observed] = _ten_berge(loading, cov, inverse, point.structure.n_true_latent)
    else:
        raise ParameterError(
            f"the method of factor scores is {method!r}; it is one of {', '.join(METHODS)}"
        )
    return out[: point.structure.n_true_latent]


def _sums(point: GroupPoint) -> NDArray[np.bool_]:
    """True for etas without indicators and residual, which their predictors determine."""
    acts = np.any(point.loading != 0, axis=0)
    return ~acts & (np.diag(point.psi) == 0) & np.any(point.regression != 0, axis=1)


def _scored(point: GroupPoint) -> NDArray[np.bool_]:
    """True for etas that have Bartlett scores: with indicators, or composites."""
    return np.any(point.loading != 0, axis=0) | _sums(point)


def _sum_parts(point: GroupPoint, out: Array) -> None:
    """Fill the rows of composites, which may be parts of each other, from those of their parts."""
    sums = np.flatnonzero(_sums(point))
    for k in np.tile(sums, len(sums)):
        parts = np.flatnonzero(point.regression[k])
        scored = np.any(out[parts] != 0, axis=1).all()
        out[k] = point.regression[k, parts] @ out[parts] if scored else 0.0


def determinacy(point: GroupPoint) -> Array:
    """Return the correlation of each latent variable with its regression score, shape (latent
    variables,).

    NaN if the model gives a latent variable a variance that is not positive. Two sets of scores
    that fit the model equally well may correlate as low as 2 d^2 - 1 (Grice 2001).
    """
    cov = point.latent_cov
    explained = cov @ point.loading.T @ inv(point.sigma) @ point.loading @ cov
    variance = np.diag(cov)
    good = (variance > 0) & (np.diag(explained) > 0)
    ratio = np.diag(explained) / np.where(good, variance, 1.0)
    correlation = np.sqrt(np.where(good, ratio, np.nan))
    return correlation[: point.structure.n_true_latent]


def error_sd(point: GroupPoint, coefficients: Array) -> Array:
    """Return the standard deviation of score minus latent variable, for these coefficients."""
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
    acting = [int(k) for k in np.flatnonzero(np.any(loading != 0, axis=0))]
    out = np.zeros((len(cov), len(loading)))
    for block in (acting, *([k] for k in range(count) if k not in acting)):
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


FAR = 3.0
"""Largest distance of a column's mean from the model's, in the model's standard deviations."""

SPREAD = 3.0
"""Largest ratio of a column's standard deviation to the model's, or of the model's to the
column's."""

DETERMINATE = 0.8
"""Below it, scores that fit equally well can correlate under .28 (2 d^2 - 1); Gorsuch (1983)
requires this value, and .9 for decisions about single persons."""


def scale_checks(
    mean: Array, sd: Array, rows: Array, names: Sequence[str], where: str
) -> Iterator[Diagnostic]:
    """Check that new rows, shape (n, p), are compatible with the model's means and standard
    deviations."""
    with np.errstate(invalid="ignore"):
        counts = (~np.isnan(rows)).sum(axis=0)
        sums = np.where(np.isnan(rows), 0.0, rows).sum(axis=0)
    used = counts > 0
    if not used.any():
        return
    means = np.where(used, sums / np.maximum(counts, 1), mean)
    away = (means - mean) / sd
    spread = np.ones(len(sd))
    for k in np.flatnonzero(counts > 4):
        spread[k] = float(np.nanstd(rows[:, k])) / sd[k]
    far = used & (np.abs(away) > FAR)
    wide = used & ((spread > SPREAD) | ((spread < 1 / SPREAD) & (counts > 4)))
    values = {name: round(float(away[k]), 3) for k, name in enumerate(names) if used[k]}
    worst = int(np.argmax(np.where(used, np.abs(away), -1.0)))
    other_scale = np.median(np.abs(away[used])) > FAR or (
        np.median(np.abs(np.log(np.maximum(spread[used], 1e-12)))) > np.log(SPREAD)
        and (counts[used] > 4).all()
    )
    if other_scale:
        yield Diagnostic(
            "scores_on_another_scale",
            "error",
            f"The rows to be scored{where} are not on the scale of the fit: their means lie up to "
            f"{abs(away[worst]):.1f} of the model's standard deviations away ({names[worst]}), "
            f"{int(far.sum())} of {int(used.sum())} columns more than {FAR:.0f}.",
            "Bring the rows to the scale of the data that were fitted (for a model of z-scores: "
            "subtract that sample's means and divide by its standard deviations), or fit the "
            "model to data on this scale.",
            _where(names, far | wide),
            values,
        )
    elif far.any():
        yield Diagnostic(
            "scores_extrapolate",
            "warning",
            f"The rows to be scored{where} lie far outside the data of the fit in "
            f"{', '.join(_where(names, far))}: up to {abs(away[worst]):.1f} "
            f"standard deviations ({names[worst]}).",
            "Read these scores as extrapolations of the model, or leave these variables out.",
            _where(names, far),
            values,
        )


def solution_checks(
    point: GroupPoint, method: str, latent: Sequence[str], precision: Array, where: str
) -> Iterator[Diagnostic]:
    """Check that the model's own solution supports scores; `precision` are the determinacies."""
    observed = point.structure.observed
    residual = np.diag(point.theta)
    with_residual = ~np.any(point.loading[:, point.structure.n_true_latent :] != 0, axis=1)
    negative = _where(observed, (residual < 0) & with_residual)
    if negative:
        yield Diagnostic(
            "scores_from_heywood_case",
            "error" if method == "bartlett" else "warning",
            f"The scores{where} come from a solution with negative residual variances "
            f"({', '.join(negative)}), which no population can have.",
            "Fit a model with a proper solution (bounds = 'standard', or fewer factors) before "
            "anybody is scored.",
            negative,
            dict(zip(negative, residual[(residual < 0) & with_residual].tolist(), strict=True)),
        )
    weak = [k for k, d in enumerate(precision) if np.isnan(d) or d < DETERMINATE]
    if weak:
        listed = ", ".join(f"{latent[k]} {precision[k]:.2f}" for k in weak)
        yield Diagnostic(
            "scores_indeterminate",
            "warning",
            f"The data determine these latent variables poorly{where} (correlation of score and "
            f"latent variable): {listed}.",
            "Do not rank persons by these scores; work with the latent variables in the model, or "
            "add indicators.",
            tuple(latent[k] for k in weak),
            {latent[k]: float(precision[k]) for k in weak if not np.isnan(precision[k])},
        )
    if method == "bartlett" and not (acts := _scored(point)[: len(latent)]).all():
        names = _where(latent, ~acts)
        yield Diagnostic(
            "no_bartlett_scores",
            "warning",
            f"There are no Bartlett scores of {', '.join(names)}{where}, which have no indicators "
            "of their own; the column holds the latent mean.",
            "Use regression scores for factors of factors.",
            names,
        )


def _where(names: Sequence[str], mask: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(name for name, chosen in zip(names, mask, strict=True) if chosen)
