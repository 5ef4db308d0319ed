"""Diagnostics of a fit: the end of the search, improper estimates, misfit, and resamples.

References
----------
MacCallum, R. C., Browne, M. W., Sugawara, H. M. (1996). Power analysis and determination of sample
    size for covariance structure modeling. Psychological Methods 1, 130-149.
Hu, L., Bentler, P. M. (1999). Cutoff criteria for fit indexes in covariance structure analysis.
    Structural Equation Modeling 6, 1-55.
Hoelter, J. W. (1983). The analysis of covariance structures: goodness-of-fit indices. Sociological
    Methods & Research 11, 325-344. (critical N)
Kenny, D. A., Kaniskan, B., McCoach, D. B. (2015). The performance of RMSEA in models with small
    degrees of freedom. Sociological Methods & Research 44, 486-507.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gfactor.numbers_in_text import p_value, share
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.rounding import descending, magnitude
from gfactor.psychometrics.sem.diagnostics.case import FitCase, diagnose
from gfactor.psychometrics.sem.measures.approximation import power_of_exact_fit
from gfactor.psychometrics.sem.measures.selection import ReportedFit, reported
from gfactor.psychometrics.sem.modification import modification_indices
from gfactor.psychometrics.sem.optimize import bounds_of
from gfactor.psychometrics.sem.results.text import exact_fit_text

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.fitted import Fit

ALPHA = 0.05
SMALL, LARGE = 0.05, 0.08
"""RMSEA of a small misfit, and of a large one, at which the power of the exact test is given."""
_LITTLE_POWER = 0.5
LIMITS: Mapping[str, tuple[float, int]] = {
    "cfi": (0.95, -1),
    "tli": (0.95, -1),
    "rmsea": (0.06, 1),
    "srmr": (0.08, 1),
}
"""Hu and Bentler's (1999) limits, and on which side of them fit is poor."""
_FEW_DF = 10
"""Degrees of freedom below which RMSEA alone is not counted (Kenny, Kaniskan & McCoach 2015)."""
_LISTED = 3
_LOCAL_MI = 6.63
"""Modification index (1 df, p = .01) below which a parameter is not named as a local misfit."""
_LOCAL_RESIDUAL = 0.10
"""Residual correlation from which on a pair is named (Kline 2016)."""
CODES = ("exact_fit_rejected", "poor_approximate_fit", "local_misfit", "fit_hardly_tested")


NOT_IDENTIFIED = "not_identified"
_CONSEQUENCES = ("not_converged", "saddle_point", "gradient_not_zero")


def misfit(fit: Fit) -> tuple[Diagnostic, ...]:
    """Return diagnostics of misfit by tests and indices; nothing for fits that did not converge or
    have negative degrees of freedom.
    """
    if not fit.converged:
        return ()
    tested = reported(fit.measures)
    if tested.df == 0:
        return (_saturated(),)
    if not tested.testable:
        return ()
    poor = _poor(tested)
    rejected = tested.pvalue is not None and tested.pvalue < ALPHA
    if not rejected:
        return tuple(_hardly_tested(fit, tested, poor))
    local = tuple(_local(fit, "warning" if poor else "note"))
    return (_exact(fit, tested, poor), *(_approximate(tested, poor)), *local)


def _saturated() -> Diagnostic:
    return Diagnostic(
        "saturated",
        "note",
        "The model is saturated (df = 0): it has as many free parameters as the sample has moments "
        "and reproduces them whatever they are, so that its fit cannot be tested.",
        "Do not report fit indices; add indicators or constraints to test the model.",
    )


def _poor(tested: ReportedFit) -> dict[str, float]:
    """Indices beyond the usual limits."""
    poor = {}
    for name, (limit, sign) in LIMITS.items():
        value = getattr(tested, name)
        if value is not None and sign * (value - limit) > 0:
            poor[name] = float(value)
    if set(poor) == {"rmsea"} and (tested.df or 0) < _FEW_DF:
        return {}
    return poor


