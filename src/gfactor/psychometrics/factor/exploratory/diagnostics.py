"""Diagnostics of an exploratory solution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.factor.exploratory.extraction import LEAST_UNIQUENESS, FactorExtraction
from gfactor.psychometrics.factor.exploratory.fit import EfaFit
from gfactor.psychometrics.factor.exploratory.parallel import Parallel
from gfactor.psychometrics.factor.exploratory.rotation import COLLAPSED, Rotated
from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.results import number_of

SALIENT = 0.3
"""A loading from which on an indicator counts as one of a factor's."""

TOO_ALIKE = 0.85
"""Factors that correlate more than this are hard to distinguish."""


_MORE = "more iterations (--max-iterations; in Python: max_iterations)"


def against(
    names: Sequence[str],
    extraction: FactorExtraction,
    rotated: Rotated,
    fit: EfaFit,
    parallel: Parallel | None,
) -> list[Diagnostic]:
    """Return all diagnostics of a factor analysis, unsorted."""
    return [
        *_heywood(names, extraction),
        *_unfinished(extraction, rotated),
        *_local(rotated),
        *_poor_factors(names, rotated),
        *_too_alike(rotated),
        *_number(parallel),
        *_misfit(fit),
    ]


def _heywood(names: Sequence[str], extraction: FactorExtraction) -> list[Diagnostic]:
    guilty = tuple(name for name, at in zip(names, extraction.bounded, strict=True) if at)
    if not guilty:
        return []
    return [
        Diagnostic(
            "heywood_case",
            "error",
            f"Heywood case: the uniqueness of {', '.join(guilty)} "
            f"{'wants' if len(guilty) == 1 else 'want'} to be zero or negative "
            f"(held at {LEAST_UNIQUENESS}).",
            "Extract fewer factors, or leave out a near-copy of the indicator.",
            guilty,
        )
    ]


def _unfinished(extraction: FactorExtraction, rotated: Rotated) -> list[Diagnostic]:
    diagnostics: list[Diagnostic] = []
    if not extraction.converged:
        diagnostics.append(
            Diagnostic(
                "extraction_not_converged",
                "error",
                f"The extraction stopped at a gradient of {extraction.gradient:.1e} after "
                f"{extraction.iterations} iterations.",
                "Extract fewer factors or use minres.",
                (),
                {"gradient": extraction.gradient},
            )
        )
    if eigvalsh(rotated.correlations)[0] < COLLAPSED:
        diagnostics.append(
            Diagnostic(
                "rotation_collapsed",
                "error",
                "Two factors became one and the same: the rotation's criterion has no minimum "
                "with correlated factors here.",
                "Use another rotation, as oblimin with gamma 0.",
            )
        )
    elif not rotated.converged:
        diagnostics.append(
            Diagnostic(
                "rotation_not_converged",
                "warning",
                "The rotation did not come to rest.",
                f"Use another rotation, or {_MORE}." if rotated.moving else "Use another rotation.",
            )
        )
    return diagnostics


def _local(rotated: Rotated) -> list[Diagnostic]:
    if rotated.agreeing >= 0.5 or not (rotated.converged or rotated.others):
        return []
    reached = round(rotated.agreeing * rotated.starts)
    elsewhere = rotated.starts - reached - rotated.unfinished
    parts = [f"{elsewhere} ended in {number_of(rotated.others, 'other one')}"] * bool(elsewhere)
    parts += [f"{rotated.unfinished} did not come to rest"] * bool(rotated.unfinished)
    return [
        Diagnostic(
            "rotation_local_optima",
            "warning",
            f"Only {reached} of {rotated.starts} random starts reached the best rotation; "
            f"{' and '.join(parts)}.",
            f"Give {_MORE}; then compare rotations."
            if rotated.unfinished > elsewhere
            else "The structure is not clear: compare rotations before naming factors.",
            (),
            {
                "agreeing": rotated.agreeing,
                "optima": rotated.optima,
                "unfinished": rotated.unfinished,
            },
        )
    ]


def _poor_factors(names: Sequence[str], rotated: Rotated) -> list[Diagnostic]:
    diagnostics: list[Diagnostic] = []
    for number, column in enumerate(np.abs(rotated.loadings).T, 1):
        salient = [name for name, size in zip(names, column, strict=True) if size >= SALIENT]
        if len(salient) < 3:
            listed = f" ({', '.join(salient)})" if salient else ""
            diagnostics.append(
                Diagnostic(
                    "weak_factor",
                    "warning",
                    f"F{number} has {len(salient)} loadings of at least {SALIENT}{listed}.",
                    "Three are needed to define a factor; extract fewer.",
                    (f"F{number}",),
                )
            )
    return diagnostics


def _too_alike(rotated: Rotated) -> list[Diagnostic]:
    if eigvalsh(rotated.correlations)[0] < COLLAPSED:
        return []
    pairs = np.argwhere(np.triu(np.abs(rotated.correlations) > TOO_ALIKE, 1))
    return [
        Diagnostic(
            "factors_alike",
            "warning",
            f"F{i + 1} and F{j + 1} correlate {rotated.correlations[i, j]:.3f}.",
            "They can hardly be distinguished; extract fewer factors.",
            (f"F{i + 1}", f"F{j + 1}"),
        )
        for i, j in pairs
    ]


def _number(parallel: Parallel | None) -> list[Diagnostic]:
    if parallel is None or parallel.factors > 0:
        return []
    return [
        Diagnostic(
            "no_factor",
            "error",
            "Parallel analysis finds no common factor; one was extracted all the same.",
            "Do not interpret it; collect more persons.",
        )
    ]


def _misfit(fit: EfaFit) -> list[Diagnostic]:
    if fit.df <= 0 or not (fit.p < 0.05 and fit.rmsea > 0.08):
        return []
    return [
        Diagnostic(
            "too_few_factors",
            "note",
            f"The factors leave more than chance (chi-square {fit.chi_square:.1f}, df {fit.df}, "
            f"RMSEA {fit.rmsea:.3f}).",
            "Look at the residuals; another factor may be needed.",
            (),
            {"rmsea": fit.rmsea},
        )
    ]
