"""Factor scores of ordinal answers: the posterior mode given the answers.

Reference: Muthen, B. O. (1998-2004). Mplus technical appendices, appendix 11 (maximum a posteriori
scores); lavaan's "EBM".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import einsum, inv, solve
from gfactor.psychometrics.sem.ordinal.point import OrdinalGroupPoint

Array = NDArray[np.float64]

_ROUNDS = 100
_TINY = 1e-300


@dataclass(frozen=True)
class _Reduced:
    """A group with the true latent variables only: response = level + loading eta + effects x +
    residual, eta normal about center + pull x with covariance `cov`."""

    level: Array
    loading: Array
    effects: Array
    sd: Array
    center: Array
    pull: Array
    cov: Array


def _reduced(point: OrdinalGroupPoint) -> _Reduced:
    """Turn observed variables that regressions predict, and that predict nothing, into indicators.

    Raises ParameterError for others, and if a residual variance is not positive.
    """
    s, given = point.structure, point.ordinal.given
    count = s.n_true_latent
    loading, effects = point.loading[:, :count].copy(), np.zeros((s.p, len(given)))
    residual = np.diag(point.theta).copy()
    level = point.nu[:, 0].copy()
    for k, name in enumerate(s.observed):
        if name not in s.latent:
            continue
        eta = s.latent.index(name)
        others = [e for e in range(count, s.q) if e not in given]
        if point.regression[:, eta].any() or point.regression[eta, others].any():
            raise ParameterError(
                f"there are no factor scores if an observed variable predicts others, as "
                f"{name!r} does or is; score a model without these regressions"
            )
        loading[k] = point.regression[eta, :count]
        effects[k] = point.regression[eta, given]
        residual[k] = point.psi[eta, eta]
        level[k] = point.alpha[eta, 0]
    if (residual <= 0).any():
        guilty = ", ".join(np.array(s.observed, dtype=object)[residual <= 0])
        raise ParameterError(f"there are no scores: the residual variance of {guilty} is not > 0.")
    return _Reduced(
        level,
        loading,
        effects,
        np.sqrt(residual),
        point.latent_mean[:count],
        point.total[:count, given],
        point.latent_cov[:count, :count],
    )


def posterior_modes(
    point: OrdinalGroupPoint,
    rows: Array,
    levels: Sequence[Array | None],
    names: Sequence[str],
    covariates: Array | None = None,
) -> tuple[Array, Array]:
    """Return modes of the latent variables given each case's answers, and their standard errors.

    Parameters
    ----------
    rows: answers, shape (n, p), NaN if missing. levels: per variable its categories in order,
        None for a continuous one. names: names of the variables, for messages. covariates: given
        covariates, shape (n, q).

    Returns two arrays of shape (n, latent variables), NaN for a case without any answer or without
    a covariate. The logarithm of the maximized function is concave, so that Newton's method finds
    its only maximum; the errors are those of its curvature there. Residual covariances are ignored,
    as in lavaan.

    Raises
    ------
    ParameterError: an answer that is no category of the fit; an observed variable that predicts
        others; a residual variance that is not positive.
    """
    r = _reduced(point)
    edges = [_edges(point, rows[:, i], levels[i], names[i]) for i in range(len(names))]
    x = np.zeros((len(rows), r.effects.shape[1])) if covariates is None else covariates
    silent = np.asarray(np.isnan(rows).all(axis=1) | np.isnan(x).any(axis=1))
    x = np.where(np.isnan(x), 0.0, x)
    precision = np.linalg.pinv(r.cov, hermitian=True)
    center = r.center + x @ r.pull.T
    level = r.level + x @ r.effects.T
    eta = center.copy()
    hessian = np.zeros((len(rows), *r.cov.shape))
    for _ in range(_ROUNDS):
        slope, bend = _slopes(level + eta @ r.loading.T, rows, edges, r.sd)
        gradient = slope @ r.loading - (eta - center) @ precision
        hessian = precision - einsum("ni,iq,ir->nqr", bend, r.loading, r.loading)
        step = solve(hessian, gradient[:, :, None])[:, :, 0]
        # Far from the mode a full step can overshoot; a step of half a standard deviation never
        # does.
        size = np.abs(step / np.sqrt(r.cov.diagonal())).max(axis=1, initial=0.0)
        eta += step * np.minimum(1.0, 2.0 / np.maximum(size, 1e-12))[:, None]
        if not len(rows) or size.max() < 1e-12:
            break
    error = np.sqrt(np.diagonal(inv(hessian), axis1=1, axis2=2))
    return (
        np.where(silent[:, None], np.nan, eta),
        np.where(silent[:, None], np.nan, error),
    )


Edges = tuple[Array, Array] | None


def _edges(point: OrdinalGroupPoint, answers: Array, levels: Array | None, name: str) -> Edges:
    """Thresholds below and above each answer; None for a continuous variable."""
    if levels is None:
        return None
    answered = ~np.isnan(answers)
    wrong = answered & ~np.isin(answers, levels)
    if wrong.any():
        raise ParameterError(
            f"{name!r} has the answer {answers[wrong][0]:g}, which is none of the categories of "
            f"the fit ({', '.join(f'{level:g}' for level in levels)})"
        )
    thresholds = point.thresholds[point.ordinal.owner == list(point.structure.observed).index(name)]
    cuts = np.concatenate([[-np.inf], thresholds, [np.inf]])
    code = np.searchsorted(levels, np.where(answered, answers, levels[0]))
    return np.where(answered, cuts[code], -np.inf), np.where(answered, cuts[code + 1], np.inf)


def _slopes(expected: Array, rows: Array, edges: Sequence[Edges], sd: Array) -> tuple[Array, Array]:
    """First and second derivatives of each answer's log-probability by its expectation."""
    slope, bend = np.zeros(rows.shape), np.zeros(rows.shape)
    for i, cut in enumerate(edges):
        if cut is None:
            answered = ~np.isnan(rows[:, i])
            away = np.where(answered, rows[:, i] - expected[:, i], 0.0)
            slope[:, i], bend[:, i] = away / sd[i] ** 2, np.where(answered, -1 / sd[i] ** 2, 0.0)
            continue
        low, high = ((edge - expected[:, i]) / sd[i] for edge in cut)
        inside = np.maximum(_between(low, high), _TINY)
        below, above = _density(low), _density(high)
        first = (below - above) / inside
        weighted = _weighted(low, below) - _weighted(high, above)
        slope[:, i], bend[:, i] = first / sd[i], (weighted / inside - first**2) / sd[i] ** 2
    return slope, bend


def _between(low: Array, high: Array) -> Array:
    """The normal probability between two limits, computed in the tail that avoids cancellation."""
    right = low > 0
    return np.where(
        right, special.ndtr(-low) - special.ndtr(-high), special.ndtr(high) - special.ndtr(low)
    )


def _density(x: Array) -> Array:
    return np.exp(-0.5 * np.where(np.isinf(x), 0.0, x) ** 2) * ~np.isinf(x) / np.sqrt(2 * np.pi)


def _weighted(x: Array, density: Array) -> Array:
    return np.where(np.isinf(x), 0.0, x) * density
