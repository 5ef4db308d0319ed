"""Minima under nonlinear equalities and inequalities: SLSQP, then Newton on the Lagrangian."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.constraints import Constraints
from gfactor.psychometrics.sem.discrepancy import Discrepancy
from gfactor.psychometrics.sem.optimize.newton import Outcome

_ACTIVE = 1e-6
_BROKEN = 1e-5
_FAR_OFF = 1e10
"""What SLSQP sees where the discrepancy is not defined."""


def _multipliers(slope: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(rows.T, -slope, rcond=None)[0]


def _bend(constraints: Constraints, theta: np.ndarray, weights: np.ndarray, tight: np.ndarray):
    """Second derivatives of the weighted constraints, by differences of exact gradients."""
    n = len(theta)

    def slope(at: np.ndarray) -> np.ndarray:
        equal, unequal = constraints.jacobians(at)
        return weights @ np.vstack([equal, unequal[tight]])

    out = np.zeros((n, n))
    for k in range(n):
        step = 1e-6 * max(1.0, abs(theta[k]))
        move = np.zeros(n)
        move[k] = step
        out[k] = (slope(theta + move) - slope(theta - move)) / (2 * step)
    return (out + out.T) / 2


def _polish(
    discrepancy: Discrepancy, constraints: Constraints, x: np.ndarray, limit: int = 50
) -> tuple[np.ndarray, int, float]:
    """Newton's method on the conditions of optimality, the active inequalities held at zero."""
    linear = constraints.linear
    size = np.inf
    for iteration in range(limit):
        theta = linear.theta(x)
        equal, unequal = constraints.residuals(theta)
        rows_equal, rows_unequal = constraints.jacobians(theta)
        tight = unequal < _ACTIVE
        rows = np.vstack([rows_equal, rows_unequal[tight]]) @ linear.basis
        values = np.concatenate([equal, unequal[tight]])
        point = discrepancy.at(theta)
        slope = linear.vector(discrepancy.gradient(point))
        weights = _multipliers(slope, rows)
        # An inequality that pulls the wrong way is not active.
        wrong = np.flatnonzero(weights[len(equal) :] > 1e-9)
        if len(wrong):
            tight[np.flatnonzero(tight)[wrong]] = False
            rows = np.vstack([rows_equal, rows_unequal[tight]]) @ linear.basis
            values = np.concatenate([equal, unequal[tight]])
            weights = _multipliers(slope, rows)
        residual = np.concatenate([slope + weights @ rows, values])
        size = float(np.abs(residual).max())
        if size < 1e-12:
            return x, iteration, size
        hessian = discrepancy.hessian(point) + _bend(constraints, theta, weights, tight)
        inner = linear.matrix(hessian)
        k = len(rows)
        whole = np.block([[inner, rows.T], [rows, np.zeros((k, k))]])
        step = np.linalg.lstsq(whole, -residual, rcond=1e-14)[0][: len(x)]
        length = 1.0
        while not np.isfinite(discrepancy.value(discrepancy.at(linear.theta(x + length * step)))):
            length /= 2
            if length < 1e-6:
                return x, iteration, size
        x = x + length * step
        if np.abs(step).max() < 1e-14 * (1 + np.abs(x).max()):
            return x, iteration, size
    return x, limit, size


def _refuse_broken(constraints: Constraints, theta: np.ndarray) -> None:
    """ParameterError where the search ends with a constraint broken: constraints that contradict
    each other have no solution, and the nearest point is none."""
    equal, unequal = constraints.residuals(theta)
    bad = np.flatnonzero(~(unequal > -_BROKEN))
    if len(bad):
        line = constraints.lines[bad[0]]
        what = f"{line.lhs} {line.op} {line.rhs} fails by {-unequal[bad[0]]:.2g}"
    elif (~(np.abs(equal) < _BROKEN)).any():
        what = f"an equality fails by {np.abs(equal).max():.2g}"
    else:
        return
    raise ParameterError(
        f"the search found no parameters that obey all constraints ({what}); look for constraints "
        "that contradict each other, or give start values that obey them."
    )


def minimise_constrained(
    discrepancy: Discrepancy,
    constraints: Constraints,
    start: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray] | None,
) -> Outcome:
    """The nearest minimum that obeys all constraints."""
    linear = constraints.linear

    def value(x: np.ndarray) -> float:
        found = discrepancy.value(discrepancy.at(linear.theta(x)))
        return found if np.isfinite(found) else _FAR_OFF

    def slope(x: np.ndarray) -> np.ndarray:
        point = discrepancy.at(linear.theta(x))
        if not np.isfinite(discrepancy.value(point)):
            return np.zeros(len(x))
        return linear.vector(discrepancy.gradient(point))

    conditions = []
    for place, kind in enumerate(("eq", "ineq")):
        if len(constraints.residuals(start)[place]):
            conditions.append(
                {
                    "type": kind,
                    "fun": lambda x, k=place: constraints.residuals(linear.theta(x))[k],
                    "jac": lambda x, k=place: (
                        constraints.jacobians(linear.theta(x))[k] @ linear.basis
                    ),
                }
            )
    box = None
    if bounds is not None:
        box = list(zip(*(linear.x(side) for side in bounds), strict=True))
    with np.errstate(all="ignore"):
        found = minimize(
            value,
            linear.x(start),
            jac=slope,
            method="SLSQP",
            bounds=box,
            constraints=conditions,
            options={"maxiter": 1000, "ftol": 1e-13},
        )
    x, polished, size = np.asarray(found.x), 0, np.inf
    if bounds is None and value(x) < _FAR_OFF:
        x, polished, size = _polish(discrepancy, constraints, x)
    point = discrepancy.at(linear.theta(x))
    _refuse_broken(constraints, point.theta)
    done = size < 1e-9 or (bounds is not None and bool(found.success))
    return Outcome(
        point,
        discrepancy.value(point),
        int(found.nit) + polished,
        "converged" if done else "stuck",
        0.0 if done else np.inf,
    )
