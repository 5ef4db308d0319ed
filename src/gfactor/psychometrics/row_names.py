"""Names of the rows of a user's table: the column that has them, and the check for repeated
names."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.item_columns import has_comma

_IDS = {
    "id", "examinee", "person", "respondent", "subject", "participant", "model", "name", "case", "",
}  # fmt: skip
"""Names of a first column that names the rows, in lower case."""

_ENDS_IN_ID = re.compile(r"(?:[\W_]id|[a-z]I[Dd])$|[\W_]ID$")
"""Ends of such names: "participant_id", "Teilnehmer-ID", "subjectID"."""

_ITEMS = {"item", "items", "question", "task", "stimulus", "trial", "indicator", "variable"}
"""Names of the column of a long table that says which item a row is about, in lower case."""

_FEW_SCORES = 3
"""Largest number of numeric columns of a long table that vary within a person: score, seconds,
trial."""


def names_rows(column: pd.Series) -> bool:
    """Return True if the first column of a table names its rows, because of its name (id, person,
    model ...) or because most of its cells are texts.
    """
    name = str(column.name)
    if _is_id(name) or name.startswith("Unnamed"):
        return True
    filled = column.notna().to_numpy()
    numbers = np.asarray(pd.to_numeric(column, errors="coerce"), dtype=float)
    texts = np.isnan(numbers) & filled & ~np.array([has_comma(cell) for cell in column], bool)
    return bool(2 * texts.sum() > filled.sum())


def check_row_names(frame: pd.DataFrame, names: pd.Series, source: str, named: bool) -> None:
    """Check that no two rows of a table have the same name.

    Parameters
    ----------
    frame : DataFrame
        The rows that are analyzed, with all columns.
    names : Series
        Its column of names.
    source : str
        Name of the file, for messages.
    named : bool
        True if the user has said that this column names the rows.

    Raises
    ------
    ParameterError
        For a table with a row per answer (a long table), and for a name that several rows have. A
        column with few different texts, such as a group, does not name rows.
    """
    present: Any = names.dropna()
    repeated: Any = present[present.duplicated()]
    if repeated.empty:
        return
    item = _column_of_items(frame, names)
    if item is not None:
        raise ParameterError(
            f"{source!r} has a row for each {names.name!r} and {item!r} (a long table); make it a "
            f"table with a row for each {names.name!r} first, in pandas: "
            f"data.pivot(index={names.name!r}, columns={item!r}, values=SCORE).to_csv(...)"
        )
    if not named and not _is_id(str(names.name)) and 2 * present.nunique() < len(present):
        return  # a group, not a name
    several = repeated.nunique()
    others = f", and so {several - 1} more" if several > 1 else ""
    column = "" if names.name is None else f" (column {names.name!r})"
    raise ParameterError(
        f"{source!r} has the row {str(repeated.iloc[0])!r} twice{others}{column}; keep one row for "
        "each name"
    )


def _is_id(name: str) -> bool:
    return name.lower() in _IDS or _ENDS_IN_ID.search(name) is not None


def _column_of_items(frame: pd.DataFrame, names: pd.Series) -> str | None:
    """Return the column that says which item a row is about, if a row is one answer of a person."""
    size, persons = len(frame), names.nunique()
    if size < 2 * persons:
        return None
    others = [column for column in frame.columns if column != names.name]
    for column in sorted(others, key=lambda one: str(one).lower() not in _ITEMS):
        cells: Any = frame[column]
        called = str(column).lower() in _ITEMS
        if cells.is_unique or (not called and pd.api.types.is_numeric_dtype(cells)):
            continue
        crossed = 2 * size >= persons * cells.nunique()
        if crossed and not pd.DataFrame({"name": names, "item": cells}).duplicated().any():
            rest = frame[[one for one in others if one != column]].select_dtypes("number")
            within = rest.groupby(names.to_numpy()).nunique().max()
            if int((within > 1).sum()) <= _FEW_SCORES:
                return str(column)
    return None
