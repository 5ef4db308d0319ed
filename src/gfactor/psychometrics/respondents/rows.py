"""Persons who answer without looking: the same value all along a row.

References
----------
Johnson, J. A. (2005). Ascertaining the validity of individual protocols from Web-based personality
    inventories. Journal of Research in Personality 39, 103-129. (Longest string.)
Dunn, A. M., Heggestad, E. D., Shanock, L. R., Theilgard, N. (2018). Intra-individual response
    variability as an indicator of insufficient effort responding. Journal of Business and
    Psychology 33, 105-121.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.diagnostic import Diagnostic

_BY_CHANCE = 0.01
"""Runs as long as this expected by chance in the whole sample before one is reported."""

_FEWEST = 6
"""Columns below which a run of equal values says nothing."""


def row_table(
    name: str, sample: pd.DataFrame, points: Mapping[str, float] | None = None
) -> pd.DataFrame:
    """One row per person: `longest_run` of equal values along the columns, and `variability`.

    Values are compared as shares of the points where those are given, else as they are. That means
    something only where all columns have one scale of more than two values; the table is empty
    where they have not.
    `variability` is the standard deviation within the row. `flat` marks a run that is longer than
    the repetitions of the sample explain, in a row that is not at the ceiling or the floor.
    """
    columns = ["sample", "person", "longest_run", "variability", "flat"]
    x = _on_one_scale(sample, points)
    if x is None:
        return pd.DataFrame(columns=columns)
    equal = np.abs(np.diff(x, axis=1)) <= 1e-9
    runs = np.array([_longest(row) for row in equal])
    rate = equal.mean(axis=1)
    # Able and unable persons repeat themselves more often than the mean person.
    usual = min(float(rate.mean() + 2 * rate.std()), 0.98)
    expected = x.size * usual ** (runs - 1)
    low, high = np.nanmin(x), np.nanmax(x)
    edge = (np.nanmin(x, axis=1) == np.nanmax(x, axis=1)) & ((x[:, 0] == low) | (x[:, 0] == high))
    flat = (runs >= _FEWEST) & (expected < _BY_CHANCE) & ~edge
    values = [name, list(sample.index), runs, np.nanstd(x, axis=1, ddof=1), flat]
    return pd.DataFrame(dict(zip(columns, values, strict=True)))


def row_findings(table: pd.DataFrame, columns: int) -> list[Diagnostic]:
    """Straight-liners of one sample."""
    flat = [row for row in table.to_dict("records") if row["flat"]]
    if not flat:
        return []
    name = str(flat[0]["sample"])
    longest = int(max(row["longest_run"] for row in flat))
    return [
        Diagnostic(
            "straight_lining",
            "warning",
            f"In {name}, {len(flat)} of {len(table)} persons have the same value along up to "
            f"{longest} of {columns} columns, more than the sample's repetitions explain.",
            "Look at these rows; they may be answers given without reading.",
            tuple(str(row["person"]) for row in flat),
            {"sample": name, "longest_run": longest},
        )
    ]


def _on_one_scale(
    sample: pd.DataFrame, points: Mapping[str, float] | None
) -> NDArray[np.float64] | None:
    """Values on one scale; None where the columns have scales of their own, or are few."""
    x = sample.to_numpy(float)
    known = np.isfinite(x)
    if x.shape[1] < _FEWEST or len(x) == 0 or not known.any(axis=1).all():
        return None
    given = points is not None and all(str(c) in points for c in sample.columns)
    if points is not None and given:
        x = x / np.array([points[str(c)] for c in sample.columns])
    sets = [set(np.unique(np.round(column[np.isfinite(column)], 9))) for column in x.T]
    # Right and wrong are no response options: able examinees have long runs of right answers.
    if float(np.median([len(s) for s in sets])) <= 2:
        return None
    union = set().union(*sets)
    shared = np.mean([len(s) for s in sets]) / len(union)
    return x if given or (len(union) <= 20 and shared >= 0.5) else None


def _longest(equal: NDArray[np.bool_]) -> int:
    """Longest run of equal neighbors, in columns."""
    best = now = 0
    for same in equal:
        now = now + 1 if same else 0
        best = max(best, now)
    return best + 1
