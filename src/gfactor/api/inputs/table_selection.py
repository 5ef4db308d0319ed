"""Rows and columns of a user's table that an analysis takes."""

from __future__ import annotations

import fnmatch
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
import pandas as pd

from gfactor.api.inputs.matrix_files import read_scores, read_table, with_row_names
from gfactor.api.inputs.progress_bars import tell
from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.given import as_frame
from gfactor.psychometrics.item_columns import (
    columns_of_persons,
    columns_unlike_items,
    unlike_items_diagnostic,
)
from gfactor.psychometrics.person_tables import check_names, left_out_columns
from gfactor.psychometrics.row_names import check_row_names, names_rows

_CONDITION = re.compile(r"^(?P<column>.+?)\s*(?P<sign>!=|<=|>=|==|=|<|>)\s*(?P<value>.*)$")
_ORDERS: dict[str, Callable[[Any, float], Any]] = {
    "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
}  # fmt: skip


class TableOptions(TypedDict, total=False):
    """Options of functions that analyze a user's table: its rows and columns.

    Parameters
    ----------
    columns : str, optional
        Columns to analyze, separated by commas: names, patterns ("item*") or ranges ("x1:x9"). By
        default all columns.
    drop : str, optional
        Columns to leave out, separated by commas: names, patterns ("item*") or ranges ("x1:x9").
    identifier : str, optional
        Column that names the rows.
    where : list of str
        Conditions that rows must meet, such as "country=DE" or "age>=18".
    """

    columns: str | None
    drop: str | None
    identifier: str | None
    where: Sequence[str]


@dataclass(frozen=True)
class TableSelection:
    """Rows and columns of a table, as `TableOptions` describes them."""

    columns: str = ""
    drop: str = ""
    identifier: str | None = None
    where: tuple[str, ...] = ()

    def of(self, frame: pd.DataFrame, source: str, keep: Sequence[str] = ()) -> pd.DataFrame:
        """Return the selected rows and columns.

        Parameters
        ----------
        frame : DataFrame
            The whole table.
        source : str
            Name of the file, for messages.
        keep : sequence of str
            Columns that another option names: they stay whatever `columns` says.

        Returns
        -------
        DataFrame
            Rows are named by the identifier if there is one, or by a first column that names each
            row and is not chosen. Columns of conditions are left out unless `columns` or `keep`
            names them.

        Raises
        ------
        UnknownNameError, ParameterError
            For a column that is not there, a condition that cannot be read, a name of several rows
            (`check_row_names`), and a selection without rows or columns.
        """
        table: Any = frame.set_axis(frame.columns.map(str), axis=1)
        names = [str(name) for name in table.columns]
        used = [_condition(text)[0] for text in self.where]
        rows = self.rows(table, source)
        chosen = (
            named_columns(self.columns, names)
            if self.columns
            else [n for n in names if n not in used]
        )
        dropped = set(named_columns(self.drop, names)) if self.drop else set()
        extra = [n for n in keep if n in names and n not in chosen]
        chosen = [n for n in [*chosen, *extra] if n not in dropped or n in keep]
        if self.identifier is not None:
            if self.identifier not in names:
                raise UnknownNameError("column", self.identifier, names)
            chosen = [name for name in chosen if name != self.identifier]
            check_row_names(table[rows], table[self.identifier][rows], source, named=True)
            table = table.set_axis(pd.Index(table[self.identifier]), axis=0)
        elif names_rows(first := table[names[0]]):
            if names[0] not in dropped and names[0] not in keep:  # A cluster has several rows.
                check_row_names(table[rows], first[rows], source, named=False)
            if names[0] not in chosen and first.is_unique:
                table = table.set_axis(pd.Index(first), axis=0)
        if not chosen:
            raise ParameterError(f"the selection leaves no column of {source!r}")
        return table.loc[rows, chosen]

    def rows(self, frame: pd.DataFrame, source: str) -> np.ndarray:
        """Return which rows of a table meet all conditions, as an array of booleans."""
        rows = np.ones(len(frame), bool)
        for text in self.where:
            rows &= _meets(frame, text)
        if not rows.any() and len(frame):
            raise ParameterError(f"{source!r} has no row with {' and '.join(self.where)}")
        return rows


EVERYTHING = TableSelection()
"""All rows and columns."""


def selection_of(options: Mapping[str, Any], others: Sequence[str] = ()) -> TableSelection:
    """Return the selection of rows and columns that options (`TableOptions`) describe.

    Raises UnknownNameError for an option that there is not, and suggests the closest one among them
    and the `others` that the function has.
    """
    names = TableOptions.__annotations__
    for name in options:
        if name not in names:
            raise UnknownNameError("option", name, (*names, *others))
    given = {name: value for name, value in options.items() if value}
    if "where" in given:
        conditions = given["where"]
        given["where"] = (conditions,) if isinstance(conditions, str) else tuple(conditions)
    return TableSelection(**given)


def selected_table(
    data: Any, options: Mapping[str, Any], keep: Sequence[str] = ()
) -> tuple[pd.DataFrame, str]:
    """Return the selected part of a table, or of the file of one, and the name of the file.

    Rows of a file are named by its first column if that holds text, else they are numbered from 1.
    The name is "" for a table that is no file.
    """
    selection = selection_of(options, ("group",))
    if not isinstance(data, str | Path):
        frame = as_frame(data, "data")
        if selection == EVERYTHING:
            check_names(frame, "data", keep)
            return frame, ""
        return selection.of(frame, "data", keep), ""
    chosen = selection.of(read_table(Path(data)), str(data), keep)
    return _with_row_names(chosen), str(data)


