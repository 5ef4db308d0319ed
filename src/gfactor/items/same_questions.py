"""The same question in several languages: items whose ids differ in the language at their end."""

from __future__ import annotations

from typing import Any

import pandas as pd

LANGUAGE_COLUMNS = ("language", "label.language")
"""Columns with the language of an item: that of a bank's items, and that of a scored table with
such a label."""


def questions(rows: pd.DataFrame, names: pd.Series) -> pd.Series:
    """Return the common name of each item in all languages, its id without the language at the end.

    Parameters
    ----------
    rows : DataFrame
        Rows with the items' benchmark, id and language.
    names : Series
        Names of the rows whose item has no language at the end of its id.

    Returns
    -------
    Series
        A name per row.

    Examples
    --------
    >>> ids = ["ring-en", "ring-fr", "ring-french"]
    >>> rows = pd.DataFrame({"item_id": ids, "language": ["en", "fr", "fr"], "benchmark": "b"})
    >>> questions(rows, rows["item_id"]).tolist()
    ['b ring', 'b ring', 'ring-french']
    """
    ids: Any = rows["item_id"] if "item_id" in rows else rows.get("id")
    column = next((name for name in LANGUAGE_COLUMNS if name in rows), None)
    if ids is None or column is None:
        return names
    for language in rows[column].dropna().unique():
        ending = f"-{language}"
        here = (rows[column] == language) & ids.astype(str).str.endswith(ending)
        if language and here.any():
            stems = ids.astype(str).str.removesuffix(ending)
            names = names.mask(here, rows["benchmark"] + " " + stems)
    return names
