"""Tables of the leaderboard's site say small p-values and single rows as a reader would."""

from __future__ import annotations

from gfactor.reports.leaderboard.grids import Cell, Column, Grid, Row, p_value
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
