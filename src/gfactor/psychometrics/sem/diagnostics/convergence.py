"""The search did not end at a minimum."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.diagnostics.case import Case, check

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
def convergence(case: Case) -> Iterator[Diagnostic]:
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
def minimum(case: Case) -> Iterator[Diagnostic]:
    """A stationary point at which the Hessian is not positive definite is no minimum."""
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
    smallest = float(np.linalg.eigvalsh(hessian / np.outer(scale, scale))[0])
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
