"""Tables of items that people write: an id, a question, options and a key in each row."""

from __future__ import annotations

from pathlib import Path

from gfactor.benchmarks.vlmevalkit.items import item_of_prediction
from gfactor.benchmarks.vlmevalkit.row_facts import TableFacts
from gfactor.benchmarks.vlmevalkit.table import (
    index_of,
    is_own,
    listed_columns,
    prediction_rows,
    with_names,
)
from gfactor.errors import ParameterError
from gfactor.items import Item

ITEM_TABLES = (".jsonl", ".json", ".csv", ".tsv", ".xlsx")
"""Endings of tables that `items_in_table` reads."""


def items_in_table(path: Path) -> list[Item]:
    """Return the items of a table with an id, a question, options and a key in each row.

    The columns have VLMEvalKit's names, or `question_id` (`id`, `item_id`, `idx`), `prompt`,
    `options` (a list) and `key` (`target`, `gold`, `label`). The data set gets the name of the
    file. Items have no pictures.

    Raises ParameterError, with the number of the row, for a row that cannot become an item.
    """
    broken: list[tuple[int, str]] = []
    given = list(prediction_rows(path, lambda *flaw: broken.append(flaw)))
    rows = [(number, with_names(row)) for number, row in given]
    personal = bool(given) and is_own(given[0][1])
    table = TableFacts.of((row for _, row in rows), personal=personal)
    items: dict[str, Item] = {}
    for number, row in rows:
        try:
            item = item_of_prediction(row, path.stem, table)
        except ValueError as error:
            broken.append((number, str(error)))
            continue
        if item.id in items:
            broken.append((number, f"id {index_of(row)!r} was there before"))
        items[item.id] = item
    if broken or not items:
        where = (
            f", data row {broken[0][0]}, makes no item: {broken[0][1]}" if broken else ": no row"
        )
        columns = f"; its columns are {listed_columns(given[0][1])}" if given else ""
        raise ParameterError(
            f"{str(path)!r}{where}. A table of items has the "
            f"columns question_id, question, options (or A, B ...) and answer{columns}"
        )
    return list(items.values())
