"""Limits to the use of an analysis of invariance: its fits, its groups, its categories.

References
----------
Meade, A. W., Bauer, D. J. (2007). Power and precision in confirmatory factor analytic tests of
    measurement invariance. Structural Equation Modeling 14, 611-635.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.diagnostics.inspection import CODES as MISFIT
from gfactor.psychometrics.sem.diagnostics.inspection import LIMITS
from gfactor.psychometrics.sem.measurement_invariance.result import InvarianceStep, measures_of
from gfactor.psychometrics.sem.measurement_invariance.steps import (
    BINARY,
    TERNARY,
    Level,
    Setting,
)

OF_DATA = ("few_categories",)
"""Codes of findings about the data, which no level changes."""

FEW = 100
"""Persons per group below which the tests rarely detect a difference (Meade and Bauer 2007)."""


def variants_apart(steps: Sequence[InvarianceStep], kind: str) -> list[Diagnostic]:
    """Return a warning about levels at which robust and scaled indices judge the fit
    differently."""
    if kind != "robust":
        return []
    parts, names = [], []
    for step in steps:
        robust, scaled = (measures_of(step.full, one) for one in ("robust", "scaled"))
        apart = [
            f"{name.upper()} {robust[name]:.3f} robust, {scaled[name]:.3f} scaled"
            for name, limit in (("cfi", LIMITS["cfi"][0]), ("rmsea", LIMITS["rmsea"][0]))
            if (robust[name] > limit) != (scaled[name] > limit) and not math.isnan(scaled[name])
        ]
        if apart:
            names.append(step.level.name)
            parts.append(f"{step.level.name} ({'; '.join(apart)})")
    if not parts:
        return []
    return [Diagnostic(
        "robust_and_scaled_apart", "warning",
        "Robust and scaled indices lie on different sides of the usual limits: "
        f"{', '.join(parts)}.",
        "The table has the robust ones, which estimate the indices of the population, but vary "
        "much in small samples: read their interval, and report both.",
        tuple(names),
    )]  # fmt: skip


def _is_told(one: Diagnostic, number: int) -> bool:
    """Return True if a finding about the fit of this level limits the result. Levels after the
    first are judged by the misfit that they add to the level before."""
    return one.severity != "note" and not (number and one.code in MISFIT)


def _at_levels(names: Sequence[str], count: int) -> str:
    """Return the beginning of a sentence that holds at these levels; "" if at all of them."""
    if len(names) == count:
        return ""
    *others, last = names
    listed = f"{', '.join(others)} and {last} levels" if others else f"{last} level"
    return f"At the {listed}: "


def against_fits(steps: Sequence[InvarianceStep]) -> list[Diagnostic]:
    diagnostics: list[Diagnostic] = []
    # Findings of the first level about the data hold at all other levels.
    of_data = {one.sentence for one in steps[0].fit.diagnostics if one.code in OF_DATA}
    names_by_finding: dict[str, list[str]] = {}
    for number, step in enumerate(steps):
        for one in step.fit.diagnostics:
            if _is_told(one, number) and one.sentence not in of_data:
                names_by_finding.setdefault(str(one), []).append(step.level.name)
    for number, step in enumerate(steps):
        for one in step.fit.diagnostics:
            if one.sentence in of_data:
                if not number:
                    diagnostics.append(one)
                continue
            # A finding of several levels stands once, at the first of them.
            names = names_by_finding.pop(str(one), []) if _is_told(one, number) else []
            if names:
                sentence = f"{_at_levels(names, len(steps))}{one.sentence}"
                diagnostics.append(dataclasses.replace(one, sentence=sentence))
        if step.final is not None:
            diagnostics += step.final.diagnostics
        elif number:
            diagnostics.append(
                Diagnostic(
                    "nothing_to_test",
                    "note",
                    f"The {step.level.name} level restricts nothing beyond the "
                    f"{steps[number - 1].level.name} level; it is not tested.",
                    "It holds by the model, or by earlier releases, not by the data.",
                    (step.level.name,),
                )
            )
    return diagnostics


def against_data(
    setting: Setting, levels: tuple[Level, ...], steps: Sequence[InvarianceStep]
) -> list[Diagnostic]:
    diagnostics: list[Diagnostic] = []
    sample = steps[0].fit.sample
    small = [one for one in sample.groups if one.n < FEW]
    if small:
        listed = ", ".join(f"{one.label} ({one.n})" for one in small)
        diagnostics.append(
            Diagnostic(
                "small_groups",
                "warning",
                f"Fewer than {FEW} cases in {listed}: a difference that matters may go unseen.",
                "A level that holds here is not shown to hold; collect more.",
                tuple(one.label for one in small),
                {one.label: one.n for one in small},
            )
        )
    measures = steps[0].fit.measures
    rmsea, srmr = measures.get("rmsea"), measures.get("srmr")
    if rmsea is not None and srmr is not None and rmsea > 0.08 and srmr > 0.08:
        diagnostics.append(
            Diagnostic(
                "configural_misfit",
                "warning",
                f"The configural model does not fit (RMSEA {rmsea:.3f}, SRMR {srmr:.3f}).",
                "Differences between levels mean little before the model fits each group.",
                (),
                {"rmsea": rmsea, "srmr": srmr},
            )
        )
    if levels is BINARY:
        diagnostics.append(
            Diagnostic(
                "binary_indicators",
                "note",
                "Some indicators are binary: thresholds and loadings cannot be tested apart.",
                "They are held equal together at the scalar level (Wu and Estabrook 2016).",
            )
        )
    elif levels is TERNARY:
        diagnostics.append(
            Diagnostic(
                "three_categories",
                "note",
                "All indicators have three categories: equal thresholds alone are the configural "
                "model in other words and cannot be tested.",
                "They are held equal from the metric level on (Wu and Estabrook 2016).",
            )
        )
    if setting.ordinal and levels is not BINARY:
        diagnostics.append(
            Diagnostic(
                "ordinal_cutoffs",
                "note",
                "Cutoffs for changes of fit were found for continuous variables and ML.",
                "With ordinal variables rely on the difference test.",
            )
        )
    return diagnostics
