"""What is looked for in a fit: how the search ended, what checks find, misfit, resamples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.diagnostics.case import Case, diagnose
from gfactor.psychometrics.sem.diagnostics.misfit import misfit
from gfactor.psychometrics.sem.optimize import bounds_of

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.fitted import Fit


def inspected(fit: Fit) -> tuple[Diagnostic, ...]:
    """What speaks against a fit, in no order."""
    resampled = fit.bootstrapped.diagnostics if fit.options.se == "bootstrap" else ()
    return (*search_ended(fit), *checked(fit), *misfit(fit), *resampled)


def checked(fit: Fit) -> tuple[Diagnostic, ...]:
    """All checks of this folder; how the search ended, `search_ended` tells."""
    fit = fit.in_model_units
    problem = fit.problem
    limits = bounds_of(
        fit.table, problem.structure, problem.bounding_variances, problem.options.bounds
    )
    end = fit.convergence
    case = Case(fit.estimated, fit.table, "converged", end.iterations, end.converged, limits)
    return diagnose(case)


def search_ended(fit: Fit) -> tuple[Diagnostic, ...]:
    """A search that did not end in a minimum, or in one that is not unique."""
    end = fit.convergence
    values = {"max_gradient": end.max_gradient, "smallest_curvature": end.smallest_curvature}
    if end.status == "runaway":
        names = tuple(fit.names[place] for place in end.running)
        return (
            Diagnostic(
                "runaway_solution",
                "error",
                f"The best solution lies at infinity: {', '.join(names)} "
                f"{'grow' if len(names) > 1 else 'grows'} without end while the discrepancy falls "
                "no more, because a variance wants to be negative.",
                "Do not use these estimates; drop or merge the factor, or fit with "
                "bounds = 'pos.var'.",
                names,
                values,
            ),
        )
    if not end.converged:
        return (
            Diagnostic(
                "not_converged",
                "error",
                f"No minimum was found: {end.sentence} (largest slope {end.max_gradient:.1e}).",
                "Do not use these estimates; simplify the model or give start values.",
                (),
                values,
            ),
        )
    return ()
