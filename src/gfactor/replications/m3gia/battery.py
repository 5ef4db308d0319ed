"""The 18 question types of M3GIA, their points and factors, and the counts a user gives for them.

Source: Song et al. (2024), M3GIA, Table 3: 300 questions per language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.benchmarks.m3gia import factors
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.diagnostic import Diagnostic

Unit = Literal["auto", "counts", "shares", "percent"]


_CODES = (
    "General_Info", "Oral_Vocab", "Logo", "Visualization", "Pic_Recog", "RW_Spatial",
    "Readings_text", "Readings_VL", "Comic", "Math_Facts", "Algebra", "Geom", "Applied_Problem",
    "Number_Series", "Concept", "Raven", "Syllogism", "RW_Reason",
)  # fmt: skip
"""Names of the types in the authors' scripts, in the order of table 3."""

TYPES: Mapping[str, factors.QuestionType] = dict(zip(_CODES, factors.TYPES.values(), strict=True))
"""The 18 types by their names in the authors' scripts."""

INDICATORS: tuple[str, ...] = tuple(TYPES)
POINTS: NDArray[np.float64] = np.array([float(t.per_language) for t in TYPES.values()])
BROAD = ("Gf", "Gc", "Gq", "Grw", "Gv")

TOTAL = "total_acc"
"""A column with the total that some tables carry; it is checked, not used."""


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


_TITLES = {_plain(n): code for code, t in TYPES.items() for n in (code, t.name)} | {
    "reasoning": "RW_Reason",
    "realworldreason": "RW_Reason",
    "applicationproblem": "Applied_Problem",
    "visualisation": "Visualization",
    "ravenmatrices": "Raven",
    "logoproblems": "Logo",
}


_TOTALS = {_plain(TOTAL), "total"}


def indicator(name: str) -> str | None:
    """Return the indicator of a column's name ("General Information", "general_info").

    Return None for the total. Raises UnknownNameError (with the closest name) for other names.
    """
    plain = _plain(name)
    if plain in _TOTALS:
        return None
    if plain not in _TITLES:
        raise UnknownNameError("question type", name, (*INDICATORS, TOTAL))
    return _TITLES[plain]


@dataclass(frozen=True)
class Counts:
    """Correct answers by question type.

    Parameters
    ----------
    table: models x 18 indicators, in the order of `INDICATORS`, in points.
    unit: unit of the given values: "counts", "shares" or "percent".
    diagnostics: problems of the values that do not prevent their use.
    """

    table: pd.DataFrame
    unit: str
    diagnostics: tuple[Diagnostic, ...]

    @property
    def values(self) -> NDArray[np.float64]:
        return self.table.to_numpy(float)


