"""Tables with a row per person: the names of rows, and columns that cannot be items."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pandas as pd

from gfactor.listing import first_few
from gfactor.psychometrics.given import as_frame, items_of_one_benchmark
from gfactor.psychometrics.item_columns import (
    check_numbers,
    columns_of_persons,
    holds_text,
    numbers_of_persons,
)
from gfactor.psychometrics.row_names import check_row_names, names_rows

Aside = Literal["texts", "persons", "nothing"]
"""Columns that are left out: those of text; those of text and others that describe persons;
none."""


def person_table(given: Any, what: str = "scores", aside: Aside = "texts") -> pd.DataFrame:
    """Return a table with a row per person, read as commands read the file of one.

    Parameters
    ----------
    given : DataFrame, result with `scores`, or array of two dimensions
        Table in any of the forms that a user can give.
    what : str
        Name of the parameter, for messages.
    aside : {"texts", "persons", "nothing"}
        Columns that are not items: those of text, or also variables of persons such as "age" and
        identifiers; none if answers may be texts.

    Returns
    -------
    DataFrame
        Rows without names are named by the first column, if it is a column of text that names each
        row. Columns that are not items are left out, with a note on standard error.

    Raises
    ------
    ParameterError
        If it is not a table, two rows have the same name, or a column with mostly numbers contains
        a text.

    Examples
    --------
    >>> table = pd.DataFrame({"person": ["p1", "p2"], "i1": [1, 0]})
    >>> person_table(table).loc["p2"].to_dict()
    {'i1': 0}
    """
    frame = as_frame(given, what)
    check_names(frame, what)
    if not len(frame.columns) or frame.columns.has_duplicates:
        return frame
    first: Any = frame.iloc[:, 0]
    if isinstance(frame.index, pd.RangeIndex) and first.is_unique:
        if aside == "persons" and numbers_of_persons(frame):
            sys.stderr.write(f"note: {what}: {named_by(first.name)}\n")
            frame = frame.set_index(first.name)
        elif holds_text(first):
            frame = frame.set_index(first.name)
    reasons: dict[str, str] = {}
    if aside == "texts":
        reasons = {name: "holds text" for name in frame.columns if holds_text(frame[name])}
    elif aside == "persons":
        reasons = columns_of_persons(frame)
    if len(reasons) == len(frame.columns):
        return frame
    if aside != "nothing":
        check_numbers(frame.drop(columns=list(reasons)), what)
    if not reasons:
        return frame
    sys.stderr.write(f"note: {what}: {left_out_columns(reasons)}\n")
    return frame.drop(columns=list(reasons))


def named_by(column: object) -> str:
    """Return in words that a column of numbers names the rows."""
    return f"the column {str(column)!r} names the persons, as its numbers are all different"


def left_out_columns(reasons: Mapping[str, str]) -> str:
    """Return in words which columns were left out, by the reason for each."""
    listed = first_few(f"{str(name)!r} {reason}" for name, reason in reasons.items())
    return f"left out, as they are not items: {listed}"


def person_items(
    given: Any, benchmark: str | None = None, what: str = "scores", aside: Aside = "texts"
) -> pd.DataFrame:
    """Return the items of one benchmark in a table of persons.

    The parameters are those of `person_table` and `items_of_one_benchmark`.
    """
    frame, table = as_frame(given, what), person_table(given, what, aside)
    # A result knows the benchmarks of its columns.
    return items_of_one_benchmark(given if table is frame else table, benchmark, what)


def check_names(frame: pd.DataFrame, what: str, used: Sequence[str | None] = ()) -> None:
    """Raise ParameterError if two rows of a table have the same name in the index or first column.

    Numbers are names only in a column or index with a suitable name ("id", "participant_id");
    columns that options use, such as a group or a cluster, do not contain names.
    """
    if frame.index.nlevels == 1:
        names = pd.Series(frame.index, index=frame.index, name=frame.index.name)
        if names_rows(names):
            check_row_names(frame, names, what, named=False)
    if not len(frame.columns) or frame.columns[0] in used:
        return
    if names_rows(first := frame.iloc[:, 0]):
        check_row_names(frame, first, what, named=False)
