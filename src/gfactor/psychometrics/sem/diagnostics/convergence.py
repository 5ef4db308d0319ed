"""Identification, and a search that ended at a bound or with little curvature.

References
----------
Bekker, P. A., Merckens, A., Wansbeek, T. J. (1994). Identification, equivalent models, and computer
    algebra. Academic Press. (Local identification by the rank of the Jacobian at a regular point.)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.sem.diagnostics.case import FitCase, check

_RANK = 1e-7
"""Singular value, relative to the largest of columns of length one, that counts as zero."""

_FAR = 20.0
"""Loading, in standard deviations of its indicator, beyond which a solution has run away."""

_PART = 0.1
"""Share of the largest entry of a null direction from which on a parameter belongs to it."""

_WEIGHT = ", a weight of each composite (C <~ 1*x1 + x2)"


@check("identification")
def identification(case: FitCase) -> Iterator[Diagnostic]:
    if _far_away(case):  # if one parameter is far larger than the others, rounding hides the rank
        return
    deltas = [
        delta / case.estimated.problem.moment_units(number)[-len(delta) :, None]
        for number, delta in enumerate(case.estimated.deltas())
    ]
    jacobian = np.concatenate(deltas) @ case.estimated.directions
    if not np.isfinite(jacobian).all() or not jacobian.shape[1]:
        return
    free = jacobian.shape[1]
    length = np.linalg.norm(jacobian, axis=0)
    unit = np.where(length > 0, length, 1.0)
    _, values, right = np.linalg.svd(jacobian / unit, full_matrices=True)
    values = np.concatenate([values, np.zeros(max(0, free - len(values)))])
    null = right[values < _RANK * max(float(values[0]), 1e-300)]
    if not len(null):
        return
    moves = np.abs((null / unit) @ case.estimated.directions.T)
    moves = moves / np.maximum(moves.max(axis=1, keepdims=True), 1e-300)
    where = tuple(
        name for name, part in zip(case.names, moves.max(axis=0), strict=True) if part > _PART
    )
    composite = any("<~" in name for name in where)
    yield Diagnostic(
        "not_identified",
        "error",
        f"The model is not identified: {free} free parameters, but the moments determine "
        f"{free - len(null)} combinations of them; {first_few(where, 8)} "
        "can change without changing the fit.",
        _remedy(case, composite),
        where,
        {"free": free, "rank": free - len(null)},
    )


def _remedy(case: FitCase, composite: bool) -> str:
    """Return what the factors lack: a scale, indicators of their own, a third indicator."""
    rows = [row for row in case.table.rows if row.group <= 1]
    factors = dict.fromkeys(row.lhs for row in rows if row.op == "=~")
    parts = {f: {row.rhs for row in rows if row.op == "=~" and row.lhs == f} for f in factors}
    scaled = {row.lhs for row in rows if row.op == "=~" and not row.free}
    scaled |= {row.lhs for row in rows if row.op == "~~" and row.lhs == row.rhs and not row.free}
    if composite or not set(factors) <= scaled:
        return (
            f"Fix a loading or a variance of each factor{_WEIGHT if composite else ''}, or fix or "
            "equate parameters among these."
        )
    pairs = ((a, b) for a in factors for b in factors if a != b)
    inside = next((pair for pair in pairs if parts[pair[0]] <= parts[pair[1]]), None)
    if inside is not None:
        return (
            f"All indicators of {inside[0]} are indicators of {inside[1]}, too. In a bifactor "
            "model the factors are uncorrelated: set orthogonal = True. Otherwise merge the two "
            "factors, or give each indicators of its own."
        )
    small = next((f for f in factors if len(parts[f]) == 2), None)
    if small is not None:
        return (
            f"{small} has two indicators: add a third, or hold its loadings equal "
            f"({small} =~ {' + '.join(f'a*{name}' for name in sorted(parts[small]))})."
        )
    return "Fix or equate parameters among these."


def _far_away(case: FitCase) -> bool:
    """Return True if a loading has run away, which another check reports."""
    return any(
        (np.abs(group.loading) > _FAR * np.sqrt(sample.cov.diagonal())[:, None]).any()
        for group, sample in zip(case.groups, case.estimated.problem.sample.groups, strict=True)
    )


@check("degrees_of_freedom")
def degrees_of_freedom(case: FitCase) -> Iterator[Diagnostic]:
    df = case.estimated.problem.df
    if df < 0:
        yield Diagnostic(
            "more_parameters_than_moments",
            "error",
            f"The model has {-df} more free parameters than the sample has moments.",
            "Fix or equate parameters.",
            (),
            {"df": df},
        )


_STEEP = 1e-4
"""Change of the discrepancy (per case) over a usual step of a parameter above which a point is not
stationary."""

_WHY = {
    "runaway": "a parameter grows without end while the fit hardly improves",
    "stuck": "no step lowers the discrepancy",
    "limit": "too many steps were taken",
    "saddle": "it ended at a saddle point",
    "undefined": "the start values imply a covariance matrix that is not positive definite",
}


@check("convergence")
def converged(case: FitCase) -> Iterator[Diagnostic]:
    if case.status != "converged":
        yield Diagnostic(
            "not_converged",
            "error",
            f"The search did not converge after {case.iterations} steps: "
            f"{_WHY.get(case.status, case.status)}.",
            "Bound the variances (bounds = 'pos.var'), simplify the model or give start values.",
            (),
            {"status": case.status, "iterations": case.iterations},
        )
    if case.proven or not case.evaluable:
        return
    steep = float(np.abs(case.slope * case.step).max(initial=0.0))
    if steep > _STEEP:
        yield Diagnostic(
            "gradient_not_zero",
            "error",
            f"The solution is not a stationary point: the discrepancy changes by up to "
            f"{steep:.1e} per step of a parameter's size.",
            "Do not use the estimates; fit again from other start values or with bounds.",
            (),
            {"max_abs_gradient": steep},
        )


@check("minimum")
def minimum(case: FitCase) -> Iterator[Diagnostic]:
    """Yield a diagnostic if the Hessian is not positive definite at the end of the search, which is
    then not a minimum."""
    if case.status != "converged" or not case.evaluable:
        return
    k = case.estimated.directions
    k = k[:, np.abs(k[case.held]).max(axis=0, initial=0.0) < 1e-12] if case.held.any() else k
    if not k.shape[1]:
        return
    hessian = k.T @ case.estimated.hessian @ k
    scale = np.sqrt(np.abs(np.diag(hessian)))
    scale[scale == 0] = 1.0
    if not np.isfinite(hessian).all():
        return
    smallest = float(eigvalsh(hessian / np.outer(scale, scale))[0])
    if smallest < -1e-8:
        yield Diagnostic(
            "saddle_point",
            "error",
            "The solution is a saddle point: the discrepancy falls in some direction (smallest "
            f"eigenvalue of the scaled Hessian {smallest:.1e}).",
            "Fit again from other start values.",
            (),
            {"smallest_eigenvalue": smallest},
        )
