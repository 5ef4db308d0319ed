"""Columns of a table as numbers: errors name a value that is not a number, with its row."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from numbers import Number
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.listing import first_few

_LISTED = 12
_SMALL = 50_000
"""Largest number of cells of a table that is made an array before its types are checked."""


def named_columns(data: Any) -> pd.DataFrame:
    """Return the table with column names as text, as in models.

    Raises ParameterError for anything but a DataFrame with one row of names.
    """
    if not isinstance(data, pd.DataFrame):
        raise ParameterError(
            f"the data are a {type(data).__name__}; give a pandas DataFrame with a column per "
            "variable."
        )
    if isinstance(data.columns, pd.MultiIndex):
        raise ParameterError(
            "the data's columns have names in several levels; give every column one name."
        )
    text = isinstance(data.columns.dtype, pd.StringDtype) and not data.columns.hasnans
    if text or all(isinstance(name, str) for name in data.columns):
        return data
    return data.set_axis([str(name) for name in data.columns], axis=1)


def single_column(data: pd.DataFrame, name: str) -> pd.Series:
    """Return a column by its name; raise ParameterError if the data have it twice."""
    column = data[name]
    if isinstance(column, pd.DataFrame):
        raise ParameterError(
            f"the data have {column.shape[1]} columns called {name!r}; rename them or keep one."
        )
    return column


def column_numbers(data: pd.DataFrame, name: str) -> np.ndarray:
    """Return a column as floats, NaN if a value is missing; true and false are 1 and 0.

    Raises ParameterError for text, dates, complex and infinite numbers, with row (from 1) and
    value.
    """
    column = single_column(data, name)
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(column.cat.categories.dtype)
    kind = column.dtype.kind
    if kind in "fiub":
        values = column.to_numpy(dtype=float, na_value=np.nan)
    elif kind == "O" or isinstance(column.dtype, pd.StringDtype):
        values = _of_objects(column, name)
    else:
        raise ParameterError(
            f"the column {name!r} holds values of type {column.dtype}; give real numbers, or leave "
            "the variable out of the model."
        )
    endless = np.flatnonzero(np.isinf(values))
    if len(endless):
        raise ParameterError(
            f"the column {name!r} has an infinite value in row {endless[0] + 1}; replace it by a "
            "missing one or fix it."
        )
    return values


def _of_objects(column: pd.Series, name: str) -> np.ndarray:
    values = np.full(len(column), np.nan)
    texts: list[tuple[int, object]] = []
    for row, cell in enumerate(column.tolist()):
        if cell is None or cell is pd.NA or cell is pd.NaT:
            continue
        if isinstance(cell, Number) and not isinstance(cell, complex):
            values[row] = float(cell)  # type: ignore[arg-type]
        else:
            texts.append((row, cell))
    if texts:
        # One word among numbers turns a file's whole column into texts; the word is the cell to
        # fix.
        words = [(row, cell) for row, cell in texts if not _is_number(cell)]
        row, cell = (words or texts)[0]
        raise ParameterError(
            f"the column {name!r} is not numeric: row {row + 1} has {str(cell)[:40]!r}"
            + (
                "; fix the cell, or number the categories in their order."
                if words
                else ", a number written as text; convert the column with pandas.to_numeric."
            )
        )
    return values


def _is_number(cell: object) -> bool:
    try:
        float(str(cell))
    except ValueError:
        return False
    return True


def absent(name: str, data: pd.DataFrame) -> ParameterError:
    """Return the error for a variable that is not a column."""
    if not len(data.columns):
        return ParameterError(
            f"the model's variable {name!r} is not a column of the data, which have no columns."
        )
    return ParameterError(
        f"the model's variable {name!r} is not a column of the data; the data have "
        f"{first_few(data.columns, _LISTED)}; "
        f"a latent variable needs indicators of its own ({name} =~ ...)."
    )


def numbers(data: pd.DataFrame, variables: Sequence[str]) -> np.ndarray:
    """Return the columns `variables` as floats, shape (n, variables), see `column_numbers`.

    Raises ParameterError for a variable that is not a column, too.
    """
    names = data.columns.tolist()
    place_of = {name: column for column, name in enumerate(names)}
    few = len(names) <= 3 * len(variables) and len(place_of) == len(names)
    if few and (data.size <= _SMALL or all(kind == "float64" for kind in data.dtypes)):
        # Converting column by column in pandas takes longer than the whole search of a small model.
        columns = [place_of[name] for name in variables if name in place_of]
        whole = data.to_numpy()
        if len(columns) == len(variables) and whole.dtype.kind in "fiub":
            values = whole[:, columns].astype(float, copy=False)
            if not np.isinf(values).any():
                return values
    out = np.empty((len(data), len(variables)))
    for column, name in enumerate(variables):
        out[:, column] = column_numbers(data, name) if name in place_of else _product(data, name)
    return out


def factors_of(name: str, columns: Collection[str]) -> tuple[str, ...]:
    """Return the columns from which a variable is computed: its own, or x and z for the product
    "x:z".

    An existing column with a colon in its name is used itself.
    """
    first, colon, second = name.partition(":")
    return (first, second) if colon and name not in columns else (name,)


def _product(data: pd.DataFrame, name: str) -> np.ndarray:
    """The product of two columns by its name, "x:z"; ParameterError if one of them is missing."""
    names = factors_of(name, data.columns)
    if len(names) == 1:
        raise absent(name, data)
    for one in names:
        if one not in data.columns:
            raise ParameterError(
                f"the product {name!r} needs the column {one!r}, which the data do not have; "
                "products are of observed variables."
            )
    return column_numbers(data, names[0]) * column_numbers(data, names[1])


def refuse_shared_names(latent: Sequence[str], data: pd.DataFrame) -> None:
    """Raise ParameterError if a latent variable bears the name of a column."""
    both = [name for name in latent if name in data.columns]
    if both:
        raise ParameterError(
            f"{both[0]!r} is a latent variable of the model and a column of the data; rename one "
            "of the two, or set check_lv_names = False if they have nothing to do with each other."
        )
