"""Solutions at infinity: followed only until the discrepancy no longer falls.

If a group factor or a disturbance would need a negative variance that the model does not allow, one
loading grows without limit, others shrink, and every step gains less (the five improper bifactor
models of M3GIA are such). The search then fixes that loading at doubled values in turn and
minimises over the rest, which takes a dozen short searches.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from gfactor.psychometrics.sem.constraints import Reduction
from gfactor.psychometrics.sem.discrepancy import Discrepancy
from gfactor.psychometrics.sem.optimize.newton import SearchOutcome, minimise

_FAR = 400.0
"""Size of the parameter, in usual sizes, at which following ends."""
_NOTHING_MORE = 1e-9
"""Gain of doubling below which following ends: at n = 1000, 2e-6 of the chi-square."""


def _runner(reduction: Reduction, theta: np.ndarray, unit: np.ndarray, fixed: list[int]) -> int:
    """The loading or slope that stands furthest out, among those that are not held yet."""
    x = np.abs(reduction.x(theta)) / unit
    x[fixed] = 0.0
    return int(np.argmax(x))


def follow(
    discrepancy: Discrepancy,
    reduction: Reduction,
    outcome: SearchOutcome,
    scale: np.ndarray,
    mobile: np.ndarray,
    *,
    lower: np.ndarray | None = None,
    upper: np.ndarray | None = None,
) -> SearchOutcome:
    """Continue a search that did not converge, following diverging parameters to their limit, and
    return its outcome.

    Parameters
    ----------
    mobile: parameters that can run away (loadings and slopes).

    The status becomes "converged" if the minimum turns out to be finite, and "runaway", with the
    positions of the running parameters, if it is not.
    """
    n = len(scale)
    low = np.full(n, -np.inf) if lower is None else lower.copy()
    high = np.full(n, np.inf) if upper is None else upper.copy()
    unit = np.where(reduction.x(mobile.astype(float)) > 0, reduction.x(scale), np.inf)
    fixed: list[int] = [_runner(reduction, outcome.point.theta, unit, [])]
    steps = outcome.iterations
    best = outcome
    for _ in range(24):
        parameters = reduction.kept[fixed]
        theta = best.point.theta.copy()
        theta[parameters] *= 2.0
        tight_low, tight_high = low.copy(), high.copy()
        tight_low[parameters] = tight_high[parameters] = theta[parameters]
        trial = minimise(
            discrepancy, reduction, theta, scale, lower=tight_low, upper=tight_high, limit=60
        )
        steps += trial.iterations
        if trial.status in {"limit", "runaway"} and len(fixed) < 6 and trial.value < best.value:
            best = dataclasses.replace(trial, iterations=steps)
            fixed.append(_runner(reduction, best.point.theta, unit, fixed))
            continue
        if not trial.value < best.value - _NOTHING_MORE:
            if trial.value <= best.value:
                best = trial
            break
        best = trial
        if (np.abs(best.point.theta[parameters]) / scale[parameters]).max() > _FAR:
            break
    free = minimise(
        discrepancy, reduction, best.point.theta, scale, lower=lower, upper=upper, limit=200
    )
    if free.status == "converged" and free.value <= best.value:
        return dataclasses.replace(free, iterations=steps + free.iterations)
    if free.value < best.value:
        best = free
    return dataclasses.replace(
        best, status="runaway", iterations=steps, running=tuple(map(int, reduction.kept[fixed]))
    )
