"""Responses of persons to items, read from a table and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.score_coding import category_findings, same_answers
from gfactor.psychometrics.item_columns import (
    columns_unlike_items,
    constant_items_diagnostic,
    missing_code_findings,
    unlike_items_diagnostic,
)

MAX_CATEGORIES = 25
"""An item with more distinct scores is a continuous measure and has no categories."""

_LISTED = 9
"""Columns that an advice names."""


@dataclass(frozen=True)
class ResponseTable:
    """Coded responses with the names of their rows and columns.

    Parameters
    ----------
    codes : integer array (P, J)
        Category of every response from 0, -1 if missing.
    persons : Index
        Names of rows, as they are in the data.
    items : tuple of str
        Names of columns.
    scores : tuple of tuples of float
        Per item the score that each category stands for, ascending.
    left_out : tuple of str
        Columns that do not vary, which carry no information on their parameters.
    """

    codes: NDArray[np.int16]
    persons: pd.Index
    items: tuple[str, ...]
    scores: tuple[tuple[float, ...], ...]
    left_out: tuple[str, ...]

    @property
    def categories(self) -> NDArray[np.intp]:
        """Categories per item, (J,)."""
        return np.array([len(values) for values in self.scores])

    def points(self) -> Floats:
        """Return the given scores (P, J), NaN if missing."""
        points = np.full(self.codes.shape, np.nan)
        for j, values in enumerate(self.scores):
            seen = self.codes[:, j] >= 0
            points[seen, j] = np.asarray(values)[self.codes[seen, j]]
        return points


def read_responses(
    data: pd.DataFrame | NDArray[Any], categories: Sequence[float] | None = None
) -> tuple[ResponseTable, list[Diagnostic]]:
    """Code a persons x items table.

    Parameters
    ----------
    data : DataFrame or array (P, J)
        One row per person, one column per item; numbers, missing where an item was not asked.
    categories : sequence of float or None
        Possible scores of every item. Scores that nobody has then count as categories too, and
        items that do not vary are kept.

    Returns
    -------
    ResponseTable
        Items that vary. Persons without any response are kept; they add nothing.
    list of Diagnostic
        Findings about columns that were left out or are suspicious.

    Raises
    ------
    ParameterError
        If a cell is a text, an item has more than 25 distinct scores, names repeat, or fewer than
        two persons or items remain.
    """
    frame = data if isinstance(data, pd.DataFrame) else pd.DataFrame(np.asarray(data))
    frame = frame.set_axis([str(c) for c in frame.columns], axis=1)
    _named_once(frame.columns)
    codes, scores, varying, left_out, constants = [], [], [], [], []
    cells = _numbers(frame)
    for j, name in enumerate(frame.columns):
        column = cells[:, j]
        seen = ~np.isnan(column)
        values = np.unique(column[seen])
        if categories is not None:
            values = np.union1d(values, np.asarray(categories, float))
        if len(values) > MAX_CATEGORIES:
            raise ParameterError(
                f"item {name!r} has {len(values)} distinct scores; an item response model takes "
                f"at most {MAX_CATEGORIES} categories: round the scores, or use a factor model; "
                f"{_leave_out(frame)}"
            )
        if len(values) < 2:
            left_out.append(name)
            constants.append(float(values[0]) if len(values) else float("nan"))
            continue
        coded = np.full(len(column), -1, np.int16)
        coded[seen] = np.searchsorted(values, column[seen])
        codes.append(coded)
        scores.append(tuple(map(float, values)))
        varying.append(name)
    if len(frame) < 2:
        raise ParameterError(
            f"an item response model needs at least two persons with responses, got {len(frame)}; "
            "have others answer the same items"
        )
    if len(varying) < 2:
        raise ParameterError(
            f"an item response model needs at least two items that vary, got {len(varying)} of "
            f"{frame.shape[1]} (an item that everybody solves, or nobody, says nothing); add "
            "respondents of other ability, or easier and harder items"
        )
    table = ResponseTable(
        np.column_stack(codes), _persons(frame.index), tuple(varying), tuple(scores),
        tuple(left_out),
    )  # fmt: skip
    return table, [*missing_code_findings(cells, list(frame)), *_findings(table, constants)]


def _persons(names: pd.Index) -> pd.Index:
    """The names of rows, called examinees unless they are of several levels."""
    return names if names.nlevels > 1 else names.rename("examinee")


def _named_once(names: Sequence[str]) -> None:
    twice = pd.Index(names)[pd.Index(names).duplicated()]
    if len(twice):
        raise ParameterError(f"two columns are named {twice[0]!r}; give every item its own name")


def _numbers(frame: pd.DataFrame) -> Floats:
    """All cells as numbers (P, J), NaN if empty."""
    if all(
        kind.kind in "iufb" for kind in frame.dtypes.unique() if isinstance(kind, np.dtype)
    ) and (all(isinstance(kind, np.dtype) for kind in frame.dtypes.unique())):
        numbers = frame.to_numpy(np.float64)
    else:
        columns = [_column(frame, name) for name in frame.columns]
        numbers = np.column_stack(columns) if columns else np.empty((len(frame), 0))
    if np.isinf(numbers).any():
        row, j = np.argwhere(np.isinf(numbers))[0]
        raise ParameterError(
            f"item {frame.columns[j]!r}, row {_name(frame, row)}: the score is infinite"
        )
    return numbers


def _column(frame: pd.DataFrame, name: str) -> Floats:
    column = frame[name]
    numbers = np.asarray(pd.to_numeric(column, errors="coerce"), dtype=np.float64)
    bad = np.isnan(numbers) & column.notna().to_numpy()
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        remedy = f"; {_leave_out(frame)}" if _is_no_item(column) else ""
        raise ParameterError(
            f"item {name!r}, row {_name(frame, row)}: {column.iloc[row]!r} is not a number; "
            f"scores are numbers, and empty if an item was not asked{remedy}"
        )
    return numbers


def _name(frame: pd.DataFrame, row: int) -> str:
    """The name of a row; numbers as Python writes them, not as numpy does."""
    label = frame.index[row]
    return repr(label) if isinstance(label, str) else str(label)


def _is_no_item(column: Any) -> bool:
    """Return True for a column that is mostly text, or has more values than an item has scores."""
    numbers = np.asarray(pd.to_numeric(column, errors="coerce"), dtype=np.float64)
    answered = np.asarray(column.notna(), bool)
    texts = np.isnan(numbers) & answered
    values = np.unique(numbers[~np.isnan(numbers)])
    return bool(2 * texts.sum() > answered.sum() or len(values) > MAX_CATEGORIES)


def _leave_out(frame: pd.DataFrame) -> str:
    """Return a sentence on how to leave out all columns that are not items."""
    names = [name for name in frame.columns if _is_no_item(frame[name])]
    quoted = " and ".join(map(repr, names[:2])) + (" ..." if len(names) > 2 else "")
    one = len(names) == 1
    left = len(names) - _LISTED
    more = f" and {left} more" if left > 0 else ""
    return (
        f"if {quoted} {'is not an item' if one else 'are no items'}, leave "
        f"{'it' if one else 'them'} out (--drop {','.join(names[:_LISTED])}{more}; in Python, drop "
        f"the {'column' if one else 'columns'})"
    )


def _findings(table: ResponseTable, constants: Sequence[float]) -> list[Diagnostic]:
    diagnostics = []
    if table.left_out:
        diagnostics.append(
            constant_items_diagnostic(table.left_out, "have no difficulty on this scale", constants)
        )
    distinct = dict(zip(table.items, map(len, table.scores), strict=True))
    unlike = columns_unlike_items(distinct, len(table.codes))
    if unlike:
        diagnostics.append(unlike_items_diagnostic(unlike))
    diagnostics += category_findings(table.codes, table.items, table.scores)
    diagnostics += same_answers(table.codes, table.items)
    answered = (table.codes >= 0).any(axis=1)
    top = ((table.codes == table.categories - 1) | (table.codes < 0)).all(axis=1) & answered
    bottom = (table.codes <= 0).all(axis=1) & answered
    if top.any() or bottom.any():
        diagnostics.append(
            extreme_persons(
                int(top.sum()), int(bottom.sum()), len(table.codes), bool(table.left_out)
            )
        )
    empty = int((table.codes < 0).all(axis=1).sum())
    if empty:
        diagnostics.append(
            Diagnostic(
                "persons_without_responses", "note",
                f"There is no response at all of {empty} of {len(table.codes)} persons.",
                "They add nothing to the fit; their score is the population's.",
            )
        )  # fmt: skip
    return diagnostics


def extreme_persons(right: int, none: int, persons: int, left_out: bool) -> Diagnostic:
    """Return the note on persons who have every item right, or none.

    Parameters
    ----------
    right, none : int
        Persons with every item right, and with none right.
    persons : int
        Persons in all.
    left_out : bool
        True if items were left out of the fit.
    """
    every = "every item that was not left out" if left_out else "every item"
    return Diagnostic(
        "extreme_persons", "note",
        f"{right} of {persons} persons have {every} right, and {none} have none right.",
        "Their maximum likelihood scores are infinite; EAP, MAP and WLE are not.",
        values={"all": right, "none": none, "persons": persons},
    )  # fmt: skip


def per_item(given: Mapping[str, Any] | Any, items: Sequence[str], what: str) -> list[Any]:
    """Return one value per item, from a mapping by item or a value for all.

    Raises ParameterError if a mapping lacks an item or names an unknown one.
    """
    if not isinstance(given, Mapping):
        return [given] * len(items)
    names = set(items)
    for name in given:
        if name not in names:
            raise ParameterError(f"{what}: there is no item {name!r} in the data")
    lacking = [name for name in items if name not in given]
    if lacking:
        raise ParameterError(f"{what}: item {lacking[0]!r} is not named ({len(lacking)} lacking)")
    return [given[name] for name in items]
