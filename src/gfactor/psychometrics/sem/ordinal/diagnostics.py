"""Diagnostics of the polychoric correlations that a model was fitted to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.sem.ordinal.latent_correlations import LARGEST
from gfactor.psychometrics.sem.ordinal.moments import OrdinalMoments
from gfactor.psychometrics.sem.sample import Sample

_MOST = 12
"""Number of categories from which on lavaan warns as well that a variable may not be ordinal."""


def against_moments(sample: Sample, moments: Sequence[OrdinalMoments]) -> Iterator[Diagnostic]:
    """Yield diagnostics of perfect and indefinite correlations, and tables with empty cells, group
    by group."""
    for group, statistics in zip(sample.groups, moments, strict=True):
        where = f" in group {group.label!r}" if group.label else ""
        many = [
            f"{name} ({count})"
            for name, count in zip(statistics.names, statistics.categories, strict=True)
            if count > _MOST
        ]
        if many and group is sample.groups[0]:
            yield Diagnostic(
                "many_categories",
                "warning",
                f"Taken as ordinal, but with more than {_MOST} categories: {', '.join(many)}.",
                "Take such variables as continuous, or join categories.",
                tuple(name.split(" ")[0] for name in many),
            )
        if statistics.perfect:
            listed = _pairs(statistics.perfect)
            yield Diagnostic(
                "perfect_polychoric",
                "error",
                f"Two cells of the table are empty{where} for {listed}: the correlation has no "
                "value and was set to 0.999.",
                "Leave one of the two variables out.",
                tuple(name for pair in statistics.perfect for name in pair),
            )
        alike = _nearly_perfect(statistics)
        if alike:
            yield Diagnostic(
                "perfect_polychoric",
                "error",
                f"The responses{where} to {_pairs(alike)} correlate 0.999 or more: nearly "
                "all cases answer both alike, and standard errors mean nothing.",
                "Leave one of the two variables out.",
                tuple(name for pair in alike for name in pair),
            )
        smallest = float(eigvalsh(statistics.cov)[0])
        if smallest < 0:
            yield Diagnostic(
                "polychoric_indefinite",
                "warning",
                f"The matrix of polychoric correlations{where} has a negative eigenvalue "
                f"({smallest:.3f}): {statistics.n} cases are few for "
                f"{len(statistics.names)} variables.",
                "Join rare categories or collect more; robust CFI and RMSEA have no value.",
                (),
                {"eigenvalue": smallest},
            )
        if statistics.empty:
            pairs = int(statistics.ordered.sum()) * (int(statistics.ordered.sum()) - 1) // 2
            yield Diagnostic(
                "empty_cells",
                "warning" if len(statistics.empty) > pairs / 4 else "note",
                f"{len(statistics.empty)} of {pairs} tables of two ordinal variables have an empty "
                f"cell{where}: {_pairs(statistics.empty)}.",
                "Correlations of such pairs are biased; join rare categories.",
                tuple(dict.fromkeys(name for pair in statistics.empty for name in pair)),
                {"tables": len(statistics.empty), "pairs": pairs},
            )


def _nearly_perfect(moments: OrdinalMoments) -> tuple[tuple[str, str], ...]:
    """Pairs of ordinal variables whose correlation ends at the limit of the search."""
    row, column = np.tril_indices(len(moments.names), -1)
    both = moments.ordered[row] & moments.ordered[column]
    at_limit = both & (np.abs(moments.cov[row, column]) >= LARGEST - 1e-9)
    pairs = [
        (moments.names[j], moments.names[i])
        for i, j in zip(row[at_limit], column[at_limit], strict=True)
    ]
    return tuple(pair for pair in pairs if pair not in moments.perfect)


def _pairs(pairs: tuple[tuple[str, str], ...]) -> str:
    return first_few(f"{a} with {b}" for a, b in pairs)
