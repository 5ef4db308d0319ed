"""The rows of a table of answers as respondents: independent unless a column says otherwise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.api.inputs.matrix_files import (
    TABLE_OF_ANSWERS,
    read_scores,
    read_table,
    with_row_names,
)
from gfactor.api.inputs.taking import JournalLike, is_answers_file
from gfactor.api.scales.irt_data import ItemResponses
from gfactor.psychometrics.given import as_frame, holds_scores
from gfactor.psychometrics.item_columns import holds_text
from gfactor.psychometrics.row_names import check_row_names, names_rows

FAMILY = "family"
"""Column of respondents that clusters them by default."""
UNKNOWN = "unknown"
"""Kind of the rows of a table, which may be persons or models."""


def with_columns_aside(
    journal: JournalLike, cluster: str | None
) -> tuple[JournalLike, pd.DataFrame | None]:
    """Return the items of a table of answers, and its other columns; None for a journal.

    Parameters
    ----------
    journal : Journal, table, or path
        Journal, or table of right and wrong answers.
    cluster : str or None
        Column of the table that names clusters of rows; it is no item, even if it holds numbers.

    Returns
    -------
    tuple of Journal, table or path, and DataFrame or None
        The columns of text and of clusters, with the names of the rows in the index.
    """
    if holds_scores(journal):
        frame = as_frame(journal, TABLE_OF_ANSWERS)
        named = cluster in frame.columns
        items: Any = frame.drop(columns=[cluster]) if named else journal
        return items, _others(frame, cluster)
    if not is_answers_file(journal):
        return journal, None
    path = Path(str(journal))
    frame = read_table(path)
    if len(frame) and names_rows(first := frame.iloc[:, 0]):
        check_row_names(frame, first, str(path), named=False)
    items = read_scores(path, frame.drop(columns=[cluster], errors="ignore"))
    return items, _others(frame, cluster)


def _others(frame: pd.DataFrame, cluster: str | None) -> pd.DataFrame:
    table = with_row_names(frame) if isinstance(frame.index, pd.RangeIndex) else frame
    chosen = [name for name in table.columns if name == cluster or holds_text(table[name])]
    others: Any = table[chosen]
    return others.set_axis([str(name) for name in table.index], axis=0)


def rows_as_respondents(responses: ItemResponses, others: pd.DataFrame) -> ItemResponses:
    """Return responses of which each row is a family of its own, unless a column says otherwise.

    Names of rows say nothing about what rows have in common, other than the names of models in a
    journal, which begin with their family.

    Parameters
    ----------
    responses : ItemResponses
        Responses of a table.
    others : DataFrame
        Columns of the table that are no items; a row without a value is by itself.

    Returns
    -------
    ItemResponses
        Responses with the columns of the table among those of `respondents`.
    """
    who = responses.respondents
    names = [str(name) for name in who["examinee"]]
    added: Any = others.reindex(names).set_axis(who.index, axis=0)
    for column in added.columns:
        gaps = added[column].isna()
        added[column] = added[column].astype(str).mask(gaps, pd.Series(names, index=who.index))
    kinds = [UNKNOWN if kind == "model" else kind for kind in who["kind"]]
    alone = who.assign(**{FAMILY: names, "kind": kinds})
    alone = alone.drop(columns=[name for name in added.columns if name in alone])
    return replace(responses, respondents=alone.join(added))
