"""Search for the best minimum from a few starts, and the proof that it is a minimum."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from gfactor.psychometrics.sem.constraints import Constraints
from gfactor.psychometrics.sem.discrepancy import Discrepancy
from gfactor.psychometrics.sem.model import Structure
from gfactor.psychometrics.sem.model.derivative_index import REGRESSION
from gfactor.psychometrics.sem.optimize.bounds import bounds_of
from gfactor.psychometrics.sem.optimize.convergence import Convergence, prove
from gfactor.psychometrics.sem.optimize.newton import SearchOutcome, minimise
from gfactor.psychometrics.sem.optimize.nonlinear import minimise_constrained
from gfactor.psychometrics.sem.optimize.runaway import follow
from gfactor.psychometrics.sem.optimize.starts import parameter_scales, start_values
from gfactor.psychometrics.sem.parameters import ParameterTable

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.problem import Problem

Bounds = tuple[np.ndarray, np.ndarray]

_PATIENCE = 60
"""Newton steps before a search counts as one that may not end; ordinary ones take 5 to 15."""
_MORE_STARTS = 2


def mobile_parameters(structure: Structure) -> np.ndarray:
    """Return True for parameters that can diverge: loadings and slopes."""
    out = np.zeros(structure.n_free, dtype=bool)
    for group in structure.groups:
        out[group.index[group.kind <= REGRESSION]] = True
    return out


def _once(
    discrepancy: Discrepancy,
    constraints: Constraints,
    start: np.ndarray,
    scale: np.ndarray,
    mobile: np.ndarray,
    bounds: Bounds | None,
    worth_following: float = np.inf,
) -> SearchOutcome:
    """Search once; continue an unfinished search to its end if its value is below a limit."""
    lower, upper = bounds if bounds is not None else (None, None)
    outcome = minimise(
        discrepancy,
        constraints.linear,
        start,
        scale,
        lower=lower,
        upper=upper,
        limit=_PATIENCE,
        look=True,
    )
    hopeful = outcome.value < worth_following
    if outcome.status in {"limit", "runaway", "stuck"} and mobile.any() and hopeful:
        outcome = follow(
            discrepancy, constraints.linear, outcome, scale, mobile, lower=lower, upper=upper
        )
    return outcome


def _other_start(start: np.ndarray, scale: np.ndarray, number: int) -> np.ndarray:
    """Another start: shrunken, and moved by a fixed pattern of irrational steps."""
    wave = np.sin((np.arange(len(start)) + 1) * np.sqrt(2.0) * (number + 1))
    return start * (0.9 - 0.1 * number) + 0.1 * wave * np.minimum(np.abs(start), scale)


def _proper(outcome: SearchOutcome, bounds: Bounds | None) -> bool:
    """Return True if no variance is negative and no parameter is at a bound."""
    theta = outcome.point.theta
    if bounds is not None and ((theta <= bounds[0]) | (theta >= bounds[1])).any():
        return False
    return all(
        (group.theta.diagonal() >= 0).all() and (group.psi.diagonal() >= 0).all()
        for group in outcome.point.groups
    )


def search(
    discrepancy: Discrepancy,
    constraints: Constraints,
    start: np.ndarray,
    scale: np.ndarray,
    mobile: np.ndarray,
    bounds: Bounds | None = None,
) -> SearchOutcome:
    """Return the best minimum found; other starts are tried only if the first result is suspect:
    not converged, with a negative variance, or on a bound.

    The starts are fixed functions of the first one, so that equal data give equal results.
    """
    if not constraints.only_linear:
        return minimise_constrained(discrepancy, constraints, start, scale, bounds)
    best = _once(discrepancy, constraints, start, scale, mobile, bounds)
    steps = best.iterations
    if best.status == "converged" and _proper(best, bounds):
        return best
    for number in range(_MORE_STARTS):
        other = _once(
            discrepancy,
            constraints,
            _other_start(start, scale, number),
            scale,
            mobile,
            bounds,
            best.value,
        )
        steps += other.iterations
        # A proven minimum is preferred even if its value is higher by up to a millionth; any other
        # end must be lower.
        better = best.status != "converged" and other.status == "converged"
        margin = 1e-6 if better else -1e-6
        if other.value < best.value + margin:
            best = other
    return dataclasses.replace(best, iterations=steps)


def solve(
    table: ParameterTable, problem: Problem, start: np.ndarray | None = None
) -> tuple[SearchOutcome, Convergence]:
    """Return the result of minimizing a prepared problem, with the proof that it is a minimum.

    `start` replaces the start values; refits to resampled data begin at the first fit's estimates.
    """
    structure = problem.structure
    scale = parameter_scales(structure, problem.sample)
    cold = start is None
    if start is None:
        start = start_values(table, structure, problem.sample)
    bounds = bounds_of(table, structure, problem.bounding_variances, problem.options.bounds)
    mobile = mobile_parameters(structure)
    if cold and problem.constraints.rotations:
        from gfactor.psychometrics.sem.rotated_solutions import (  # noqa: PLC0415  (only for these)
            refuse_moved,
            rotated_parameters,
            without_rotation,
        )

        plain = without_rotation(problem.constraints)
        outcome = search(problem.discrepancy, plain, start, scale, mobile, bounds)
        proof = prove(problem.discrepancy, plain, outcome, bounds, scale=scale)
        if not proof.converged:
            return outcome, proof
        start = rotated_parameters(outcome.point.theta, problem.constraints)
        refuse_moved(table, problem.constraints, outcome.point.theta, start)
    outcome = search(problem.discrepancy, problem.constraints, start, scale, mobile, bounds)
    return outcome, prove(problem.discrepancy, problem.constraints, outcome, bounds, scale=scale)