def read_counts(given: pd.DataFrame, unit: Unit = "auto") -> Counts:
    """Read counts from a table with models in the index and question types in the columns.

    Columns may be in any order and named as in the paper or the authors' files; a column with the
    total is compared with the sum of the row. With the unit "auto", values are shares if none is
    above 1 (a note says so), and else counts.

    Raises UnknownNameError for a column that is no question type, and ParameterError if a column
    is missing or occurs twice, a cell is missing, or a value is impossible in its unit.
    """
    foreign = [str(c) for c in given.columns if _plain(str(c)) not in {*_TITLES, *_TOTALS}]
    if 2 * len(foreign) > len(given.columns):
        raise ParameterError(
            f"{len(foreign)} of {len(given.columns)} columns are not question types of M3GIA (the "
            f"first is {foreign[0]!r}), and GIA is computed from those alone; give right answers "
            "counted by question type (gfactor matrix JOURNAL --count of answers to M3GIA), or a "
            "table with its 18 question types as columns: " + ", ".join(INDICATORS)
        )
    named = {column: indicator(str(column)) for column in given.columns}
    columns = [c for c, name in named.items() if name]
    names = [named[c] for c in columns]
    missing = [name for name in INDICATORS if name not in names]
    if missing:
        raise ParameterError(
            f"the counts lack the question type {missing[0]!r}"
            + (f" and {len(missing) - 1} more" if len(missing) > 1 else "")
            + "; have the whole of M3GIA answered, all 18 types are needed: "
            + ", ".join(INDICATORS)
        )
    twice = [name for name in INDICATORS if names.count(name) > 1]
    if twice:
        raise ParameterError(f"the counts have the question type {twice[0]!r} twice")
    table = given.loc[:, columns].set_axis(names, axis=1).loc[:, list(INDICATORS)].astype(float)
    x = table.to_numpy(float)
    if len(x) == 0:
        raise ParameterError("the counts have no rows; give one per model")
    if not np.isfinite(x).all():
        row, column = np.argwhere(~np.isfinite(x))[0]
        raise ParameterError(
            f"the counts of {str(table.index[row])!r} lack a value for {INDICATORS[column]}; a "
            "score needs all 18"
        )
    taken = ("shares" if x.max() <= 1 else "counts") if unit == "auto" else unit
    x = x * {"counts": np.ones(18), "shares": POINTS, "percent": POINTS / 100}[taken]
    _check_range(table, x, taken)
    table = pd.DataFrame(x, index=table.index, columns=list(INDICATORS))
    diagnostics = [
        *_unit_note(unit, taken),
        *_total_findings(given, named, table, taken),
        *_fraction_findings(x, taken),
    ]
    return Counts(table, taken, tuple(diagnostics))


def broad_accuracies(counts: pd.DataFrame) -> pd.DataFrame:
    """Return the accuracy on each broad factor (paper, equation 1); a question counts for every
    factor that Table 3 marks for its type."""
    result = {}
    for factor in BROAD:
        types = [code for code, t in TYPES.items() if factor in t.broad]
        points = sum(TYPES[code].per_language for code in types)
        result[factor] = counts[types].to_numpy(float).sum(axis=1) / points
    return pd.DataFrame(result, index=counts.index)


def _check_range(given: pd.DataFrame, x: NDArray[np.float64], unit: str) -> None:
    bad = (x < 0) | (x > POINTS + 1e-6)
    if bad.any():
        row, column = np.argwhere(bad)[0]
        raise ParameterError(
            f"{given.to_numpy(float)[row, column]:g} is not a possible value of "
            f"{INDICATORS[column]} "
            f"in {unit} ({str(given.index[row])!r}; 0 to {POINTS[column]:g} points); choose the "
            "unit counts, shares or percent"
        )


def _unit_note(unit: str, taken: str) -> Iterable[Diagnostic]:
    if unit == "auto" and taken == "shares":
        yield Diagnostic(
            "unit_guessed",
            "note",
            "No value is above 1, so they were taken as shares of right answers.",
            "Give the unit if they are counts.",
        )


def _total_findings(
    given: pd.DataFrame, named: dict[object, str | None], table: pd.DataFrame, unit: str
) -> Iterable[Diagnostic]:
    totals = [column for column, name in named.items() if name is None]
    if not totals or unit != "counts":
        return
    difference = given[totals[0]].to_numpy(float) - table.to_numpy(float).sum(axis=1)
    off = np.flatnonzero(np.abs(difference) > 0.02)
    if len(off):
        yield Diagnostic(
            "total_is_not_the_sum",
            "warning",
            f"The column {str(totals[0])!r} is not the sum of the question types in {len(off)} of "
            f"{len(table)} rows (largest difference {np.abs(difference).max():.2f}).",
            "Sums of the question types are used; find out which of the two was edited.",
            tuple(str(table.index[row]) for row in off),
        )


def _fraction_findings(x: NDArray[np.float64], unit: str) -> Iterable[Diagnostic]:
    broken = np.abs(x - np.rint(x)) > 1e-9
    if unit == "counts" and broken.any():
        yield Diagnostic(
            "fractional_count",
            "note",
            f"{int(broken.sum())} of {x.size} counts are not whole numbers.",
            "They can only be means over occasions or rounded shares times points.",
            tuple(INDICATORS[c] for c in np.flatnonzero(broken.any(axis=0))),
        )
