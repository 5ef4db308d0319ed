"""Tables of items that people write: an id, a question, options and a key in each row."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from gfactor.benchmarks.vlmevalkit.items import item_of_prediction
from gfactor.benchmarks.vlmevalkit.row_facts import TableFacts
from gfactor.benchmarks.vlmevalkit.table import (
    index_of,
    listed_columns,
    prediction_rows,
    with_names,
)
from gfactor.errors import ParameterError
from gfactor.items import Item, canonical_json
from gfactor.results import number_of

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
    table = TableFacts.of((row for _, row in rows), path.stem)
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


def copies_in_table(items: Iterable[Item]) -> tuple[str, ...]:
    """Return a sentence if items of a table ask the same as earlier ones; empty if none does.

    Items whose rows name a picture are left out, because their pictures tell them apart.
    """
    first: dict[str, str] = {}
    pairs: list[tuple[str, str]] = []
    for item in items:
        if "image_type" in item.labels:
            continue
        texts = [" ".join(part.split()) for part in item.content if isinstance(part, str)]
        options = [[choice.label, str(choice.content)] for choice in item.choices]
        content = canonical_json([texts, options, item.target])
        earlier = first.setdefault(content, item.id)
        if earlier != item.id:
            pairs.append((earlier, item.id))
    if not pairs:
        return ()
    return (
        f"{number_of(len(pairs), 'item')} of the table {'asks' if len(pairs) == 1 else 'ask'} the "
        f"same as an earlier one, such as {pairs[0][0]!r} and {pairs[0][1]!r}. Each counts, with "
        "its own replies; to count the question once, drop one of the rows",
    )
