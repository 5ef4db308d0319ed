"""Directions of a Newton search: exact, damped, or past what no parameter can change."""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

from gfactor.psychometrics.sem.cholesky import null_space
from gfactor.psychometrics.sem.constraints import Reduction
from gfactor.psychometrics.sem.discrepancy import Discrepancy
from gfactor.psychometrics.sem.model import Point


def idle_directions(model: np.ndarray) -> np.ndarray:
    """A matrix with the curvature of an average direction along what changes no moment, and none
    along everything else.

    In those directions the discrepancy has no slope; its Hessian, though, has a curvature of either
    sign until the minimum is reached, and a Newton step would go astray there. With this matrix
    added a step stays out of them: it is the step of the pseudo-inverse.
    """
    values, vectors, size = null_space(model)
    idle = vectors[:, values == 0] * size[:, None]
    return idle @ idle.T


def _solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """matrix^-1 right by Cholesky, or None where it is not positive definite."""
    _, x, info = lapack.dposv(matrix, right)  # type: ignore[attr-defined]
    return x if info == 0 else None


def newton_step(
    discrepancy: Discrepancy,
    point: Point,
    reduction: Reduction,
    slope: np.ndarray,
    free: np.ndarray | None,
    unit: np.ndarray,
    *,
    scoring: bool,
    idle: bool,
) -> np.ndarray:
    """The step of all coordinates, zero where a bound holds (`free` is None without bounds).

    Parameters
    ----------
    unit: a usual size of each coordinate.
    scoring: with the expected Hessian instead of the exact one. idle: whether some directions
        change nothing (see `cholesky.flat`).
    """
    if free is None or free.all():
        return _direction(discrepancy, point, reduction, slope, None, unit, scoring, idle)
    step = np.zeros(len(slope))
    if free.any():
        step[free] = _direction(
            discrepancy, point, reduction, slope[free], free, unit[free], scoring, idle
        )
    return step


def _direction(
    discrepancy: Discrepancy,
    point: Point,
    reduction: Reduction,
    slope: np.ndarray,
    free: np.ndarray | None,
    unit: np.ndarray,
    scoring: bool,
    idle: bool,
) -> np.ndarray:
    """The step of the free coordinates: Newton where the Hessian is positive definite, else
    Newton with as much of the expected Hessian added as that needs."""

    def cut(matrix: np.ndarray) -> np.ndarray:
        return matrix if free is None else matrix[np.ix_(free, free)]

    bent = None if scoring else cut(reduction.matrix(discrepancy.hessian(point)))
    if bent is not None and not idle:
        step = _solve(bent, -slope)
        if step is not None:
            return step
    model = cut(reduction.matrix(discrepancy.expected(point)))
    if idle:
        still = idle_directions(model)
        model = model + still
        if bent is not None:
            bent = bent + still
            step = _solve(bent, -slope)
            if step is not None:
                return step
    own = model.diagonal() * unit**2
    own = np.maximum(own, own.max() * 1e-6) / unit**2
    model = model + np.diag(1e-10 * own)
    if bent is None:
        step = _solve(model, -slope)
        if step is not None:
            return step
        bent = model
    for share in 0.03 * 3.0 ** np.arange(16):
        step = _solve(bent + share * model, -slope)
        if step is not None:
            return step
    return -slope / np.maximum(own, 1e-12 / unit**2)
