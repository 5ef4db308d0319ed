"""Columns of a table that look like something else than an item: an identifier, a covariate."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np

from gfactor.psychometrics.diagnostic import Diagnostic

PERSON_VARIABLES = frozenset({
    "id", "age", "sex", "gender", "ethnicity", "nationality", "birthyear", "yearofbirth",
})  # fmt: skip
"""Names of variables of persons, without spaces and signs, in lower case."""

MANY_VALUES = 8
"""Distinct values from which on a column can be unlike items with few."""

_LISTED = 5


def columns_unlike_items(distinct: Mapping[str, int], persons: int) -> dict[str, str]:
    """Return the columns that look like no item, with the reason as the end of a sentence.

    Parameters
    ----------
    distinct : mapping of column to int
        Number of distinct values per column, without missing ones.
    persons : int
        Number of rows of the table.

    Returns
    -------
    dict of column to str
        A column is named if it has the name of a variable of persons ("age", "id" ...), if it has a
        value of its own in every row, or if it has 8 values or more and more than twice as many
        as the middle column has.

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
        if re.sub(r"[\W_]+", "", name).lower() in PERSON_VARIABLES:
            reasons[name] = "has the name of a variable of persons"
        elif count < MANY_VALUES or count <= 2 * usual:
            continue
        elif count == persons:
            reasons[name] = "has a value of its own in every row, as an identifier has"
        else:
            reasons[name] = f"has {count} distinct values, where the middle column has {usual:g}"
    return reasons


def unlike_items_diagnostic(reasons: Mapping[str, str]) -> Diagnostic:
    """Return the warning that names columns which were taken for items but look like none.

    Examples
    --------
    >>> print(unlike_items_diagnostic({"age": "has 13 distinct values"}).sentence)
    Columns that look like no item were taken for items: 'age' has 13 distinct values.
    """
    listed = "; ".join(f"{name!r} {reason}" for name, reason in list(reasons.items())[:_LISTED])
    more = f" (and {len(reasons) - _LISTED} more)" if len(reasons) > _LISTED else ""
    return Diagnostic(
        "columns_unlike_items", "warning",
        f"Columns that look like no item were taken for items: {listed}{more}.",
        "If they are no items, leave them out (--drop NAME; in Python, drop the columns), or give "
        "them as groups or covariates.",
        tuple(reasons),
    )  # fmt: skip