def _powers(fit: Fit, tested: ReportedFit) -> tuple[float, float]:
    n, groups = fit.problem.fit_n, fit.problem.n_groups
    small, large = (
        power_of_exact_fit(size, float(tested.df or 0), n, groups, ALPHA) for size in (SMALL, LARGE)
    )
    return small, large


def _exact(fit: Fit, tested: ReportedFit, poor: Mapping[str, float]) -> Diagnostic:
    small, large = _powers(fit, tested)
    critical = tested.critical_n(fit.problem.fit_n, ALPHA)
    values: dict[str, Any] = {
        "chisq": tested.chisq,
        "df": tested.df,
        "pvalue": tested.pvalue,
        "n": fit.n,
        "power_rmsea_05": small,
        "power_rmsea_08": large,
        "critical_n": critical if math.isfinite(critical) else None,
    }
    return Diagnostic(
        "exact_fit_rejected",
        "warning" if poor else "note",
        f"The model does not fit exactly: {exact_fit_text(fit.measures)}. With n = {fit.n} this "
        f"test rejects a model with RMSEA {share(SMALL, 2)} in {small:.0%} of samples and one with "
        f"{share(LARGE, 2)} in {large:.0%}; misfit of this size is rejected from n = "
        f"{math.ceil(critical)} on.",
        "Look at the largest local misfits before the estimates are read."
        if poor
        else "The fit indices are within the usual limits, so that the misfit is small; look at "
        "where it lies.",
        (),
        values,
    )


def _approximate(tested: ReportedFit, poor: Mapping[str, float]) -> Iterator[Diagnostic]:
    if not poor:
        return
    sides = {name: "below" if LIMITS[name][1] < 0 else "above" for name in poor}
    listed = ", ".join(
        f"{name.upper()} {share(value)} ({sides[name]} {share(LIMITS[name][0], 2)})"
        for name, value in poor.items()
    )
    interval = ""
    if "rmsea" in poor and tested.rmsea_low is not None and tested.rmsea_high is not None:
        interval = (
            f"; RMSEA has the {tested.level:.0%} interval [{share(tested.rmsea_low)}, "
            f"{share(tested.rmsea_high)}], and close fit (RMSEA at most .05) has p "
            f"{p_value(tested.close_pvalue, '= ')}"
        )
    yield Diagnostic(
        "poor_approximate_fit",
        "warning",
        f"The model does not fit approximately either: {listed}{interval}.",
        "Do not interpret the estimates as if the model held; change the model for reasons that "
        "are about the content, and test it in new data. The limits are conventions (Hu & Bentler "
        "1999).",
        tuple(poor),
        dict(poor),
    )


def _hardly_tested(
    fit: Fit, tested: ReportedFit, poor: Mapping[str, float]
) -> Iterator[Diagnostic]:
    """Return a note that a test which is not significant says little if it had no power."""
    small, large = _powers(fit, tested)
    if large >= _LITTLE_POWER:
        return
    listed = ", ".join(f"{name.upper()} {share(value)}" for name, value in poor.items())
    yield Diagnostic(
        "fit_hardly_tested",
        "note",
        f"Exact fit is not rejected ({exact_fit_text(fit.measures)}), but with n = {fit.n} and "
        f"{tested.df:.0f} degrees of freedom the test detects a misfit of RMSEA {share(LARGE, 2)} "
        f"in only {large:.0%} of samples"
        f"{f'; beyond the usual limits: {listed}' if listed else ''}.",
        "Do not take the p-value as evidence for the model; collect more cases.",
        tuple(poor),
        {"power_rmsea_05": small, "power_rmsea_08": large, "n": fit.n, "df": tested.df},
    )


