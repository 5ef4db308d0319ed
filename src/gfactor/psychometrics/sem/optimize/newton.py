"""Newton's method with a Fisher-scoring start, over linear equalities and simple bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from gfactor.psychometrics.sem.constraints import Reduction
from gfactor.psychometrics.sem.discrepancy import Discrepancy
from gfactor.psychometrics.sem.model import Point

_SCORING_ABOVE = 0.02
"""While a step has lowered the discrepancy by more, the expected Hessian (always positive, and
cheaper) is used; in a curved valley it stops helping, and the exact Hessian takes over."""
_DONE_BELOW = 1e-21
"""An expected gain this small moves no parameter by 1e-9 of its standard error at n < 10^4."""
_FLOOR = 1e-13
"""Below this expected gain a step that does not lower the value is lost in rounding."""


@dataclass(frozen=True)
class Outcome:
    """Where the search ended.

    Parameters
    ----------
    point: the model there. value: the discrepancy. iterations: steps taken.
    status: "converged"; "runaway" (a parameter grows without end while the discrepancy falls no
        more); "stuck" (no step lowers it); "limit" (too many steps); "undefined" (the start has a
        Sigma that is not positive definite).
    gain: what the next Newton step would lower the discrepancy by.
    running: places of the parameters that run away.
    """

    point: Point
    value: float
    iterations: int
    status: str
    gain: float
    running: tuple[int, ...] = ()


def _solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """matrix^-1 right by Cholesky, or None where it is not positive definite."""
    _, x, info = lapack.dposv(matrix, right)  # type: ignore[attr-defined]
    return x if info == 0 else None


def _direction(
    discrepancy: Discrepancy,
    point: Point,
    reduction: Reduction,
    slope: np.ndarray,
    scoring: bool,
    free: np.ndarray,
) -> np.ndarray:
    """The step of the free coordinates: Newton where the Hessian is positive definite, else
    Newton with as much of the expected Hessian added as that needs."""
    whole = bool(free.all())

    def cut(matrix: np.ndarray) -> np.ndarray:
        return matrix if whole else matrix[np.ix_(free, free)]

    bent = None if scoring else cut(reduction.matrix(discrepancy.hessian(point)))
    if bent is not None:
        step = _solve(bent, -slope)
        if step is not None:
            return step
    model = cut(reduction.matrix(discrepancy.expected(point)))
    model = model + np.diag(1e-10 * np.maximum(model.diagonal(), model.diagonal().max() * 1e-6))
    if bent is None:
        step = _solve(model, -slope)
        if step is not None:
            return step
        bent = model
    for share in 0.03 * 3.0 ** np.arange(16):
        step = _solve(bent + share * model, -slope)
        if step is not None:
            return step
    return -slope / np.maximum(model.diagonal(), 1e-12)


def minimise(
    discrepancy: Discrepancy,
    reduction: Reduction,
    start: np.ndarray,
    scale: np.ndarray,
    *,
    lower: np.ndarray | None = None,
    upper: np.ndarray | None = None,
    limit: int = 300,
) -> Outcome:
    """The nearest minimum of a discrepancy.

    Parameters
    ----------
    start: the parameters to begin with, shape (n_free,); linear equalities are imposed on it.
    scale: a usual size of each parameter, for telling one that runs away.
    lower, upper: bounds of the parameters (of those that equalities leave free).
    limit: most steps.
    """
    low = -np.inf if lower is None else reduction.x(lower)
    high = np.inf if upper is None else reduction.x(upper)
    bounded = lower is not None or upper is not None
    x = np.clip(reduction.x(start), low, high)
    unit = reduction.x(scale)
    point = discrepancy.at(reduction.theta(x))
    value = discrepancy.value(point)
    if not np.isfinite(value):
        return Outcome(point, value, 0, "undefined", np.inf)
    free = np.ones(len(x), dtype=bool)
    scoring, gain = True, np.inf
    for iteration in range(1, limit + 1):
        slope = reduction.vector(discrepancy.gradient(point))
        if bounded:
            free = ~(((x <= low) & (slope > 0)) | ((x >= high) & (slope < 0)))
        step = np.zeros(len(x))
        if free.any():
            step[free] = _direction(discrepancy, point, reduction, slope[free], scoring, free)
        gain = -float(slope @ step) / 2
        if gain < _DONE_BELOW:
            return Outcome(point, value, iteration - 1, "converged", gain)
        if gain < 1e-9 and not scoring:
            far = (np.abs(x) > 8 * unit) & (np.abs(step) > 0.05 * np.abs(x))
            if far.any():
                return Outcome(point, value, iteration - 1, "runaway", gain)
        length = 1.0
        for _ in range(40):
            trial = np.clip(x + length * step, low, high) if bounded else x + length * step
            there = discrepancy.at(reduction.theta(trial))
            reached = discrepancy.value(there)
            promised = -float(slope @ (trial - x))
            if reached <= value - 1e-4 * promised or (gain < _FLOOR and np.isfinite(reached)):
                break
            if np.isfinite(reached) and promised > 0:
                bend = 2 * (reached - value + promised)
                length *= float(np.clip(promised / bend if bend > 0 else 0.1, 0.1, 0.5))
            else:
                length *= 0.3
        else:
            status = "stuck" if gain > 1e-10 else "converged"
            return Outcome(point, value, iteration, status, gain)
        scoring = value - reached > _SCORING_ABOVE
        x, point, value = trial, there, reached
    return Outcome(point, value, limit, "limit", gain)
