"""Correlations of a table of scores, with what was left out and what limits their use.

Adequacy and exploratory factor analysis both use it, so they report the same about the same table.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.item_columns import item_column_findings

SINGULAR = 1e-10
"""A correlation matrix whose smallest eigenvalue is below this share of the largest is singular."""

NEARLY_ONE = 0.98
"""Two indicators that correlate more than this measure the same thing twice."""


@dataclass(frozen=True)
class Correlations:
    """A complete correlation matrix, and the sample from which it was computed.

    Parameters
    ----------
    matrix: indicators x indicators, names on both axes.
    n: persons (rows) behind every cell.
    singular: True if the matrix has no inverse.
    dropped: indicators that were left out because they do not vary.
    incomplete: rows left out because a cell was missing.
    diagnostics: limits to the use of the correlations, errors first.
    """

    matrix: pd.DataFrame
    n: int
    singular: bool
    dropped: tuple[str, ...]
    incomplete: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(str, self.matrix.columns))

    @property
    def values(self) -> NDArray[np.float64]:
        return self.matrix.to_numpy(float)


def correlate(scores: pd.DataFrame) -> Correlations:
    """Return Pearson correlations of a persons x indicators table, rows with a missing cell left
    out.

    Raises ParameterError if a column is not numeric or infinite, two columns share a name, or
    fewer than three complete rows or two varying columns are left.
    """
    _check_columns(scores)
    complete = scores.dropna()
    x = complete.to_numpy(float)
    if not np.isfinite(x).all():
        column = scores.columns[int(np.argmin(np.isfinite(x).all(axis=0)))]
        raise ParameterError(f"column {str(column)!r} holds an infinite value; correct the table")
    varies = np.ptp(x, axis=0) > 0 if len(x) else np.zeros(scores.shape[1], bool)
    if len(x) < 3 or varies.sum() < 2:
        gaps = len(x) < len(scores)
        advice = (
            "add columns on which the examinees differ" if len(x) >= 3
            else "leave out columns with missing cells, or add rows (examinees)" if gaps
            else "add rows (examinees)"
        )  # fmt: skip
        raise ParameterError(
            "correlations need at least 3 complete rows and 2 columns that vary, got "
            f"{len(x)} of {len(scores)} rows and {int(varies.sum())} of {len(varies)} columns; "
            f"{advice}"
        )
    dropped = tuple(str(name) for name in scores.columns[~varies])
    matrix = np.corrcoef(x[:, varies], rowvar=False)
    names = scores.columns[varies]
    diagnostics = [
        *item_column_findings(scores),
        *_left_out(scores, len(x), dropped),
        *_few_rows(len(x), len(names)),
    ]
    return _assessed(
        matrix, [str(name) for name in names], len(x), diagnostics, dropped, len(scores)
    )


def given_correlations(matrix: pd.DataFrame, n: int) -> Correlations:
    """Return a published correlation matrix (names on both axes) of `n` persons.

    Raises ParameterError if it is not a correlation matrix or `n` is below 3.
    """
    r = matrix.to_numpy(float)
    if r.ndim != 2 or r.shape[0] != r.shape[1] or r.shape[0] < 2:
        raise ParameterError(
            f"a correlation matrix must be square, not {' x '.join(map(str, r.shape))}"
        )
    if not np.isfinite(r).all() or np.abs(r - r.T).max() > 1e-8 or np.abs(r).max() > 1 + 1e-8:
        raise ParameterError("a correlation matrix must be symmetric, with values from -1 to 1")
    if np.abs(np.diag(r) - 1).max() > 1e-8:
        raise ParameterError(
            "the diagonal of a correlation matrix must be 1; divide by the standard deviations"
        )
    if n < 3:
        raise ParameterError(f"correlations need at least 3 persons, not n = {n}")
    names = [str(name) for name in matrix.columns]
    return _assessed((r + r.T) / 2, names, n, _few_rows(n, len(names)), (), n)


def _check_columns(scores: pd.DataFrame) -> None:
    twice = scores.columns[scores.columns.duplicated()]
    if len(twice):
        raise ParameterError(f"two columns are called {str(twice[0])!r}; give each its own name")
    for name, column in scores.items():
        if not (pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column)):
            raise ParameterError(f"column {str(name)!r} does not hold numbers; leave it out")


def _assessed(
    r: NDArray[np.float64],
    names: list[str],
    n: int,
    diagnostics: list[Diagnostic],
    dropped: tuple[str, ...],
    rows: int,
) -> Correlations:
    eigenvalues, vectors = np.linalg.eigh(r)
    singular = bool(eigenvalues[0] < SINGULAR * eigenvalues[-1])
    if singular:
        diagnostics = [*diagnostics, _singular(vectors[:, 0], names, n)]
    diagnostics = [*diagnostics, *_doubles(r, names)]
    matrix = pd.DataFrame(r, index=names, columns=names)
    return Correlations(matrix, n, singular, dropped, rows - n, by_severity(diagnostics))


def _left_out(scores: pd.DataFrame, n: int, dropped: tuple[str, ...]) -> list[Diagnostic]:
    diagnostics: list[Diagnostic] = []
    if n < len(scores):
        has, are = ("has", "is") if len(scores) - n == 1 else ("have", "are")
        missing = np.asarray(scores.isna().sum())
        worst = np.argsort(-missing, kind="stable")[: min(5, int((missing > 0).sum()))]
        diagnostics.append(
            Diagnostic(
                "incomplete_rows",
                "warning" if n < 0.9 * len(scores) else "note",
                f"{len(scores) - n} of {len(scores)} rows {has} a missing cell and {are} left out.",
                "Results hold for complete rows only. To use all rows, fit the factors with "
                '`gfactor analyze cfa --missing fiml` (gf.sem(..., missing="fiml")) and a line '
                'such as efa("all")*f1 + efa("all")*f2 =~ x1 + x2 + x3.',
                tuple(str(scores.columns[column]) for column in worst),
                {"rows": len(scores), "used": n},
            )
        )
    if dropped:
        diagnostics.append(
            Diagnostic(
                "constant_indicator",
                "warning",
                f"{', '.join(dropped)} {'does' if len(dropped) == 1 else 'do'} not vary over the "
                f"{n} rows and {'is' if len(dropped) == 1 else 'are'} left out.",
                "Everybody got the same score: choose harder or easier items.",
                dropped,
            )
        )
    return diagnostics


def _few_rows(n: int, k: int) -> list[Diagnostic]:
    if n >= 5 * k:
        return []
    return [
        Diagnostic(
            "few_persons",
            "warning",
            f"{n} persons for {k} indicators are {n / k:.1f} per indicator.",
            "Fewer than 5 per indicator (Gorsuch 1983) leave loadings to chance; collect more.",
            (),
            {"n": n, "k": k},
        )
    ]


def _singular(vector: NDArray[np.float64], names: list[str], n: int) -> Diagnostic:
    size = np.abs(vector)
    guilty = tuple(name for name, one in zip(names, size, strict=True) if one > 0.1 * size.max())
    if n <= len(names):
        sentence = (
            f"The correlation matrix of {len(names)} indicators has no inverse: {n} rows "
            "(examinees) are not more than the indicators."
        )
        remedy = f"Add examinees, to {len(names) + 1} or more, or leave out indicators."
    else:
        sentence = (
            f"The correlation matrix has no inverse: in these {n} rows each of "
            f"{', '.join(guilty)} follows exactly from the others."
        )
        remedy = "Leave out totals and copies of other columns, or add rows."
    return Diagnostic("singular_correlations", "error", sentence, remedy, guilty)


def _doubles(r: NDArray[np.float64], names: list[str]) -> list[Diagnostic]:
    pairs = np.argwhere(np.triu(np.abs(r) > NEARLY_ONE, 1))
    return [
        Diagnostic(
            "doubled_indicator",
            "warning",
            f"{names[i]} and {names[j]} correlate {r[i, j]:.4f}.",
            "They measure one thing twice; keep one of them.",
            (names[i], names[j]),
            {"correlation": float(r[i, j])},
        )
        for i, j in pairs
    ]
