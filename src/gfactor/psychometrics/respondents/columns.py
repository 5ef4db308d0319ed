"""Properties of rows and columns of score matrices, one by one.

References
----------
Hill, M. O. (1973). Diversity and evenness: a unifying notation and its consequences. Ecology 54,
    427-432.
Thorndike, R. L. (1949). Personnel selection. Wiley.
Johnson, J. A. (2005). Ascertaining the validity of individual protocols from Web-based personality
    inventories. Journal of Research in Personality 39, 103-129. (Longest string.)
Dunn, A. M., Heggestad, E. D., Shanock, L. R., Theilgard, N. (2018). Intra-individual response
    variability as an indicator of insufficient effort responding. Journal of Business and
    Psychology 33, 105-121.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.respondents.grid import recover_grid

NEAR_CONSTANT = 0.75
"""Share of the most frequent value from which on a column of several points is near-constant."""

NEAR_CONSTANT_BINARY = 0.95
"""The same if most columns of the sample are 0/1 items, whose shares are often uneven."""

_Rows = Sequence[Mapping[str, Any]]
"""Rows of the column table."""

RESTRICTED = 0.8
"""Ratio of the standard deviation to the reference's below which the range is restricted."""


def column_table(
    name: str,
    sample: pd.DataFrame,
    points: Mapping[str, float] | None = None,
    reference: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Return one row per column of a sample.

    `distinct` values, `mode_share` (share of the most frequent value), `effective_values` (Hill's
    number of order 2: the inverse of the chance that two persons have the same value), `mean`,
    `sd`, `min`, `max`, `step` (spacing of the grid behind the values, None if they look
    continuous), `points`, `outside` (values below 0 or above the points), `fractions` (values that
    are not whole), and, with a reference, `sd_ratio` with `ratio_low` and `ratio_high` (95 %, from
    the F distribution of the ratio of two normal samples' variances).
    """
    rows = []
    for column in sample.columns:
        x = sample[column].to_numpy(float)
        observed = x[np.isfinite(x)]
        grid = recover_grid(x)
        _, counts = np.unique(np.round(observed, 9), return_counts=True)
        share = counts / max(len(observed), 1)
        top = points.get(str(column)) if points else None
        row: dict[str, object] = {
            "sample": name,
            "column": str(column),
            "n": len(observed),
            "missing": len(x) - len(observed),
            "distinct": len(counts),
            "mode_share": float(share.max(initial=0.0)),
            "effective_values": float(1 / (share**2).sum()) if len(observed) else 0.0,
            "mean": float(observed.mean()) if len(observed) else np.nan,
            "sd": float(observed.std(ddof=1)) if len(observed) > 1 else np.nan,
            "min": float(observed.min()) if len(observed) else np.nan,
            "max": float(observed.max()) if len(observed) else np.nan,
            "step": grid.step if grid else np.nan,
            "points": np.nan if top is None else float(top),
            "outside": 0 if top is None else int(((observed < 0) | (observed > top)).sum()),
            "fractions": int((np.abs(observed - np.rint(observed)) > 1e-9).sum()),
        }
        if reference is not None and column in reference.columns:
            row |= _ratio(observed, reference[column].to_numpy(float))
        rows.append(row)
    return pd.DataFrame(rows)


def _ratio(x: NDArray[np.float64], reference: NDArray[np.float64]) -> dict[str, float]:
    y = reference[np.isfinite(reference)]
    if len(x) < 3 or len(y) < 3 or y.var(ddof=1) == 0:
        return {"sd_ratio": np.nan, "ratio_low": np.nan, "ratio_high": np.nan}
    ratio = float(x.var(ddof=1) / y.var(ddof=1))
    low, high = stats.f.ppf([0.025, 0.975], len(x) - 1, len(y) - 1)
    return {
        "sd_ratio": float(np.sqrt(ratio)),
        "ratio_low": float(np.sqrt(ratio / high)),
        "ratio_high": float(np.sqrt(ratio / low)),
    }


def column_findings(table: pd.DataFrame, counts: bool) -> list[Diagnostic]:
    """Return diagnostics of doubtful columns; `counts` is True if columns should be counts."""
    rows = [{str(k): v for k, v in row.items()} for row in table.to_dict("records")]
    name = str(rows[0]["sample"])
    binary = float(np.median([row["distinct"] for row in rows])) <= 2
    limit = NEAR_CONSTANT_BINARY if binary else NEAR_CONSTANT
    return [
        *_constant(name, [r for r in rows if r["distinct"] <= 1]),
        *_near_constant(name, [r for r in rows if r["distinct"] > 1 and r["mode_share"] >= limit]),
        *_impossible(name, [r for r in rows if r["outside"] > 0]),
        *_broken(name, [r for r in rows if counts and r["fractions"] > 0]),
        *_restricted(name, [r for r in rows if _is_restricted(r)]),
    ]


def _constant(name: str, rows: _Rows) -> Iterator[Diagnostic]:
    if rows:
        yield Diagnostic(
            "constant_column",
            "error",
            f"In {name}, {_names(rows)} {'has' if len(rows) == 1 else 'have'} the same "
            f"value in all {rows[0]['n']} persons.",
            "Leave it out; it has no correlation with anything.",
            _where(rows),
            {"sample": name},
        )


def _near_constant(name: str, rows: _Rows) -> Iterator[Diagnostic]:
    if rows:
        worst = max(rows, key=lambda row: row["mode_share"])
        yield Diagnostic(
            "near_constant_column",
            "warning",
            f"In {name}, {_names(rows)} hardly {'varies' if len(rows) == 1 else 'vary'}: "
            f"{worst['column']} has {worst['distinct']} "
            f"distinct values and {worst['mode_share']:.0%} of {worst['n']} persons share one.",
            "Leave it out of factor models or collect harder items; a handful of persons decides "
            "its correlations.",
            _where(rows),
            {"sample": name} | {r["column"]: r["mode_share"] for r in rows},
        )


def _impossible(name: str, rows: _Rows) -> Iterator[Diagnostic]:
    if rows:
        yield Diagnostic(
            "impossible_value",
            "error",
            f"In {name}, {sum(r['outside'] for r in rows)} values of {_names(rows)} lie below 0 or "
            "above the points that can be earned.",
            "Check the scoring, or whether these are counts at all.",
            _where(rows),
            {"sample": name} | {r["column"]: r["outside"] for r in rows},
        )


def _broken(name: str, rows: _Rows) -> Iterator[Diagnostic]:
    if rows:
        yield Diagnostic(
            "fractional_count",
            "warning",
            f"In {name}, {sum(r['fractions'] for r in rows)} values of {_names(rows)} are not "
            "whole numbers although counts are claimed.",
            "Say whether these are means over occasions, rounded shares times points, or z-scores.",
            _where(rows),
            {"sample": name} | {r["column"]: r["fractions"] for r in rows},
        )


def _is_restricted(row: Mapping[str, Any]) -> bool:
    return row.get("sd_ratio", np.nan) < RESTRICTED and row["ratio_high"] < 1


def _restricted(name: str, rows: _Rows) -> Iterator[Diagnostic]:
    if rows:
        worst = min(rows, key=lambda row: row["sd_ratio"])
        yield Diagnostic(
            "range_restriction",
            "warning",
            f"In {name}, {_names(rows)} varies less than in the reference: {worst['column']} has "
            f"{worst['sd_ratio']:.2f} of its standard deviation [{worst['ratio_low']:z.2f}, "
            f"{worst['ratio_high']:z.2f}], n {worst['n']}.",
            "Correlations are too small here; compare covariances, or correct for restricted "
            "range (Thorndike 1949, case 2) and say so.",
            _where(rows),
            {"sample": name} | {r["column"]: r["sd_ratio"] for r in rows},
        )


def _where(rows: _Rows) -> tuple[str, ...]:
    return tuple(str(row["column"]) for row in rows)


def _names(rows: _Rows) -> str:
    names = list(_where(rows))
    return ", ".join(names[:-1]) + (" and " if len(names) > 1 else "") + names[-1]


_BY_CHANCE = 0.01
"""A run is reported if fewer runs of its length are expected by chance in the whole sample."""

_FEWEST = 6
"""Smallest number of columns for judging runs of equal values."""


def row_table(
    name: str, sample: pd.DataFrame, points: Mapping[str, float] | None = None
) -> pd.DataFrame:
    """Return one row per person: `longest_run` of equal values along the columns, and
    `variability`.

    Values are compared as shares of the points if these are given, else directly. This requires
    that all columns have the same scale with more than two values; otherwise the table is empty.
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
    # Persons of high and low ability repeat values more often than the average person.
    usual = min(float(rate.mean() + 2 * rate.std()), 0.98)
    expected = x.size * usual ** (runs - 1)
    low, high = np.nanmin(x), np.nanmax(x)
    edge = (np.nanmin(x, axis=1) == np.nanmax(x, axis=1)) & ((x[:, 0] == low) | (x[:, 0] == high))
    flat = (runs >= _FEWEST) & (expected < _BY_CHANCE) & ~edge
    values = [name, list(sample.index), runs, np.nanstd(x, axis=1, ddof=1), flat]
    return pd.DataFrame(dict(zip(columns, values, strict=True)))


def row_findings(table: pd.DataFrame, columns: int) -> list[Diagnostic]:
    """Return diagnostics of straight-liners of one sample."""
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
    """Values on one scale; None if the columns have different scales, or are few."""
    x = sample.to_numpy(float)
    observed = np.isfinite(x)
    if x.shape[1] < _FEWEST or len(x) == 0 or not observed.any(axis=1).all():
        return None
    given = points is not None and all(str(c) in points for c in sample.columns)
    if points is not None and given:
        x = x / np.array([points[str(c)] for c in sample.columns])
    sets = [set(np.unique(np.round(column[np.isfinite(column)], 9))) for column in x.T]
    # Right and wrong are not response options: able examinees have long runs of right answers.
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
