"""Runs every check on every fit."""

from __future__ import annotations

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.diagnostics.case import Case, diagnose
from gfactor.psychometrics.sem.fitted import Fit, inspector
from gfactor.psychometrics.sem.optimize import bounds_of


@inspector
def checked(fit: Fit) -> tuple[Diagnostic, ...]:
    """All checks of this folder; how the search ended, `inspect_search` tells."""
    fit = fit.in_model_units
    problem = fit.problem
    limits = bounds_of(
        fit.table, problem.structure, problem.bounding_variances, problem.options.bounds
    )
    end = fit.convergence
    case = Case(fit.estimated, fit.table, "converged", end.iterations, end.converged, limits)
    return diagnose(case)
