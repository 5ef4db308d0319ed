"""Scores that others report, beside the boards: a table without intervals, ranks or a mean."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from gfactor.reports.leaderboard.grids import (
    DASH,
    PageCell,
    PageColumn,
    PageRow,
    PageTable,
    name_cell,
    number,
    percent,
)
from gfactor.reports.leaderboard.standings import EVERY, BenchmarkStandings

SHARE, PER_CENT, POINTS = "share", "per cent", "points"
"""Kinds of numbers that a column may hold."""


@dataclass(frozen=True)
class ImportedFigures:
    """Scores of models (rows) on benchmarks (columns) that another source reports.

    Parameters
    ----------
    scores : DataFrame
        NaN if there is none.
    source : str
        Origin of the scores, in words.
    """

    scores: pd.DataFrame
    source: str


def kind_of_numbers(scores: pd.Series) -> str:
    """Return the kind of scores: shares from 0 to 1, per cents from 0 to 100, or points."""
    numbers = scores.dropna()
    if not len(numbers) or numbers.min() < 0:
        return POINTS
    return SHARE if numbers.max() <= 1 else PER_CENT if numbers.max() <= 100 else POINTS


def figures_grid(
    figures: ImportedFigures, boards: Sequence[BenchmarkStandings], pages: Mapping[int, str]
) -> PageTable:
    """Return the table of imported scores, each with the score of the same model on this site's
    board.

    A column belongs to a board if it has the benchmark's name. A row belongs to an examinee if it
    has its name or, if only one fits, its name without provider and laboratory (`openai:lab/NAME`).
    """
    scores: Any = figures.scores
    kinds = {name: kind_of_numbers(scores[name]) for name in scores}
    units = {SHARE: " (%)", PER_CENT: " (%)", POINTS: " (points)"}
    columns = (PageColumn("who"), *(PageColumn(f"{n}{units[kinds[n]]}", True) for n in scores))
    here = {str(name).casefold(): _by_name(boards, str(name)) for name in scores}
    rows = []
    for model, values in zip(map(str, scores.index), scores.to_dict("records"), strict=True):
        cells, ranked = [], None
        for name, value in values.items():
            row = _of_model(here[str(name).casefold()], model)
            ranked = ranked or row
            cells.append(PageCell(_text(value, kinds[name]), _score_here(row)))
        who = (
            PageCell(model)
            if ranked is None
            else PageCell(model, href=name_cell(ranked, pages, "").href)
        )
        rows.append(PageRow((who, *cells)))
    notes = (
        f"As {figures.source} gives them, scored by whoever reported them. Without answers to "
        "items there is no interval, no rank set and no comparison with the boards.",
        "Behind a figure stands what the same model scores on the board of that benchmark here.",
    )
    return PageTable(
        "imported-figures", "Figures reported elsewhere", columns, tuple(rows), notes,
        "imported-figures",
    )  # fmt: skip


def _by_name(boards: Sequence[BenchmarkStandings], benchmark: str) -> dict[str, Mapping[Any, Any]]:
    """The rows of a benchmark's first board, by name."""
    for board in boards:
        if board.condition != EVERY and board.benchmark.casefold() == benchmark.casefold():
            rows = board.table.to_dict("records")
            return {str(row["name"]).casefold(): row for row in rows if row["run"] >= 0}
    return {}


def _of_model(rows: Mapping[str, Mapping[Any, Any]], model: str) -> Mapping[Any, Any] | None:
    wanted = model.casefold()
    alike = [row for name, row in rows.items() if _bare(name) == _bare(wanted)]
    return rows.get(wanted, alike[0] if len(alike) == 1 else None)


def _bare(name: str) -> str:
    return name.rpartition(":")[2].rpartition("/")[2]


def _text(value: float, kind: str) -> str:
    if math.isnan(float(value)):
        return DASH
    return percent(value) if kind == SHARE else number(value, 1)


def _score_here(row: Mapping[Any, Any] | None) -> str:
    return "" if row is None else f"here {percent(row['accuracy'])}"
