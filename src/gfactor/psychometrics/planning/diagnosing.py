"""Limits of a plan: targets that it does not reach, and disagreement with its simulation."""

from __future__ import annotations

import math

import pandas as pd

from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.planning.aims import Aim, Simulated
from gfactor.results import shown

DETECTING = ("difference", "inflation")
"""Aims whose measure is the detectable effect; simulations give the power for it."""


def diagnose(
    aim: Aim, designs: pd.DataFrame, target: float | None, unreachable: int,
    simulated: Simulated | None,
) -> tuple[Diagnostic, ...]:  # fmt: skip
    """Return the limits of a plan, the most severe first."""
    diagnostics = [Diagnostic(code, "warning", text, remedy) for code, text, remedy in aim.remarks]
    if unreachable:
        diagnostics.append(
            Diagnostic(
                "not_reached", "warning",
                f"{unreachable} of the designs tried {'does' if unreachable == 1 else 'do'} not "
                f"reach {shown(target)} with any number of {aim.solves}s.",
                "Try more conditions of the other facets, or a less demanding target.",
            )
        )  # fmt: skip
    elif target is not None and not designs["enough"].to_numpy(bool).any():
        diagnostics.append(
            Diagnostic(
                "not_reached", "warning",
                f"None of the {len(designs)} designs tried reaches {shown(target)}.",
                f"Leave the number of {aim.solves} out, and it is found.",
            )
        )  # fmt: skip
    diagnostics += _power_not_reached(aim, simulated)
    nominal = 0.9 if simulated and "90 %" in simulated.interval else 0.95
    if aim.name not in ("ranks",) and simulated and not math.isnan(simulated.coverage):
        low = simulated.coverage + 3 * simulated.coverage_se < nominal
        if low:
            diagnostics.append(
                Diagnostic(
                    "coverage", "warning",
                    f"The interval ({simulated.interval}) held the truth in only "
                    f"{100 * simulated.coverage:.1f} % of {simulated.runs} simulated data sets.",
                    "Read it as narrower than it says, or plan more conditions.",
                )
            )  # fmt: skip
    return by_severity(diagnostics)


def _power_not_reached(aim: Aim, simulated: Simulated | None) -> list[Diagnostic]:
    """Return a warning if the simulated power for the effect to be detected is lower."""
    wanted = getattr(aim, "power", None)
    detects = aim.name in DETECTING and getattr(aim, "delta", None) is None
    if simulated is None or wanted is None or not detects:
        return []
    if simulated.reached + 3 * simulated.reached_se >= wanted:
        return []
    return [
        Diagnostic(
            "power_not_reached", "warning",
            f"The simulated power is {simulated.reached:.2f}, and {wanted:g} was asked for: the "
            "formula that found the design is too optimistic here, as it is near the ceiling or "
            "with few items.",
            "Plan for a smaller target, until the simulated power is enough, or for an accuracy "
            "farther from 1.",
        )
    ]  # fmt: skip
