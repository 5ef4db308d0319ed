"""Items that adaptive tests ask for one at a time, by their number in a cell."""

from __future__ import annotations

import pytest

from gfactor.benchmarks.chc.cells import CellItems, DesignCell
from gfactor.benchmarks.chc.items import make_items
from gfactor.items import Item

CELL = DesignCell.of_labels({"family": "number_series", "difficulty": "easy"}, "here")


def content_hashes(items: list[Item]) -> list[str]:
    return [item.provenance.content_hash for item in items]


@pytest.mark.parametrize("twin", ["picture", "both"])
def test_the_kth_item_of_a_cell_is_the_kth_that_its_family_makes(twin: str) -> None:
    making = CellItems(seed=5, twin=twin)
    wanted = make_items(CELL.family, making._request(CELL))
    first = content_hashes([next(wanted) for _ in range(4)])
    assert content_hashes([making.item("a", CELL, k) for k in range(4)]) == first
    # An item before the last one begins anew, and one of a new name is the same at once.
    for name, k in (("a", 1), ("b", 3), ("b", 0)):
        assert content_hashes([making.item(name, CELL, k)]) == [first[k]]


def test_an_items_id_names_its_twin_unless_it_is_the_picture() -> None:
    picture, text = (CellItems(5, twin=twin).item("a", CELL, 2).id for twin in ("picture", "text"))
    assert picture.startswith("number_series-")
    assert picture.endswith("-002")
    assert text == f"{picture}-text"
