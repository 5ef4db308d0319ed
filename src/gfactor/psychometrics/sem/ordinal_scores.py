"""Factor scores of ordinal answers: the mode of what the answers leave likely (empirical Bayes)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.ordinal.point import OrdinalGroupPoint

Array = NDArray[np.float64]

_ROUNDS = 100
_TINY = 1e-300


def posterior_modes(
    point: OrdinalGroupPoint, rows: Array, levels: Sequence[Array | None], names: Sequence[str]
) -> tuple[Array, Array]:
    """Modes of the latent variables given each case's answers, and their standard errors.

    Parameters
    ----------
    rows: answers, shape (n, p), NaN where missing. levels: per variable its categories in order,
        None for a continuous one. names: of the variables, for messages.

    Returns two arrays of shape (n, latent variables), NaN for a case that shows nothing. The
    logarithm of what is maximised is concave, so that Newton's steps find its one peak; the errors
    are those of its curvature there.

    Raises
    ------
    ParameterError: an answer that is no category of the fit; an observed variable that takes part
        in a regression (it has no residual of its own).
    """
    s = point.structure
    if s.q > s.n_true_latent:
        raise ParameterError(
            "factor scores of ordinal models with regressions of observed variables are not "
            "supported"
        )
    edges = [_edges(point, rows[:, i], levels[i], names[i]) for i in range(s.p)]
    precision = np.linalg.pinv(point.latent_cov, hermitian=True)
    sd = np.sqrt(np.maximum(np.diag(point.theta), 1e-12))
    center = point.latent_mean
    eta = np.tile(center, (len(rows), 1))
    hessian = np.zeros((len(rows), s.q, s.q))
    for _ in range(_ROUNDS):
        slope, bend = _slopes(point, rows, edges, sd, eta)
        gradient = slope @ point.loading - (eta - center) @ precision
        hessian = precision - np.einsum("ni,iq,ir->nqr", bend, point.loading, point.loading)
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        # Far from the peak a full step can overshoot; half a standard deviation never does.
        size = np.abs(step / np.sqrt(np.diag(point.latent_cov))).max(axis=1, initial=0.0)
        eta += step * np.minimum(1.0, 2.0 / np.maximum(size, 1e-12))[:, None]
        if not len(rows) or size.max() < 1e-12:
            break
    error = np.sqrt(np.diagonal(np.linalg.inv(hessian), axis1=1, axis2=2))
    silent = np.asarray(np.isnan(rows).all(axis=1))
    return (
        np.where(silent[:, None], np.nan, eta),
        np.where(silent[:, None], np.nan, error),
    )


Edges = tuple[Array, Array] | None


def _edges(point: OrdinalGroupPoint, answers: Array, levels: Array | None, name: str) -> Edges:
    """Thresholds below and above each answer; None for a continuous variable."""
    if levels is None:
        return None
    known = ~np.isnan(answers)
    wrong = known & ~np.isin(answers, levels)
    if wrong.any():
        raise ParameterError(
            f"{name!r} has the answer {answers[wrong][0]:g}, which is none of the categories of "
            f"the fit ({', '.join(f'{level:g}' for level in levels)})"
        )
    own = point.thresholds[point.ordinal.owner == list(point.structure.observed).index(name)]
    cuts = np.concatenate([[-np.inf], own, [np.inf]])
    code = np.searchsorted(levels, np.where(known, answers, levels[0]))
    return np.where(known, cuts[code], -np.inf), np.where(known, cuts[code + 1], np.inf)


def _slopes(
    point: OrdinalGroupPoint, rows: Array, edges: Sequence[Edges], sd: Array, eta: Array
) -> tuple[Array, Array]:
    """First and second derivatives of each answer's log-probability by its expectation."""
    slope, bend = np.zeros(rows.shape), np.zeros(rows.shape)
    expected = point.nu[:, 0] + eta @ point.loading.T
    for i, cut in enumerate(edges):
        if cut is None:
            shown = ~np.isnan(rows[:, i])
            away = np.where(shown, rows[:, i] - expected[:, i], 0.0)
            slope[:, i], bend[:, i] = away / sd[i] ** 2, np.where(shown, -1 / sd[i] ** 2, 0.0)
            continue
        low, high = ((edge - expected[:, i]) / sd[i] for edge in cut)
        inside = np.maximum(_between(low, high), _TINY)
        below, above = _density(low), _density(high)
        first = (below - above) / inside
        weighted = _weighted(low, below) - _weighted(high, above)
        slope[:, i], bend[:, i] = first / sd[i], (weighted / inside - first**2) / sd[i] ** 2
    return slope, bend


def _between(low: Array, high: Array) -> Array:
    """The normal probability between two limits, on the side where it does not cancel."""
    right = low > 0
    return np.where(
        right, special.ndtr(-low) - special.ndtr(-high), special.ndtr(high) - special.ndtr(low)
    )


def _density(x: Array) -> Array:
    return np.exp(-0.5 * np.where(np.isinf(x), 0.0, x) ** 2) * ~np.isinf(x) / np.sqrt(2 * np.pi)


def _weighted(x: Array, density: Array) -> Array:
    return np.where(np.isinf(x), 0.0, x) * density
