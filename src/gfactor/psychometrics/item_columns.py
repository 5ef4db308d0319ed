"""Columns and cells that look like something else: an identifier, a code of missing answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic

PERSON_VARIABLES = frozenset({
    "id", "age", "sex", "gender", "ethnicity", "nationality", "birthyear", "yearofbirth",
})  # fmt: skip
"""Names of variables of persons, without spaces and signs, in lower case."""

MANY_VALUES = 8
"""Number of distinct values from which on a column may be unlike items with few."""

MISSING_CODES = (-9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0)
"""Numbers that data files often have in the place of a missing answer."""

_FAR = 3
"""Smallest factor by which such a number exceeds all other cells of its column."""


_EXCERPT = 40
"""Number of characters of a cell that a message quotes."""

_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
"""A number with a decimal comma."""


def columns_unlike_items(distinct: Mapping[str, int], persons: int) -> dict[str, str]:
    """Return the columns that do not look like items, with the reason as the end of a sentence.

    Parameters
    ----------
    distinct : mapping of column to int
        Number of distinct values per column, without missing ones.
    persons : int
        Number of rows of the table.

    Returns
    -------
    dict of column to str
        A column is named if it has the name of a variable of persons ("age", "id" ...), if its
        values in all rows differ, or if it has 8 values or more and more than twice as many as the
        median column.

    Examples
    --------
    >>> columns_unlike_items({"i1": 2, "i2": 2, "i3": 2, "Age": 13}, 400)
    {'Age': 'has the name of a variable of persons'}
    >>> columns_unlike_items({"i1": 2, "i2": 2, "i3": 2, "v4": 13}, 400)
    {'v4': 'has 13 distinct values, where the middle column has 2'}
    """
    reasons: dict[str, str] = {}
    usual = float(np.median(list(distinct.values()))) if distinct else 0.0
    for name, count in distinct.items():
        if _is_person_variable(name):
            reasons[name] = "has the name of a variable of persons"
        elif count < MANY_VALUES or count <= 2 * usual:
            continue
        elif count == persons:
            reasons[name] = "has a value of its own in every row, as an identifier has"
        else:
            reasons[name] = f"has {count} distinct values, where the middle column has {usual:g}"
    return reasons


def columns_of_persons(frame: pd.DataFrame) -> dict[str, str]:
    """Return the columns of a table that are not items, with the reason as the end of a sentence.

    Parameters
    ----------
    frame : DataFrame
        One row per person.

    Returns
    -------
    dict of column to str
        A column is named if all its cells are texts, if it has the name of a variable of persons,
        or if it is an identifier: every row has another whole number, while other columns have few
        values.

    Examples
    --------
    >>> table = pd.DataFrame({"i1": [1, 0, 1], "sex": ["f", "m", "f"], "Age": [31, 28, 40]})
    >>> columns_of_persons(table)
    {'sex': 'holds text', 'Age': 'has the name of a variable of persons'}
    """
    cells: Any = frame.apply(pd.to_numeric, errors="coerce")
    counts = {str(name): int(cells[name].nunique()) for name in cells}
    unlike = columns_unlike_items(counts, len(frame))
    reasons: dict[str, str] = {}
    for name in frame.columns:
        numbers = np.asarray(cells[name], dtype=float)
        if holds_text(frame[name]):
            reasons[name] = "holds text"
        elif name in unlike and (
            _is_person_variable(name)
            or (
                np.unique(numbers).size == len(frame) and bool((numbers == np.round(numbers)).all())
            )
        ):
            reasons[name] = unlike[name]
    return reasons


def numbers_of_persons(frame: pd.DataFrame) -> bool:
    """Return True if the first column has another whole number in every row, and is no item.

    Examples
    --------
    >>> table = pd.DataFrame({"number": range(30), "i1": [0, 1] * 15, "i2": [1, 1, 0] * 10})
    >>> numbers_of_persons(table), numbers_of_persons(table[["i1", "i2"]])
    (True, False)
    """
    if len(frame.columns) < 2 or not pd.api.types.is_numeric_dtype(frame.iloc[:, 0]):
        return False
    first: Any = frame.iloc[:, 0]
    numbers = np.asarray(first, dtype=float)
    whole = bool((numbers == np.round(numbers)).all()) and first.is_unique
    return whole and first.name in columns_of_persons(frame)


def holds_text(column: Any) -> bool:
    """Return True if no cell is a number, and most nonempty cells are not numbers with a decimal
    comma.

    Examples
    --------
    >>> [holds_text(pd.Series(cells)) for cells in (["f", "m"], ["2,5", "0,1"], ["2.5", "0,1"])]
    [True, False, False]
    """
    if pd.api.types.is_numeric_dtype(column):
        return False
    filled = [cell for cell in column.tolist() if not _is_empty(cell)]
    if not filled or any(_is_number(cell) for cell in filled):
        return False
    return 2 * sum(has_comma(cell) for cell in filled) <= len(filled)


def check_numbers(frame: pd.DataFrame, source: str) -> None:
    """Raise ParameterError if a column has mostly numbers and a cell that is not a number.

    A number with a decimal comma ("2,511") in a table with decimal points counts as such a cell.

    Examples
    --------
    >>> check_numbers(pd.DataFrame({"y": [1.5, 0.7, "2,5"]}), "scores")
    Traceback (most recent call last):
        ...
    gfactor.errors.ParameterError: scores, row 3, column 'y': '2,5' is not a number; write a
    decimal point in its place
    """
    for name, column in frame.items():
        if pd.api.types.is_numeric_dtype(column):
            continue
        cells = column.tolist()
        wrong = [(row, cell) for row, cell in enumerate(cells, 1)
                 if not (_is_empty(cell) or _is_number(cell))]  # fmt: skip
        filled = sum(not _is_empty(cell) for cell in cells)
        numbers = filled - sum(not has_comma(cell) for _, cell in wrong)
        if not wrong or 2 * numbers <= filled:
            continue
        row, cell = wrong[0]
        remedy = (
            "write a decimal point in its place" if has_comma(cell)
            else "leave the column out or fix the cell"
        )  # fmt: skip
        raise ParameterError(
            f"{source}, row {row}, column {str(name)!r}: {str(cell)[:_EXCERPT]!r} is not a number; "
            f"{remedy}"
        )


def _is_empty(cell: Any) -> bool:
    return bool(pd.api.types.is_scalar(cell) and pd.isna(cell)) or not str(cell).strip()


def _is_number(cell: Any) -> bool:
    try:
        float(cell)
    except (TypeError, ValueError):
        return False
    return True


def has_comma(cell: Any) -> bool:
    """Return True if a cell is a number with a decimal comma ("2,511")."""
    return bool(_COMMA.fullmatch(str(cell).strip()))


def _is_person_variable(name: str) -> bool:
    return re.sub(r"[\W_]+", "", name).lower() in PERSON_VARIABLES


def constant_items_diagnostic(
    items: Sequence[str], consequence: str, scores: Sequence[float] = ()
) -> Diagnostic:
    """Return the warning about items that all examinees answer in the same way.

    Parameters
    ----------
    items: their names, at least one.
    consequence: the consequence for such items, as the end of a sentence.
    scores: the score that everybody has on each item, if it is to be told (1 is all right, 0 all
        wrong, where items are right or wrong).

    Examples
    --------
    >>> print(constant_items_diagnostic(["a", "b"], "have no difficulty", [1, 0]).remedy)
    Everybody has the same score there (0 on 1, 1 on 1); such items have no difficulty.
    """
    listed = first_few(items)
    counts = sorted(Counter(score for score in scores if score == score).items())  # noqa: PLR0124
    score_list = ", ".join(f"{score:g} on {n}" for score, n in counts)
    return Diagnostic(
        "constant_items", "warning",
        f"{len(items)} items do not vary and were left out: {listed}."
        if len(items) > 1
        else f"1 item does not vary and was left out: {listed}.",
        f"Everybody has the same score there{f' ({score_list})' if score_list else ''}; such items "
        f"{consequence}.",
        tuple(items),
    )  # fmt: skip


def unlike_items_diagnostic(reasons: Mapping[str, str]) -> Diagnostic:
    """Return the warning that names columns which are used as items but do not look like items.

    Examples
    --------
    >>> print(unlike_items_diagnostic({"age": "has 13 distinct values"}).sentence)
    Columns that look like no item were taken for items: 'age' has 13 distinct values.
    """
    listed = first_few((f"{name!r} {reason}" for name, reason in reasons.items()), between="; ")
    return Diagnostic(
        "columns_unlike_items", "warning",
        f"Columns that look like no item were taken for items: {listed}.",
        "If they are no items, leave them out (--drop NAME; in Python, drop the columns), or give "
        "them as groups or covariates.",
        tuple(reasons),
    )  # fmt: skip


def item_column_findings(scores: pd.DataFrame) -> list[Diagnostic]:
    """Return the warnings about columns of numbers that are not items and about missing answers.

    Parameters
    ----------
    scores : DataFrame
        Numbers, one row per person, one column per item.

    Returns
    -------
    list of Diagnostic
        "columns_unlike_items" if a column has the name of a variable of persons or is an
        identifier, "missing_codes" if cells may be codes of missing answers.

    Examples
    --------
    >>> table = pd.DataFrame({"i1": [1, 0, 1], "i2": [0, 0, 1], "age": [31, 28, 40]})
    >>> [found.where for found in item_column_findings(table)]
    [('age',)]
    """
    unlike = columns_of_persons(scores)
    return [
        *([unlike_items_diagnostic(unlike)] if unlike else []),
        *missing_code_findings(scores.to_numpy(float), list(scores)),
    ]


def missing_codes(cells: NDArray[np.float64]) -> dict[float, NDArray[np.intp]]:
    """Return the usual codes of missing answers that occur in the cells, with their frequencies.

    Parameters
    ----------
    cells : array (n, k)
        One row per person, one column per variable; NaN if a cell is empty.

    Returns
    -------
    dict of float to array (k,)
        Number of cells of each column. A code counts in a column if it is more than three times as
        far from 0 as every other cell, or if it is the only number below 0.

    Examples
    --------
    >>> missing_codes(np.array([[1.0, -99.0], [-99.0, 0.0], [0.0, 1.0]]))
    {-99.0: array([1, 1])}
    """
    coded = np.isin(cells, MISSING_CODES)
    others = np.where(coded | np.isnan(cells), np.nan, cells)
    seen = ~np.isnan(others).all(axis=0)
    largest = np.where(np.isnan(others), -1.0, np.abs(others)).max(axis=0, initial=-1.0)
    lowest = np.where(np.isnan(others), np.inf, others).min(axis=0, initial=np.inf)
    far = coded & seen & ((np.abs(cells) > _FAR * largest) | ((cells < 0) & (lowest >= 0)))
    return {
        float(code): ((cells == code) & far).sum(axis=0) for code in np.unique(cells[far]).tolist()
    }


def missing_code_findings(
    cells: NDArray[np.float64], columns: Sequence[object]
) -> list[Diagnostic]:
    """Return the warning that some cells may be codes of missing answers, if there are such cells.

    Examples
    --------
    >>> found = missing_code_findings(np.array([[1.0, -99.0], [-99.0, 0.0]]), ["a", "b"])
    >>> print(found[0].sentence)
    2 cells are exactly -99, a usual code of missing answers (columns a, b).
    """
    codes = missing_codes(cells)
    if not codes:
        return []
    counts = {code: int(each.sum()) for code, each in codes.items()}
    listed = "; ".join(
        f"{count:,} cell{'s are' if count > 1 else ' is'} exactly {code:g}"
        for code, count in counts.items()
    )
    where = tuple(str(columns[int(k)]) for k in np.flatnonzero(sum(codes.values())))
    names = first_few(where)
    return [Diagnostic(
        "missing_codes", "warning",
        f"{listed}, a usual code of missing answers (column{'s' * (len(where) > 1)} {names}).",
        "If the answers are missing, empty these cells first (in pandas: "
        f"data.replace({next(iter(codes)):g}, numpy.nan)).",
        where,
        {f"{code:g}": count for code, count in counts.items()},
    )]  # fmt: skip
