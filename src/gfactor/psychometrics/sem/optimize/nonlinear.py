"""Minima under nonlinear equalities and inequalities: SLSQP, then Newton on the Lagrangian."""

from __future__ import annotations

import numpy as np
import scipy

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.constraints import Constraints
from gfactor.psychometrics.sem.discrepancy import Discrepancy
from gfactor.psychometrics.sem.optimize.newton import SearchOutcome

_ACTIVE = 1e-6
_BROKEN = 1e-5
_AT_BOUND = 1e-9
_FAR_OFF = 1e10
"""Value that SLSQP sees if the discrepancy is not defined."""


def _multipliers(gradient: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(rows.T, -gradient, rcond=None)[0]


class _Scaled:
    """The problem in units in which usual parameters and constraints have the size of one.

    Parameters
    ----------
    scale: a usual size of every parameter. start: where constraints are measured.
    """

    def __init__(
        self,
        discrepancy: Discrepancy,
        constraints: Constraints,
        scale: np.ndarray,
        start: np.ndarray,
    ) -> None:
        self.discrepancy, self.constraints = discrepancy, constraints
        self.linear = constraints.linear
        self.unit = self.linear.x(scale)
        self.basis = self.linear.basis * self.unit
        self.sizes = tuple(
            np.maximum(np.abs(rows @ self.basis).max(axis=1, initial=0.0), 1e-300)
            for rows in constraints.jacobians(self.linear.theta(self.linear.x(start)))
        )

    def theta(self, u: np.ndarray) -> np.ndarray:
        return self.linear.theta(u * self.unit)

    def u(self, theta: np.ndarray) -> np.ndarray:
        return self.linear.x(theta) / self.unit

    def value(self, u: np.ndarray) -> float:
        value = self.discrepancy.value(self.discrepancy.at(self.theta(u)))
        return value if np.isfinite(value) else _FAR_OFF

    def gradient(self, u: np.ndarray) -> np.ndarray:
        point = self.discrepancy.at(self.theta(u))
        if not np.isfinite(self.discrepancy.value(point)):
            return np.zeros(len(u))
        return self.linear.vector(self.discrepancy.gradient(point)) * self.unit

    def residuals(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        equal, unequal = self.constraints.residuals(self.theta(u))
        return equal / self.sizes[0], unequal / self.sizes[1]

    def jacobians(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        equal, unequal = self.constraints.jacobians(self.theta(u))
        return (
            (equal @ self.basis) / self.sizes[0][:, None],
            (unequal @ self.basis) / self.sizes[1][:, None],
        )

    def bend(self, u: np.ndarray, weights: np.ndarray, tight: np.ndarray) -> np.ndarray:
        """Return the second derivatives of the weighted constraints, by differences of exact
        gradients."""

        def gradient(at: np.ndarray) -> np.ndarray:
            equal, unequal = self.jacobians(at)
            return weights @ np.vstack([equal, unequal[tight]])

        out = np.zeros((len(u), len(u)))
        for k in range(len(u)):
            move = np.zeros(len(u))
            move[k] = 1e-6 * max(1.0, abs(u[k]))
            out[k] = (gradient(u + move) - gradient(u - move)) / (2 * move[k])
        return (out + out.T) / 2

    def hessian(self, u: np.ndarray) -> np.ndarray:
        inner = self.linear.matrix(self.discrepancy.hessian(self.discrepancy.at(self.theta(u))))
        return inner * np.outer(self.unit, self.unit)


def _polish(scaled: _Scaled, u: np.ndarray, limit: int = 50) -> tuple[np.ndarray, int, float]:
    """Newton's method on the conditions of optimality, the active inequalities held at zero."""
    u, size = u.copy(), np.inf
    for iteration in range(limit):
        equal, unequal = scaled.residuals(u)
        rows_equal, rows_unequal = scaled.jacobians(u)
        tight = unequal < _ACTIVE
        rows = np.vstack([rows_equal, rows_unequal[tight]])
        values = np.concatenate([equal, unequal[tight]])
        gradient = scaled.gradient(u)
        weights = _multipliers(gradient, rows)
        # An inequality that pulls the wrong way is not active.
        wrong = np.flatnonzero(weights[len(equal) :] > 1e-9)
        if len(wrong):
            tight[np.flatnonzero(tight)[wrong]] = False
            rows = np.vstack([rows_equal, rows_unequal[tight]])
            values = np.concatenate([equal, unequal[tight]])
            weights = _multipliers(gradient, rows)
        residual = np.concatenate([gradient + weights @ rows, values])
        size = float(np.abs(residual).max())
        if size < 1e-12:
            return u, iteration, size
        inner = scaled.hessian(u) + scaled.bend(u, weights, tight)
        k = len(rows)
        whole = np.block([[inner, rows.T], [rows, np.zeros((k, k))]])
        step = np.linalg.lstsq(whole, -residual, rcond=1e-14)[0][: len(u)]
        length = 1.0
        while scaled.value(u + length * step) >= _FAR_OFF:
            length /= 2
            if length < 1e-6:
                return u, iteration, size
        u[:] += length * step
        if np.abs(step).max() < 1e-14 * (1 + np.abs(u).max()):
            return u, iteration, size
    return u, limit, size


def _refuse_broken(scaled: _Scaled, u: np.ndarray) -> None:
    """Raise ParameterError if the search ends with a constraint violated: constraints that
    contradict each other have no solution."""
    equal, unequal = scaled.residuals(u)
    raw = scaled.constraints.residuals(scaled.theta(u))
    bad = np.flatnonzero(~(unequal > -_BROKEN))
    if len(bad):
        line = scaled.constraints.lines[bad[0]]
        what = f"{line.lhs} {line.op} {line.rhs} fails by {-raw[1][bad[0]]:.2g}"
    elif (~(np.abs(equal) < _BROKEN)).any():
        what = f"an equality fails by {np.abs(raw[0]).max():.2g}"
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
    scale: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray] | None,
) -> SearchOutcome:
    """Return the nearest minimum that satisfies all constraints; `scale` has a typical size of
    every parameter."""
    scaled = _Scaled(discrepancy, constraints, scale, start)
    conditions = [
        {
            "type": kind,
            "fun": lambda u, k=number: scaled.residuals(u)[k],
            "jac": lambda u, k=number: scaled.jacobians(u)[k],
        }
        for number, kind in enumerate(("eq", "ineq"))
        if len(constraints.residuals(start)[number])
    ]
    box = None
    if bounds is not None:
        box = list(zip(*(scaled.u(side) for side in bounds), strict=True))
    with np.errstate(all="ignore"):
        optimum = scipy.optimize.minimize(
            scaled.value,
            scaled.u(start),
            jac=scaled.gradient,
            method="SLSQP",
            bounds=box,
            constraints=conditions,
            options={"maxiter": 1000, "ftol": 1e-13},
        )
    u, polished, size = np.asarray(optimum.x), 0, np.inf
    if bounds is None and scaled.value(u) < _FAR_OFF:
        u, polished, size = _polish(scaled, u)
    _refuse_broken(scaled, u)
    theta = scaled.theta(u)
    for side in bounds or ():
        # A parameter that differs from a bound only by rounding is set to it.
        theta = np.where(np.abs(theta - side) < _AT_BOUND * scale, side, theta)
    point = discrepancy.at(theta)
    done = size < 1e-9 or (bounds is not None and bool(optimum.success))
    return SearchOutcome(
        point,
        discrepancy.value(point),
        int(optimum.nit) + polished,
        "converged" if done else "stuck",
        0.0 if done else np.inf,
    )