def _with_row_names(table: pd.DataFrame) -> pd.DataFrame:
    """Name rows that have no names by the first column if it holds text, else number them from 1.

    Raises ParameterError for a table without rows.
    """
    if table.empty:
        raise ParameterError("the table has no rows; give one row per case")
    first = table.columns[0]
    if table.index.name is not None:
        return table
    if len(table.columns) > 1 and not pd.api.types.is_numeric_dtype(table[first]):
        return table.set_index(first, drop=False)
    return table.set_axis(pd.RangeIndex(1, len(table) + 1), axis=0)


def named_columns(text: str, names: Sequence[str]) -> list[str]:
    """Return the columns that a list of names, patterns and ranges stands for."""
    if text in names:
        return [text]
    chosen: list[str] = []
    for part in filter(None, (one.strip() for one in text.split(","))):
        first, colon, last = part.partition(":")
        if part in names:
            matches = [part]
        elif colon and first in names and last in names:
            start, stop = sorted((names.index(first), names.index(last)))
            matches = list(names[start : stop + 1])
        else:
            matches = [name for name in names if fnmatch.fnmatchcase(name, part)]
        if not matches:
            first, _, last = part.rpartition("-")
            if first in names and last in names:
                raise ParameterError(f"a range of columns has a colon: write {first}:{last}")
            raise UnknownNameError("column", part, names)
        chosen += [name for name in matches if name not in chosen]
    return chosen


def _condition(text: str) -> tuple[str, str, str]:
    match = _CONDITION.match(text.strip())
    if match is None:
        raise ParameterError(
            f"--where {text!r} is not a condition; write COLUMN=VALUE, or !=, <, <=, >, >= for ="
        )
    return match["column"].strip(), match["sign"], match["value"].strip()


def _meets(frame: pd.DataFrame, text: str) -> np.ndarray:
    """Return which rows meet a condition; a row without a value meets none."""
    column, sign, value = _condition(text)
    if column not in frame.columns:
        raise UnknownNameError("column", column, list(frame.columns))
    cells = frame[column]
    numbers = np.asarray(pd.to_numeric(cells, errors="coerce"), float)
    try:
        number = float(value)
    except ValueError:
        number = float("nan")
    if sign in _ORDERS:
        if math.isnan(number):
            raise ParameterError(f"--where {text!r}: {value!r} is not a number to compare with")
        return np.asarray(_ORDERS[sign](numbers, number), bool)
    equal = (numbers == number) | (cells.astype(str).to_numpy() == value)
    there = cells.notna().to_numpy()
    return there & (~equal if sign == "!=" else equal)


def without_columns_of_persons(
    frame: pd.DataFrame, source: str, used: Sequence[str] = ()
) -> pd.DataFrame:
    """Remove columns that hold no items, and print their names and the reasons on standard error.

    Parameters
    ----------
    frame : DataFrame
        One row per person.
    source : str
        Name of the file, for the note.
    used : sequence of str
        Columns that an option names; they stay.

    Returns
    -------
    DataFrame
        The table without columns of text, with the name of a variable of persons ("age"), or with
        a whole number of its own in every row. If no other column is there, they stay.
    """
    others = frame.drop(columns=[name for name in frame.columns if name in used])
    reasons = columns_of_persons(others)
    if not reasons or len(reasons) == len(others.columns):
        return frame
    tell(f"note: {source}: {left_out_columns(reasons)}. --columns takes columns whatever they hold")
    return frame.drop(columns=list(reasons))


def item_scores(table: pd.DataFrame, path: Path, selection: TableSelection) -> pd.DataFrame:
    """Return the selected part of a table as scores of items; doubtful columns are named on
    standard error."""
    named = with_row_names(table)
    if not selection.columns and len(named):
        named = without_columns_of_persons(named, str(path))
    scores = read_scores(path, named)
    distinct = {str(name): int(count) for name, count in scores.nunique().items()}
    unlike = {} if selection.columns else columns_unlike_items(distinct, len(scores))
    if unlike:
        tell(f"warning: {path}: {unlike_items_diagnostic(unlike).sentence} Leave them out: --drop.")
    return scores


def scores_by_group(
    path: Path, selection: TableSelection, group: str | None, keep: Sequence[str] = ()
) -> Iterator[tuple[str | None, pd.DataFrame]]:
    """Yield the selected scores of every group, or of all rows (with None) without a group.

    Columns that hold no items are left out, and doubtful columns are named on standard error.
    Columns to keep come last, unchanged. Raises UnknownNameError if there is no such column.
    """
    table = read_table(path)
    table = table.set_axis(table.columns.map(str), axis=1)
    no_items = [*keep, *([] if group is None else [group])]
    for name in no_items:
        if name not in table.columns:
            raise UnknownNameError("column", name, list(table.columns))
    selected = selection.of(table, str(path), keep)
    items = selected.drop(columns=no_items, errors="ignore")
    if items.columns.empty:
        raise ParameterError(
            f"the selection leaves no column of {str(path)!r} but {', '.join(map(repr, no_items))}"
        )
    scores = item_scores(items, path, selection)
    if keep:
        described = selected.reindex(columns=list(keep)).set_axis(scores.index, axis=0)
        scores = pd.concat([scores, described], axis=1)
    if group is None:
        yield None, scores
        return
    groups = table[group].to_numpy()[selection.rows(table, str(path))]
    for value in sorted(pd.unique(groups[pd.notna(groups)]).tolist(), key=str):
        yield str(value), scores.loc[groups == value]
