"""Pairs of variables that incomplete data hardly ever show together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.sem.diagnostics.case import Case, check
from gfactor.psychometrics.sem.sample import pairs_apart, told


@check("coverage")
def coverage(case: Case) -> Iterator[Diagnostic]:
    """Full information needs no complete cases, but every covariance some that show both."""
    for place, group in enumerate(case.estimated.problem.sample.groups):
        if group.rows is None or not np.isnan(group.rows).any():
            continue
        rare = pairs_apart(group.rows, case.estimated.problem.sample.variables)
        never = [pair for pair in rare if not pair.share]
        rare = [pair for pair in rare if pair.share]
        if never:
            yield Diagnostic(
                "never_seen_together",
                "error",
                f"No case{case.where(place)} shows both of {told(never)}: the data say nothing "
                "of their covariance, which chi-square, degrees of freedom and fit indices count "
                "all the same.",
                "Do not use the fit; the estimates hold only if the model is right. Collect cases "
                "that show both, or leave one of each pair out.",
                tuple(f"{pair.first}~~{pair.second}" for pair in never),
                {"pairs": len(never)},
            )
        if rare:
            yield Diagnostic(
                "rarely_seen_together",
                "warning",
                f"Fewer than a tenth of the cases{case.where(place)} show both of "
                f"{told(rare, shares=True)}.",
                "What the model says of these pairs rests on few cases; collect more that show "
                "both, or leave one of each pair out.",
                tuple(f"{pair.first}~~{pair.second}" for pair in rare),
                {f"{pair.first}~~{pair.second}": pair.share for pair in rare},
            )


@check("left_out")
def left_out(case: Case) -> Iterator[Diagnostic]:
    yield from case.estimated.problem.sample.notes
