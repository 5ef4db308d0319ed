"""Tables of the leaderboard's site say small p-values and single rows as a reader would."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd

from gfactor.reports.leaderboard.grids import Cell, Column, Grid, Row, overview_grid, p_value
from gfactor.reports.parts import template


def test_no_p_value_is_shown_as_zero() -> None:
    assert [p_value(p) for p in (0.0, 0.00004, 0.0001, 0.5)] == [
        "< 0.0001", "< 0.0001", "0.0001", "0.5000",
    ]  # fmt: skip


def test_one_row_is_not_called_rows() -> None:
    row = Row((Cell("a"), Cell("1")))
    for rows, words in (((row,), ">1 row. <"), ((row, row), ">2 rows. <")):
        grid = Grid("t", "Title", (Column("model"), Column("n", True)), rows, (), "t")
        page = template("leaderboard/grid.html.j2").module.grid(grid)
        assert words in str(page)


def test_filters_of_the_overview_know_ranked_rows_and_others_by_what_they_are() -> None:
    rows = {"run": [0, 1, 2], "name": ["m", "o", "p"], "role": ["model", "ideal", "person"],
            "accuracy": [0.5, 1.0, 0.8], "low": 0.4, "high": 1.0, "best": [1.0, np.nan, np.nan],
            "worst": [1.0, np.nan, np.nan]}  # fmt: skip
    board: Any = SimpleNamespace(table=pd.DataFrame(rows), items=range(10))
    grid = overview_grid([board], ["toy"], {})
    assert [(row.cells[0].text, row.kind) for row in grid.rows] == [
        ("m", "ranked"), ("o", "ideal observer"), ("p", "people"),
    ]  # fmt: skip
