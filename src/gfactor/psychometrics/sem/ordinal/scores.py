"""Factor scores from ordinal indicators: the modes of their posterior distribution.

Reference: Muthen, B. O. (1998-2004). Mplus technical appendices, appendix 11 (maximum a posteriori
scores); lavaan's "EBM". Patterns of answers are scored once each, all at once by Newton's method;
the posterior is log-concave, so that there is one mode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.ordinal.bivariate import FAR
from gfactor.psychometrics.sem.ordinal.point import OrdinalGroupPoint

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.ordinal.fit import OrdinalFit

Array = NDArray[np.float64]

_LEAST = 1e-300


def posterior_modes(fit: OrdinalFit) -> pd.DataFrame:
    """Scores of the cases that were fitted, and their standard errors.

    One line per case in the order of the data (the index is its position there): the latent
    variables, then NAME_se, the square root of the inverse curvature at the mode. Residual
    covariances are ignored, as in lavaan.

    Raises ParameterError for models in which an observed variable acts as a latent one, or a
    residual variance is not positive.
    """
    parts: list[pd.DataFrame] = []
    for number, sample in enumerate(fit.sample.groups):
        group = cast(OrdinalGroupPoint, fit.point.groups[number])
        assert sample.rows is not None
        assert sample.cases is not None
        rows = _codes(sample.rows, group)
        patterns, member = np.unique(rows, axis=0, return_inverse=True)
        modes, errors = _modes(group, patterns)
        names = list(group.structure.latent)
        frame = pd.DataFrame(
            np.hstack([modes, errors])[member.reshape(-1)],
            index=sample.cases,
            columns=[*names, *(f"{name}_se" for name in names)],
        )
        parts.append(frame)
    return pd.concat(parts).sort_index()


def _codes(rows: Array, group: OrdinalGroupPoint) -> Array:
    """Categories from 0 in place of the values of ordinal variables."""
    out = rows.copy()
    for k in np.flatnonzero(group.ordinal.ordered):
        out[:, k] = np.searchsorted(np.unique(rows[:, k]), rows[:, k])
    return out


def _edges(group: OrdinalGroupPoint, patterns: Array) -> tuple[Array, Array]:
    """Upper and lower limits of every response, before scaling; NaN for continuous ones."""
    upper, lower = np.full((2, *patterns.shape), np.nan)
    for k in np.flatnonzero(group.ordinal.ordered):
        own = group.thresholds[group.ordinal.owner == k]
        edges = np.concatenate([[-np.inf], own, [np.inf]])
        codes = patterns[:, k].astype(int)
        upper[:, k], lower[:, k] = edges[codes + 1], edges[codes]
    return upper, lower


def _modes(group: OrdinalGroupPoint, patterns: Array) -> tuple[Array, Array]:
    s = group.structure
    if s.q > s.n_true_latent:
        raise ParameterError(
            "factor scores of ordinal indicators are not supported where an observed variable "
            f"acts as a latent one ({', '.join(s.latent[s.n_true_latent :])})."
        )
    residual = np.diag(group.theta)
    if (residual <= 0).any():
        guilty = ", ".join(np.array(s.observed)[residual <= 0])
        raise ParameterError(f"there are no scores: the residual variance of {guilty} is not > 0.")
    sd = np.sqrt(residual)
    upper, lower = _edges(group, patterns)
    slope = group.reduced / sd[:, None]
    center = group.mu - group.reduced @ group.latent_mean
    precision = np.linalg.inv(group.latent_cov)
    eta = np.tile(group.latent_mean, (len(patterns), 1))
    numeric = ~group.ordinal.ordered

    def at(eta: Array) -> tuple[Array, Array, Array]:
        """Log posterior, and first and second derivatives by the standardized predictors."""
        z = eta @ slope.T + center / sd
        a = np.clip(upper / sd - z, -FAR, FAR)
        b = np.clip(lower / sd - z, -FAR, FAR)
        # The smaller tails on both sides keep their digits.
        flip = b > 0
        p = np.where(flip, ndtr(-b) - ndtr(-a), ndtr(a) - ndtr(b))
        p = np.maximum(np.where(numeric, 1.0, p), _LEAST)
        da, db = (np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi) for x in (a, b))
        first = -(da - db) / p
        second = -(a * da - b * db) / p - first**2
        away = patterns / sd - z
        value = np.where(numeric, -(away**2) / 2, np.log(p)).sum(axis=1)
        gone = eta - group.latent_mean
        value -= np.einsum("ij,jk,ik->i", gone, precision, gone) / 2
        return value, np.where(numeric, away, first), np.where(numeric, -1.0, second)

    value, first, second = at(eta)
    for _ in range(100):
        pull = first @ slope - (eta - group.latent_mean) @ precision
        bend = np.einsum("ij,jk,jl->ikl", -second, slope, slope) + precision
        step = np.linalg.solve(bend, pull[:, :, None])[:, :, 0]
        tried = at(eta + step)
        for _ in range(30):
            worse = tried[0] < value - 1e-12 * np.abs(value)
            if not worse.any():
                break
            step[worse] /= 2
            tried = at(eta + step)
        eta = eta + step
        value, first, second = tried
        if np.abs(step).max() < 1e-12:
            break
    bend = np.einsum("ij,jk,jl->ikl", -second, slope, slope) + precision
    return eta, np.sqrt(np.diagonal(np.linalg.inv(bend), axis1=1, axis2=2))
