"""The page that compares any two, and all pairs as data for its script."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.inference.pairwise import pair_table
from gfactor.reports.leaderboard import grids
from gfactor.reports.leaderboard.plan import SitePlan, UnfinishedSite
from gfactor.reports.leaderboard.replies import (
    packed,
)
from gfactor.reports.leaderboard.standings import (
    LEVEL,
    BenchmarkStandings,
    scores_of,
)

PAIRS_SHOWN = 500
"""Most pairs of a board whose table stands on the page of comparisons; of more models, those of
neighbors do, and the script shows any."""


def write_comparisons(making: UnfinishedSite) -> None:
    """Write the page of comparisons, its tables, and the data of all pairs for its script."""
    plan, pair_grids, numbers, titles = making.plan, [], [], []
    for board in plan.boards:
        if board.pairs is None:
            continue
        scores = scores_of(plan.answers, board.items, board.ranked)
        pairs = board.pairs.ordered(board.ranked)
        table = pair_table(pairs, scores, level=LEVEL)
        name = f"comparisons-{board.number}"
        listed = table
        if len(table) > PAIRS_SHOWN:
            after = {a: b for a, b in zip(board.ranked, board.ranked[1:], strict=False)}
            listed = table.loc[[after.get(a) == b for a, b in
                                zip(table["first"], table["second"], strict=True)]]  # fmt: skip
        pair_grids.append(_pair_grid(board, listed, plan, name))
        name_of = {run: str(n) for run, n in zip(board.table["run"], board.table["name"],
                                               strict=True)}  # fmt: skip
        frame = listed.assign(
            first=[name_of[r] for r in listed["first"]],
            second=[name_of[r] for r in listed["second"]],
        )
        making.out.table(name, frame)
        document = {"runs": board.ranked, "items": board.items.tolist(),
                    "columns": _whole_columns(table)}  # fmt: skip
        making.out.put(f"data/pairs-{board.number}.js",
                     packed(f"pairs-{board.number}", document))  # fmt: skip
        numbers.append(board.number)
        titles.append(plan.title_of(board))
    marks = [_marks(plan.answers.scores[:, run]) for run in range(len(plan.answers.runs))]
    making.out.put("data/marks.js", packed("marks", marks))
    making.page(
        "compare.html", "compare", "Compare two", boards=numbers, titles=titles, grids=pair_grids,
        level=LEVEL,
    )  # fmt: skip


def _marks(scores: NDArray[np.float32]) -> str:
    """A digit per item, 9 if right and 0 if wrong; a dash if nothing counts."""
    return "".join("-" if math.isnan(x) else str(round(9 * x)) for x in scores.tolist())


def _pair_grid(
    board: BenchmarkStandings, table: pd.DataFrame, plan: SitePlan, name: str
) -> grids.PageTable:
    name_of = dict(zip(board.table["run"], board.table["name"], strict=True))
    heads = ("difference", "p (Holm)", "n", "better on", "worse on")
    columns = (grids.PageColumn("first"), grids.PageColumn("second"),
               *(grids.PageColumn(text, True) for text in heads))  # fmt: skip
    rows = tuple(
        grids.PageRow((
            grids.PageCell(str(name_of[row["first"]]), href=f"models/{plan.pages[row['first']]}"),
            grids.PageCell(str(name_of[row["second"]]), href=f"models/{plan.pages[row['second']]}"),
            grids.PageCell(grids.percent(row["estimate"]), grids.interval(row)),
            grids.PageCell(p_value(row["p_holm"])), grids.PageCell(grids.number(row["n"])),
            *(grids.PageCell(grids.number(row[way]), href=_items_apart(board, row, plan))
              for way in ("wins", "losses")),
        ))
        for row in table.to_dict("records")
    )  # fmt: skip
    every = len(board.ranked) * (len(board.ranked) - 1) // 2
    claimed = (f"Differences: {board.sampling.words}.",)
    notes = claimed if len(table) == every else (
        *claimed,
        f"Of {every:,} pairs, those of neighbors in the order; the script shows any.",
    )  # fmt: skip
    title = plan.title_of(board)
    return grids.PageTable(name, f"Pairs: {title}", columns, rows, notes, name)


def _items_apart(board: BenchmarkStandings, row: Mapping[Any, Any], plan: SitePlan) -> str:
    """Return the address at which the page lists the items on which a pair differs."""
    pages = {side: plan.pages[row[run]] for side, run in (("a", "first"), ("b", "second"))}
    return f"#{urlencode({'board': board.number, **pages})}"


def _whole_columns(table: pd.DataFrame) -> list[list[int | None]]:
    """Columns of pairs for the script, each with the digits that the table shows.

    Differences and their ends are tenths of a point, rounded as in the table: a number that is
    rounded twice may differ from it. p is in ten-thousandths, rounded down, so that it stands on
    the same side of a level as before.
    """
    whole: dict[str, Callable[[float], int]] = {
        **dict.fromkeys(("estimate", "low", "high"), _tenths_of_a_point),
        "p_holm": lambda p: math.floor(1e4 * p),
        **dict.fromkeys(("n", "wins", "losses"), round),
    }
    return [
        [None if math.isnan(x) else as_int(x) for x in table[name].astype(float)]
        for name, as_int in whole.items()
    ]


def _tenths_of_a_point(share: float) -> int:
    """Return a share in tenths of a point, with the rounding of the table's text."""
    return int(grids.percent(share).replace(".", ""))
