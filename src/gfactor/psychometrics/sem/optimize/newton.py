"""Newton's method with a Fisher-scoring start, over linear equalities and simple bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import lapack

from gfactor.psychometrics.sem.cholesky import flat, null_space
from gfactor.psychometrics.sem.constraints import Reduction
from gfactor.psychometrics.sem.discrepancy import Discrepancy
from gfactor.psychometrics.sem.model import Point


def idle_directions(model: np.ndarray) -> np.ndarray:
    """Return a matrix that adds an average curvature to directions that change no moment, and
    nothing to others.

    In those directions the gradient is zero, but before the minimum the Hessian may have curvature
    of either sign, which would misdirect a Newton step. With this matrix added, the step is that of
    the pseudo-inverse, without a part in those directions.
    """
    values, vectors, size = null_space(model)
    idle = vectors[:, values == 0] * size[:, None]
    return idle @ idle.T


def _solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """matrix^-1 right by Cholesky, or None if it is not positive definite."""
    _, x, info = lapack.dposv(matrix, right)  # type: ignore[attr-defined]
    return x if info == 0 else None


def newton_step(
    discrepancy: Discrepancy,
    point: Point,
    reduction: Reduction,
    gradient: np.ndarray,
    free: np.ndarray | None,
    unit: np.ndarray,
    *,
    scoring: bool,
    idle: bool,
) -> np.ndarray:
    """Return the Newton step of all coordinates, zero for those on a bound (`free` is None without
    bounds).

    Parameters
    ----------
    unit: a usual size of each coordinate.
    scoring: True to use the expected Hessian instead of the exact one. idle: True if some
        directions change nothing (see `cholesky.flat`).
    """
    if free is None or free.all():
        return _direction(discrepancy, point, reduction, gradient, None, unit, scoring, idle)
    step = np.zeros(len(gradient))
    if free.any():
        step[free] = _direction(
            discrepancy, point, reduction, gradient[free], free, unit[free], scoring, idle
        )
    return step


def _direction(
    discrepancy: Discrepancy,
    point: Point,
    reduction: Reduction,
    gradient: np.ndarray,
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
        step = _solve(bent, -gradient)
        if step is not None:
            return step
    model = cut(reduction.matrix(discrepancy.expected(point)))
    if idle:
        still = idle_directions(model)
        model = model + still
        if bent is not None:
            bent = bent + still
            step = _solve(bent, -gradient)
            if step is not None:
                return step
    curvature = model.diagonal() * unit**2
    curvature = np.maximum(curvature, curvature.max() * 1e-6) / unit**2
    model = model + np.diag(1e-10 * curvature)
    if bent is None:
        step = _solve(model, -gradient)
        if step is not None:
            return step
        bent = model
    for share in 0.03 * 3.0 ** np.arange(16):
        step = _solve(bent + share * model, -gradient)
        if step is not None:
            return step
    return -gradient / np.maximum(curvature, 1e-12 / unit**2)


SCORING_ABOVE = 0.02
"""While a step has lowered the discrepancy by more, the expected Hessian (always positive, and
cheaper) is used; in a curved valley it stops helping, and the exact Hessian takes over."""
_DONE_BELOW = 1e-21
"""An expected gain this small moves no parameter by 1e-9 of its standard error at n < 10^4."""
_FLOOR = 1e-13
"""With a smaller expected gain, rounding may hide that a step lowers the value."""


@dataclass(frozen=True)
class SearchOutcome:
    """Point at which the search ended.

    Parameters
    ----------
    point: the model there. value: the discrepancy. iterations: steps taken.
    status: "converged"; "runaway" (a parameter grows without limit while the discrepancy no longer
    falls); "stuck" (no step lowers it); "limit" (too many steps); "undefined" (the start has a
        Sigma that is not positive definite).
    gain: amount by which the next Newton step would lower the discrepancy.
    running: places of the parameters that run away.
    """

    point: Point
    value: float
    iterations: int
    status: str
    gain: float
    running: tuple[int, ...] = ()


def minimise(
    discrepancy: Discrepancy,
    reduction: Reduction,
    start: np.ndarray,
    scale: np.ndarray,
    *,
    lower: np.ndarray | None = None,
    upper: np.ndarray | None = None,
    limit: int = 300,
    look: bool = False,
) -> SearchOutcome:
    """Return the nearest minimum of a discrepancy.

    Parameters
    ----------
    start: the parameters to begin with, shape (n_free,); linear equalities are imposed on it.
    scale: a usual size of each parameter, by which one that runs away is recognized.
    lower, upper: bounds of the parameters (of those that equalities leave free).
    limit: largest number of steps. look: True to find directions in which nothing changes, and to
    avoid them. This is done only from ordinary starts: if one parameter is far larger than the
    others, rounding hides the rank.
    """
    low: np.ndarray | float = -np.inf if lower is None else reduction.x(lower)
    high: np.ndarray | float = np.inf if upper is None else reduction.x(upper)
    bounded = lower is not None or upper is not None
    x: np.ndarray = reduction.x(start)
    if bounded:
        x = np.clip(x, low, high)
    unit = reduction.x(scale)
    point = discrepancy.at(reduction.theta(x))
    value = discrepancy.value(point)
    if not np.isfinite(value):
        return SearchOutcome(point, value, 0, "undefined", np.inf)
    free = None
    scoring, gain = True, np.inf
    idle = look and flat(reduction.matrix(discrepancy.expected(point)))
    for iteration in range(1, limit + 1):
        gradient = reduction.vector(discrepancy.gradient(point))
        if bounded:
            free = ~(((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0)))
        step = newton_step(
            discrepancy, point, reduction, gradient, free, unit, scoring=scoring, idle=idle
        )
        gain = -float(gradient @ step) / 2
        if gain < _DONE_BELOW:
            return SearchOutcome(point, value, iteration - 1, "converged", gain)
        if gain < 1e-9 and not scoring:
            far = (np.abs(x) > 8 * unit) & (np.abs(step) > 0.05 * np.abs(x))
            if far.any():
                return SearchOutcome(point, value, iteration - 1, "runaway", gain)
        reached = _lower(
            discrepancy, reduction, x, value, gradient, step, (low, high) if bounded else None
        )
        if reached is None:
            status = "stuck" if gain > 1e-10 else "converged"
            return SearchOutcome(point, value, iteration, status, gain)
        scoring = value - reached.value > SCORING_ABOVE
        x, point, value = reached
    return SearchOutcome(point, value, limit, "limit", gain)


class _Reached(NamedTuple):
    x: np.ndarray
    point: Point
    value: float


def _lower(
    discrepancy: Discrepancy,
    reduction: Reduction,
    x: np.ndarray,
    value: float,
    gradient: np.ndarray,
    step: np.ndarray,
    bounds: tuple[np.ndarray | float, np.ndarray | float] | None,
) -> _Reached | None:
    """The first point along a step that is low enough, or None."""
    gain, length = -float(gradient @ step) / 2, 1.0
    for _ in range(40):
        trial = x + length * step
        if bounds is not None:
            trial = np.clip(trial, *bounds)
        there = discrepancy.at(reduction.theta(trial))
        reached = discrepancy.value(there)
        promised = -float(gradient @ (trial - x))
        if reached <= value - 1e-4 * promised or (gain < _FLOOR and np.isfinite(reached)):
            return _Reached(trial, there, reached)
        if np.isfinite(reached) and promised > 0:
            bend = 2 * (reached - value + promised)
            length *= float(np.clip(promised / bend if bend > 0 else 0.1, 0.1, 0.5))
        else:
            length *= 0.3
    return None