def _local(fit: Fit, severity: str) -> Iterator[Diagnostic]:
    indices, pairs = _indices(fit), _pairs(fit)
    if not indices and not pairs:
        return
    parts = []
    if indices:
        listed = ", ".join(
            f"{name} (MI {mi:.1f}{f', {change}' if change else ''})" for name, mi, change in indices
        )
        parts.append(f"freeing would gain most: {listed}")
    if pairs:
        listed = ", ".join(f"{name} {value:+z.2f}" for name, value in pairs)
        parts.append(f"largest residual correlations: {listed}")
    yield Diagnostic(
        "local_misfit",
        "warning" if severity == "warning" else "note",
        f"Where the model misses the data most; {'; '.join(parts)}.",
        "Ask what these variables share that the model leaves out. What is freed because of these "
        "numbers must be confirmed in new data.",
        tuple(name for name, *_ in [*indices, *pairs]),
        {name: mi for name, mi, _ in indices} | dict(pairs),
    )


def _indices(fit: Fit) -> list[tuple[str, float, str]]:
    """The largest modification indices with their standardized expected changes; none if the
    information matrix of the estimates has no inverse."""
    try:
        indices = modification_indices(fit, _LOCAL_MI).head(_LISTED)
    except np.linalg.LinAlgError:
        return []
    several = len(fit.sample.groups) > 1
    rows = []
    for row in indices.to_dict("records"):
        where = f" ({fit.sample.labels[row['group'] - 1]})" if several else ""
        change = row["sepc_all"]
        expected = f"standardized change {change:+z.2f}" if math.isfinite(change) else ""
        rows.append((f"{row['lhs']} {row['op']} {row['rhs']}{where}", float(row["mi"]), expected))
    return rows


def _pairs(fit: Fit) -> list[tuple[str, float]]:
    """The largest residual correlations, of all groups."""
    several = len(fit.sample.groups) > 1
    rows: list[tuple[str, float]] = []
    for number, label in enumerate(fit.sample.labels, start=1):
        left = fit.residuals("cor", number)
        values, names = left.to_numpy(), list(left.columns)
        for i in range(len(names)):
            for j in range(i):
                if abs(values[i, j]) >= _LOCAL_RESIDUAL:
                    where = f" ({label})" if several else ""
                    rows.append((f"{names[j]} ~~ {names[i]}{where}", float(values[i, j])))
    return [rows[k] for k in descending([abs(value) for _, value in rows])[:_LISTED]]


def inspected(fit: Fit) -> tuple[Diagnostic, ...]:
    """Return diagnostics of a fit, unsorted."""
    resampled = fit.bootstrapped.diagnostics if fit.options.se == "bootstrap" else ()
    diagnostics = (*search_ended(fit), *checked(fit), *misfit(fit), *resampled)
    causes = tuple(one for one in diagnostics if one.code == NOT_IDENTIFIED)
    if not causes:
        return diagnostics
    # Other start values do not help a search in a valley, so that its consequences are not
    # reported.
    others = (one for one in diagnostics if one.code not in (NOT_IDENTIFIED, *_CONSEQUENCES))
    return (*causes, *others)


def checked(fit: Fit) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of all checks of this folder except `search_ended`."""
    fit = fit.in_model_units
    problem = fit.problem
    limits = bounds_of(
        fit.table, problem.structure, problem.bounding_variances, problem.options.bounds
    )
    end = fit.convergence
    case = FitCase(fit.estimated, fit.table, "converged", end.iterations, end.converged, limits)
    return diagnose(case)


def search_ended(fit: Fit) -> tuple[Diagnostic, ...]:
    """Return diagnostics of a search that ended without a minimum, or in one of several minima."""
    end = fit.convergence
    values = {
        "max_gradient": magnitude(end.max_gradient),
        "smallest_curvature": end.smallest_curvature,
    }
    if end.status == "runaway":
        names = tuple(fit.names[k] for k in end.running)
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
                f"No minimum was found: {end.sentence} (largest gradient {end.max_gradient:.1e}).",
                "Do not use these estimates; simplify the model or give start values.",
                (),
                values,
            ),
        )
    return ()
