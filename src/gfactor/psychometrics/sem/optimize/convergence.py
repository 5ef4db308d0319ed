"""Proof that the search ended in a minimum."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy.linalg import lapack

from gfactor.psychometrics.sem.constraints import Constraints
from gfactor.psychometrics.sem.discrepancy import Discrepancy
from gfactor.psychometrics.sem.optimize.newton import SearchOutcome

GRADIENT_LIMIT = 1e-7
"""Largest gradient that counts as zero, along steps with a curvature of one, and so independent of
the data's unit (lavaan's own check is 1e-3 in that unit)."""
_LEAST = 1e-6
"""Least curvature, in units of a usual step, relative to which slopes are measured."""
FLAT = 1e-9
"""A curvature below this share of a parameter's own counts as none: the model is not identified
there."""

STATUS_WORDS = {
    "converged": "the search ended in a minimum",
    "runaway": "a parameter grows without end while the discrepancy falls no more",
    "stuck": "no further step lowers the discrepancy, although its gradient is not zero",
    "limit": "the search did not end within its steps",
    "undefined": "no start gives a covariance matrix that is positive definite",
    "saddle": "the search ended in a saddle point, not in a minimum",
}
"""Explanations of how a search ended, by status."""


@dataclass(frozen=True)
class Convergence:
    """End of the search.

    Parameters
    ----------
    converged: The gradient is zero and the curvature nowhere negative, in the directions that
    constraints and bounds leave free.
    status: "converged", "runaway", "stuck", "limit", "undefined", "saddle".
    iterations: steps taken, over all starts tried.
    max_gradient: largest gradient of the discrepancy along a free direction, per step with a
    curvature of one; it does not depend on the data's unit.
    identified: True if the curvature is clearly positive in all free directions.
    running: numbers (from 0) of parameters that run away.
    at_bound: numbers of parameters at a bound.
    bends: the Hessian along the free directions, in units of their own curvatures.
    """

    converged: bool
    status: str
    iterations: int
    max_gradient: float
    identified: bool
    running: tuple[int, ...] = ()
    at_bound: tuple[int, ...] = ()
    bends: np.ndarray | None = field(default=None, repr=False, compare=False)

    @cached_property
    def smallest_curvature(self) -> float:
        """The smallest eigenvalue of the Hessian over the free directions, in units of each
        direction's own curvature; near zero if parameters are not identified."""
        if self.bends is None:
            return np.nan
        return _least_eigenvalue(self.bends) if len(self.bends) else 1.0

    @property
    def sentence(self) -> str:
        """The status in words."""
        shared = self.converged and not self.identified
        return STATUS_WORDS[self.status] + (", which other estimates share" if shared else "")


def _free_directions(
    constraints: Constraints,
    theta: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray] | None,
) -> tuple[np.ndarray, np.ndarray]:
    basis = constraints.directions(theta)
    if bounds is None:
        return basis, np.zeros(len(theta), dtype=bool)
    lower, upper = bounds
    stuck = (theta <= lower) | (theta >= upper)
    rows = np.eye(len(theta))[stuck] @ basis
    if not len(rows):
        return basis, stuck
    _, size, right = np.linalg.svd(rows)
    rank = int((size > 1e-10).sum())
    return basis @ right[rank:].T, stuck


def step_sizes(directions: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Return a typical size of a step along each direction, which changes no parameter by more than
    its own typical size."""
    with np.errstate(divide="ignore"):
        reach = scale[:, None] / np.abs(directions)
    return np.minimum(reach.min(axis=0, initial=np.inf), scale.max(initial=1.0))


def _least_eigenvalue(matrix: np.ndarray) -> float:
    values = lapack.dsyevr(  # type: ignore[attr-defined]
        matrix, compute_v=0, range="I", il=1, iu=1
    )[0]
    return float(values[0])


def _all_above(matrix: np.ndarray, limit: float) -> bool:
    """Return True if all eigenvalues exceed a limit; five times as fast as the least eigenvalue."""
    shifted = matrix.copy()
    shifted[np.diag_indices(len(shifted))] -= limit
    return len(matrix) == 0 or lapack.dpotrf(shifted, lower=1)[1] == 0  # type: ignore[attr-defined]


def prove(
    discrepancy: Discrepancy,
    constraints: Constraints,
    outcome: SearchOutcome,
    bounds: tuple[np.ndarray, np.ndarray] | None = None,
    *,
    scale: np.ndarray,
) -> Convergence:
    """Check the conditions of a minimum at the end of a search; `scale` has a typical size of every
    parameter."""
    theta = outcome.point.theta
    if not np.isfinite(outcome.value):
        return Convergence(False, "undefined", outcome.iterations, np.inf, False)
    slopes, bent = discrepancy.gradient(outcome.point), discrepancy.hessian(outcome.point)
    stuck = np.zeros(len(theta), dtype=bool)
    sizes = scale
    if bounds is not None or not constraints.only_linear or not constraints.linear.trivial:
        basis, stuck = _free_directions(constraints, theta, bounds)
        slopes, bent = slopes @ basis, basis.T @ bent @ basis
        sizes = step_sizes(basis, scale)
    curvature = np.sqrt(np.maximum(np.abs(bent.diagonal()), 1e-300))
    gradient = float(np.abs(slopes / np.maximum(curvature, _LEAST / sizes)).max(initial=0.0))
    scaled = bent / (curvature[:, None] * curvature)
    identified = _all_above(scaled, FLAT)
    status = outcome.status
    if status in {"stuck", "limit"} and gradient < GRADIENT_LIMIT:
        status = "converged" if identified or _all_above(scaled, -FLAT) else status
    if status == "converged" and not (identified or _all_above(scaled, -1e-7)):
        status = "saddle"
    done = status == "converged" and gradient < GRADIENT_LIMIT
    if status == "converged" and not done:
        status = "stuck"
    return Convergence(
        done,
        status,
        outcome.iterations,
        gradient,
        identified,
        outcome.running,
        tuple(map(int, np.flatnonzero(stuck))),
        scaled,
    )
