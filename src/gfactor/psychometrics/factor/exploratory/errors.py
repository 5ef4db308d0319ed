"""Standard errors of rotated loadings and factor correlations after maximum likelihood.

The information of a correlation structure with free scales is bordered by the derivatives of the
rotation's constraints; the inverse is the sampling covariance of the standardized solution.

References
----------
Jennrich, R. I. (1973). Standard errors for obliquely rotated factor loadings. Psychometrika 38,
    593-604. (What a rotation holds at zero; orthogonal: Archer, C. O., Jennrich, R. I. (1973).
    Psychometrika 38, 581-592.)
Jennrich, R. I. (1974). Simplified formulae for standard errors in maximum-likelihood factor
    analysis. British Journal of Mathematical and Statistical Psychology 27, 122-131. (The bordered
    information.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from gfactor.psychometrics.factor.exploratory.criteria import Criterion
from gfactor.psychometrics.float_arrays import einsum, inv, solve

Array = NDArray[np.float64]

_STEP = 1e-5
_TOLERANCE = 1e-5
"""Largest deviation from zero of a rotation's constraints at an optimum."""

_COLLAPSED = 1e10
"""Condition number of factor correlations from which on two factors count as one."""


@dataclass(frozen=True)
class EfaErrors:
    """Standard errors of a rotated solution.

    Parameters
    ----------
    loadings: indicators x factors. phi: factors x factors, zeros on the diagonal and for
        uncorrelated factors. uniqueness: per indicator.
    """

    loadings: pd.DataFrame
    phi: pd.DataFrame
    uniqueness: pd.Series

    def intervals(self, loadings: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
        """Return one line per loading: indicator, factor, est, se, z, low, high (Wald)."""
        reach = float(ndtri((1 + level) / 2))
        rows: list[dict[str, Any]] = []
        for indicator in loadings.index:
            for factor in loadings.columns:
                est = float(loadings.loc[indicator, factor])  # type: ignore[arg-type]
                se = float(self.loadings.loc[indicator, factor])  # type: ignore[arg-type]
                rows.append(
                    {
                        "indicator": indicator,
                        "factor": factor,
                        "est": est,
                        "se": se,
                        "z": est / se if se > 0 else np.nan,
                        "low": est - reach * se,
                        "high": est + reach * se,
                    }
                )
        return pd.DataFrame(rows)


Constraints = Callable[[Array, Array], Array]
"""Constraints that a rotation holds at zero, as a function of loadings and factor correlations."""


def rotation_constraints(criterion: Criterion, oblique: bool, kaiser: bool) -> Constraints:
    """Return the constraints of a rotation with criterion Q: the off-diagonal elements of L'
    (dQ/dL) Phi^-1 (oblique), or the skew-symmetric part of L' dQ/dL (orthogonal), with rows of L
    scaled to length one under `kaiser`."""

    def constraints(loadings: Array, phi: Array) -> Array:
        size = np.sqrt(((loadings @ phi) * loadings).sum(axis=1, keepdims=True)) if kaiser else 1.0
        scaled = loadings / size
        gradient = criterion(scaled[None])[1][0]
        inner = scaled.T @ gradient
        off = ~np.eye(len(phi), dtype=bool)
        if oblique:
            return (inner @ inv(phi))[off]
        row, column = np.triu_indices(len(phi), 1)
        return (inner - inner.T)[row, column]

    return constraints


def unrotated(loadings: Array, phi: Array) -> Array:
    """Return Lawley's condition of unrotated factors: L' Psi^-1 L is diagonal."""
    unique = 1 - (loadings**2).sum(axis=1)
    row, column = np.triu_indices(len(phi), 1)
    return (loadings.T @ (loadings / unique[:, None]))[row, column]


def rotated_covariance(
    loadings: Array, phi: Array, n: int, constraints: Constraints | None, oblique: bool
) -> Array | None:
    """Return the square sampling covariance matrix of the p m loadings (row by row), followed by
    the m (m - 1) / 2 factor correlations below the diagonal (column by column).

    Parameters
    ----------
    loadings: a maximum likelihood solution of correlations of n persons, shape (p, m).
    constraints: constraints of the rotation; None for one factor. oblique: True if `phi` is free.

    None if the solution violates `constraints`, or the information cannot be inverted
    (uniquenesses on their bound).
    """
    p, m = loadings.shape
    column, row = np.triu_indices(m, 1)
    pairs = list(zip(row, column, strict=True)) if oblique else []
    common = loadings @ phi @ loadings.T
    sigma = common - np.diag(np.diag(common)) + np.eye(p)
    if (np.diag(common) >= 1).any() or np.linalg.cond(phi) > _COLLAPSED:
        return None
    moves = _moves(loadings, phi, sigma, pairs)
    turned = solve(sigma, moves)
    information = einsum("aij,bji->ab", turned, turned) / 2
    borders = np.zeros((0, len(moves)))
    if constraints is not None:
        if np.abs(constraints(loadings, phi)).max(initial=0.0) > _TOLERANCE:
            return None
        slopes = _slopes(constraints, loadings, phi, pairs)
        borders = np.hstack([np.zeros((len(slopes), p)), slopes])
    size = len(borders)
    whole = np.block([[information, borders.T], [borders, np.zeros((size, size))]])
    scale = np.sqrt(np.maximum(np.abs(np.diag(information)), 1e-12))
    unit = np.concatenate([1 / scale, np.ones(size)])
    try:
        inverse = inv(whole * np.outer(unit, unit)) * np.outer(unit, unit)
    except np.linalg.LinAlgError:
        return None
    covariance = inverse[p : len(moves), p : len(moves)] / n
    return (
        covariance
        if np.isfinite(covariance).all() and (np.diag(covariance) > -1e-12).all()
        else None
    )


def _moves(
    loadings: Array, phi: Array, sigma: Array, pairs: list[tuple[np.intp, np.intp]]
) -> Array:
    """Derivatives of the covariance matrix by the scales of indicators, the loadings (with
    uniquenesses that keep the variances at one) and the factor correlations."""
    p, m = loadings.shape
    structure = loadings @ phi
    moves = np.zeros((p + p * m + len(pairs), p, p))
    for i in range(p):
        moves[i, i, :] += sigma[i]
        moves[i, :, i] += sigma[i]
        for j in range(m):
            row = p + i * m + j
            moves[row, i, :] += structure[:, j]
            moves[row, :, i] += structure[:, j]
            moves[row, i, i] = 0.0
    for k, (a, b) in enumerate(pairs):
        block = np.outer(loadings[:, a], loadings[:, b])
        block = block + block.T
        moves[p + p * m + k] = block - np.diag(np.diag(block))
    return moves


def _slopes(
    constraints: Constraints, loadings: Array, phi: Array, pairs: list[tuple[np.intp, np.intp]]
) -> Array:
    """Return the numerical derivatives of the constraints by loadings and factor correlations."""
    columns: list[Array] = []
    for parameter in range(loadings.size):
        move = np.zeros(loadings.size)
        move[parameter] = _STEP
        step = move.reshape(loadings.shape)
        columns.append(
            (constraints(loadings + step, phi) - constraints(loadings - step, phi)) / (2 * _STEP)
        )
    for a, b in pairs:
        step = np.zeros_like(phi)
        step[a, b] = step[b, a] = _STEP
        columns.append(
            (constraints(loadings, phi + step) - constraints(loadings, phi - step)) / (2 * _STEP)
        )
    return np.array(columns).T


def errors_of(
    loadings: pd.DataFrame,
    phi: pd.DataFrame,
    n: int,
    constraints: Constraints | None,
    oblique: bool,
) -> EfaErrors | None:
    """Return tables of the standard errors of loadings and factor correlations, and by the delta
    method of uniquenesses. None if `rotated_covariance` returns None."""
    pattern, between = loadings.to_numpy(float), phi.to_numpy(float)
    p, m = pattern.shape
    covariance = rotated_covariance(pattern, between, n, constraints, oblique)
    if covariance is None:
        return None
    error = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    square = np.zeros((m, m))
    column, row = np.triu_indices(m, 1)
    slope = np.zeros((p, len(covariance)))
    for i in range(p):
        slope[i, i * m : (i + 1) * m] = 2 * between @ pattern[i]
    if oblique:
        square[row, column] = square[column, row] = error[p * m :]
        slope[:, p * m :] = 2 * pattern[:, row] * pattern[:, column]
    unique = np.sqrt(np.maximum(einsum("ia,ab,ib->i", slope, covariance, slope), 0.0))
    names = list(loadings.index)
    return EfaErrors(
        pd.DataFrame(error[: p * m].reshape(p, m), names, list(loadings.columns)),
        pd.DataFrame(square, list(phi.index), list(phi.columns)),
        pd.Series(unique, names),
    )
