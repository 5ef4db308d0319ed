"""Tables of the leaderboard's site say small p-values and single rows as a reader would."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gfactor as gf
from gfactor.reports.leaderboard.comparisons import _whole_columns
from gfactor.reports.leaderboard.grid_files import csv_of, json_of
from gfactor.reports.leaderboard.grids import (
    WHAT,
    PageCell,
    PageColumn,
    PageRow,
    PageTable,
    overview_grid,
    percent,
    with_kinds,
    without_zeros,
)
from gfactor.reports.writing.parts import template


def test_one_row_is_not_called_rows() -> None:
    row = PageRow((PageCell("a"), PageCell("1")))
    for rows, words in (((row,), ">1 row. <"), ((row, row), ">2 rows. <")):
        grid = PageTable("t", "Title", (PageColumn("model"), PageColumn("n", True)), rows, (), "t")
        page = template("leaderboard/grid.html.j2").module.grid(grid)
        assert words in str(page)


def test_a_table_is_marked_as_numbers_if_all_columns_but_the_first_hold_numbers() -> None:
    marks = {(True, True): True, (False, True): False, (True, False): False}
    for (second, third), marked in marks.items():
        columns = (PageColumn("model"), PageColumn("second", second), PageColumn("third", third))
        grid = PageTable("t", "Title", columns, (), (), "t")
        page = str(template("leaderboard/grid.html.j2").module.grid(grid))
        assert ('<table class="grid num"' in page) == marked


def test_files_of_a_table_hold_four_decimals_and_an_empty_cell_is_null() -> None:
    frame = pd.DataFrame({"name": ["m", "k"], "accuracy": [0.123456, None]})
    assert csv_of(frame).decode().splitlines() == ["name,accuracy", "m,0.1235", "k,"]
    assert json.loads(json_of(frame))["rows"] == [["m", 0.1235], ["k", None]]


def test_a_column_of_zeros_becomes_a_sentence() -> None:
    columns = (
        PageColumn("who"),
        PageColumn("n", True),
        PageColumn("failed", True),
        PageColumn("unread (%)", True),
    )
    rows = tuple(PageRow((PageCell(name), PageCell("0"), PageCell(failed), PageCell("0.0")))
                 for name, failed in (("a", "0"), ("b", "1")))  # fmt: skip
    left = without_zeros(PageTable("t", "T", columns, rows), ("failed", "unread (%)"))
    assert [column.heading for column in left.columns] == ["who", "n", "failed"]
    assert [len(row.cells) for row in left.rows] == [3, 3]
    assert left.notes == ("Nowhere above 0, so without a column: unread.",)
    assert without_zeros(left, ("failed", "unread (%)")) is left


def test_the_kind_of_a_row_stands_below_its_name_unless_it_is_that_of_all_ranked() -> None:
    kinds = [("m", "model", "ranked"), ("random", "baseline", "baseline"),
             ("ideal observer", "ideal observer", "ideal observer")]  # fmt: skip

    def words(*rows: tuple[str, str, str]) -> list[str]:
        made = tuple(PageRow((PageCell(name), PageCell(what)), kind) for name, what, kind in rows)
        return [
            row.what
            for row in with_kinds(PageTable("t", "T", (PageColumn("who"), WHAT), made)).rows
        ]

    assert words(*kinds) == ["", "baseline", ""]
    mixed = words(*kinds, ("people", "people, 12 persons", "ranked"))
    assert mixed == ["model", "baseline", "", "people, 12 persons"]


@pytest.mark.parametrize("share", [-0.0435, 0.0435, 0.13749, -0.0004, 0.99951, 0.0005, -1.0])
def test_the_script_has_the_digits_of_the_table(share: float) -> None:
    names = ("estimate", "low", "high", "p_holm", "n", "wins", "losses")
    columns: Any = _whole_columns(pd.DataFrame([dict.fromkeys(names, 1.0) | {"low": share}]))
    assert columns[1] == [round(float(percent(share)) * 10)]
    assert f"{columns[1][0] / 10:.1f}" == percent(share)


def test_a_zero_has_no_sign() -> None:
    assert percent(-0.0004) == "0.0"


def test_filters_of_the_overview_know_ranked_rows_and_others_by_what_they_are() -> None:
    rows = {"run": [0, 1, 2], "name": ["m", "o", "p"], "role": ["model", "ideal", "person"],
            "accuracy": [0.5, 1.0, 0.8], "low": 0.4, "high": 1.0, "best": [1.0, np.nan, np.nan],
            "worst": [1.0, np.nan, np.nan]}  # fmt: skip
    board: Any = SimpleNamespace(table=pd.DataFrame(rows), items=range(10))
    grid = overview_grid([board], ["toy"], {})
    assert [(row.cells[0].text, row.kind) for row in grid.rows] == [
        ("m", "ranked"), ("o", "ideal observer"), ("p", "people"),
    ]  # fmt: skip


def test_the_underline_of_a_link_lies_below_underscores() -> None:
    """A name such as "a__b" read as if it had spaces, because the underline lay on the underscores
    (0.19 to 0.24 em below the baseline in common fonts)."""
    rules = [
        rule
        for style in Path(gf.__file__).parent.rglob("*.css")
        for rule in re.findall(r"^a \{[^}]*\}|[^}]*underline dotted[^}]*", style.read_text(), re.M)
    ]
    assert len(rules) >= 4
    assert all("text-underline-offset: 0.3em" in rule for rule in rules)
