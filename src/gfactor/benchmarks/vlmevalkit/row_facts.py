"""Facts about a row: the pictures that it names, and facts that depend on all rows of its table."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from gfactor.benchmarks.vlmevalkit.given_languages import (
    LANGUAGE_SPELLINGS,
    columns_of_languages,
)
from gfactor.benchmarks.vlmevalkit.table import Row, index_of

PICTURE_COLUMN = "image_path"
"""The column that names pictures by their files."""

FACT_COLUMNS = ("index", PICTURE_COLUMN, *LANGUAGE_SPELLINGS)
"""Columns on which the facts about a table depend."""


@dataclass(frozen=True)
class TableFacts:
    """Facts about the rows of a table.

    Parameters
    ----------
    indices: the indices of all rows.
    own_pictures: True if the column `image_path` names another picture in each of several rows, so
        that its values form no groups of items.
    languages: the columns that say the language of every row; see `columns_of_languages`.
    """

    indices: frozenset[str]
    own_pictures: bool
    languages: frozenset[str]

    @classmethod
    def of(cls, rows: Iterable[Row], dataset: str) -> TableFacts:
        """Return the facts about rows of a data set; the columns `FACT_COLUMNS` are enough."""
        indices: set[str] = set()
        pictures: Counter[str] = Counter()
        cells: list[Row] = []
        for row in rows:
            indices.add(index_of(row))
            pictures[row.get(PICTURE_COLUMN, "").strip()] += 1
            cells.append({name: row[name] for name in LANGUAGE_SPELLINGS if name in row})
        named = [count for picture, count in pictures.items() if picture]
        own_pictures = len(named) > 1 and max(named) == 1
        return cls(frozenset(indices), own_pictures, columns_of_languages(cells, dataset))


def picture_cell(row: Row) -> str:
    """Return the cell of a row that holds or names its pictures, "" if there is none."""
    return row.get("image", "").strip() or row.get(PICTURE_COLUMN, "").strip()


def pictures_named(row: Row) -> int:
    """Return the number of pictures that a row names, without opening them."""
    cell = picture_cell(row)
    try:
        return len(listed_pictures(cell)) if cell else 0
    except ValueError:
        return 1


def listed_pictures(cell: str) -> list[str]:
    """Return the pictures of a cell; raise ValueError for a list that cannot be read."""
    if not cell.startswith("["):
        return [cell]
    try:
        paths = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError("its image begins like a list, but cannot be read as one") from error
    if not isinstance(paths, list) or not all(isinstance(text, str) for text in paths):
        raise ValueError("its list of images contains values that are not texts")
    return paths
