"""Tables of right and wrong answers in the place of a journal: their items, rows and persons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.administration.storing.marked_people import PERSON
from gfactor.api.inputs.matrix_files import TABLE_OF_ANSWERS, read_table
from gfactor.api.inputs.table_selection import EVERYTHING, TableSelection, item_scores, selection_of
from gfactor.api.inputs.taking import JournalLike, is_answers_file
from gfactor.errors import ParameterError
from gfactor.psychometrics.given import as_frame, holds_scores
from gfactor.psychometrics.person_tables import person_table


def answers_selected(journal: JournalLike, options: Mapping[str, Any]) -> Any:
    """Return the selected part of a table of answers; a journal is returned unchanged.

    Raises ParameterError if rows or columns of a journal are selected.
    """
    selection = selection_of(options)
    if selection == EVERYTHING:
        return journal
    if holds_scores(journal):
        return selection.of(as_frame(journal, TABLE_OF_ANSWERS), TABLE_OF_ANSWERS)
    if not is_answers_file(journal):
        raise ParameterError(
            "--columns, --drop, --id and --where are for tables of answers; choose examinees of a "
            "journal with --examinee and a condition with --condition"
        )
    return _items(Path(str(journal)), selection)[0]


def people_of_tables(
    given: Sequence[JournalLike], options: Mapping[str, Any]
) -> tuple[list[JournalLike], list[pd.DataFrame]]:
    """Take the rows of tables as people.

    Parameters
    ----------
    given : sequence of Journal, table or path
        People as they were given; journals stay as they are.
    options : mapping
        Rows and columns of the tables (`TableOptions`).

    Returns
    -------
    tuple of list and list of DataFrame
        The same, with tables whose rows are called person:NAME; and the columns of these tables
        that are no items, by person.
    """
    people: list[Any] = []
    described: list[pd.DataFrame] = []
    selection = selection_of(options)
    for one in given:
        if isinstance(one, pd.DataFrame):
            frame = answers_selected(one, options)
            items = person_table(frame, TABLE_OF_ANSWERS, "persons")
            others = frame.drop(columns=list(items.columns))
            people.append(items.set_axis(_persons(items.index), axis=0))
            described.append(others.set_axis(_persons(items.index), axis=0).astype(object))
        elif is_answers_file(one):
            items, others = _items(Path(str(one)), selection)
            people.append(items.set_axis(_persons(items.index), axis=0))
            described.append(others.set_axis(_persons(items.index), axis=0).astype(object))
        else:
            people.append(answers_selected(one, options))
    return people, described


def _items(path: Path, selection: TableSelection) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the items of a file, and its other columns, row by row."""
    table = read_table(path)
    table = table.set_axis(table.columns.map(str), axis=1)
    items = item_scores(selection.of(table, str(path)), path, selection)
    others = table.loc[selection.rows(table, str(path))].drop(columns=list(items.columns))
    return items, others.set_axis(items.index, axis=0)


def _persons(names: pd.Index) -> pd.Index:
    """Return the names of people; those that name another kind of examinee stay."""
    texts = [str(name) for name in names]
    return pd.Index([name if ":" in name else f"{PERSON}{name}" for name in texts])
