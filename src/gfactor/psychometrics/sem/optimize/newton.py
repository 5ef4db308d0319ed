"""Newton's method with a Fisher-scoring start, over linear equalities and simple bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gfactor.psychometrics.sem.cholesky import flat
from gfactor.psychometrics.sem.constraints import Reduction
from gfactor.psychometrics.sem.discrepancy import Discrepancy
from gfactor.psychometrics.sem.model import Point
from gfactor.psychometrics.sem.optimize.directions import newton_step

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
) -> Outcome:
    """The nearest minimum of a discrepancy.

    Parameters
    ----------
    start: the parameters to begin with, shape (n_free,); linear equalities are imposed on it.
    scale: a usual size of each parameter, for telling one that runs away.
    lower, upper: bounds of the parameters (of those that equalities leave free).
    limit: most steps.
    look: whether to look for directions in which nothing changes, and keep out of them. Only from
        ordinary starts: where one parameter dwarfs all others, rank is lost in rounding.
    """
    low = -np.inf if lower is None else reduction.x(lower)
    high = np.inf if upper is None else reduction.x(upper)
    bounded = lower is not None or upper is not None
    x = reduction.x(start)
    if bounded:
        x = np.clip(x, low, high)
    unit = reduction.x(scale)
    point = discrepancy.at(reduction.theta(x))
    value = discrepancy.value(point)
    if not np.isfinite(value):
        return Outcome(point, value, 0, "undefined", np.inf)
    free = None
    scoring, gain = True, np.inf
    idle = look and flat(reduction.matrix(discrepancy.expected(point)))
    for iteration in range(1, limit + 1):
        slope = reduction.vector(discrepancy.gradient(point))
        if bounded:
            free = ~(((x <= low) & (slope > 0)) | ((x >= high) & (slope < 0)))
        step = newton_step(
            discrepancy, point, reduction, slope, free, unit, scoring=scoring, idle=idle
        )
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
