"""People beside the examinees of a board, on the items that people answered."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from gfactor.frames import pick
from gfactor.psychometrics.inference.crossed import people_beside
from gfactor.reports.answers.group_rates import ACCURACY, rate_each
from gfactor.reports.leaderboard import grids
from gfactor.reports.leaderboard.answers import Answers
from gfactor.reports.leaderboard.standings import LEVEL, BenchmarkStandings
from gfactor.results import number_of

ROLES = ("model", "ideal", "population")
"""Roles of the examinees that are put beside people."""

DRAWS = 999
_NOTE = (
    "Only the items that people answered. People: every item counts once, with the share of people "
    "who solved it. Difference: people less the examinee. Both have percentile intervals of "
    f"{DRAWS} resamples of persons and items, drawn independently of each other (Owen 2007). The "
    "interval of people in the table above is another one, of the claim that stands under it: "
    "with few persons or items they differ."
)


def scores_of_people(answers: Answers, board: BenchmarkStandings) -> pd.DataFrame:
    """Return the scores of people on the items of a board, persons x items (their numbers)."""
    scores = answers.people.get(board.condition, pd.DataFrame())
    here = scores.loc[:, scores.columns.isin(board.items)]
    return here.loc[here.notna().any(axis=1)]


def fewer_items(answers: Answers, board: BenchmarkStandings) -> str:
    """Return the warning that people answered fewer items than there are; "" if they did not."""
    scores = scores_of_people(answers, board)
    answered, items = scores.shape[1], len(board.items)
    if not answered or answered == items:
        return ""
    each = scores.notna().sum(axis=1)
    span = f"{each.min():,}" if each.min() == each.max() else f"{each.min():,} to {each.max():,}"
    table = min(scores.shape) > 1 and bool(board.ranked)
    return (
        f"{board.benchmark}: people answered {answered:,} of the {items:,} items "
        f"({number_of(len(scores), 'person')}, {span} items each). Their accuracy is of these "
        "alone and cannot be compared with accuracies on all items"
        + "; the table of people beside examinees has both on the same items" * table + "."
    )  # fmt: skip


def same_items_table(answers: Answers, board: BenchmarkStandings) -> pd.DataFrame:
    """Tabulate the accuracies of a board's examinees on the items that people answered.

    The columns are `run`, `name`, `role`, `n` (items of both), `accuracy`, `low`, `high`, then
    `people` (their mean on these items) and `difference` (people less examinee), each with `_low`
    and `_high`. Without two persons and two items there are no rows.
    """
    people = scores_of_people(answers, board)
    rows = pick(board.table, board.table["role"].isin(ROLES))
    items = people.columns.to_numpy(int)
    has_items = [np.isfinite(answers.scores[items, run]).any() for run in rows["run"]]
    rows = pick(rows, np.array(has_items, bool))
    if min(people.shape) < 2 or rows.empty:
        return pd.DataFrame()
    runs = rows["run"].to_numpy(int)
    others = pd.DataFrame(answers.scores[np.ix_(items, runs)].astype(float), people.columns, runs)
    intervals = people_beside(people, others, level=LEVEL, n_bootstrap=DRAWS).intervals.iloc[2:]
    mean, less = (pick(intervals, intervals["statistic"] == name).reset_index(drop=True)
                  for name in ("people", "difference"))  # fmt: skip
    facts = answers.items.iloc[items]
    numbered = {"_one": 1.0, "_person": -1,
                "_unit": pd.factorize(facts["unit"].to_numpy())[0]}  # fmt: skip
    if "domain" in facts:
        numbered["_domain"] = pd.factorize(facts["domain"].astype(str).to_numpy())[0]
    parts = [pd.DataFrame({"correct": others[run].to_numpy(), **numbered}).dropna(subset="correct")
             for run in runs]  # fmt: skip
    accuracies = pd.DataFrame(rate_each(parts, ACCURACY, LEVEL, board.sampling.claim))
    return pd.DataFrame({
        "run": runs, "name": rows["name"].to_numpy(), "role": rows["role"].to_numpy(),
        "n": accuracies["n"], "accuracy": accuracies["value"],
        "low": accuracies["low"], "high": accuracies["high"],
        "people": mean["est"], "people_low": mean["low"], "people_high": mean["high"],
        # Subtracted from 0, because the negative of 0 is written as -0.
        "difference": 0 - less["est"], "difference_low": 0 - less["high"],
        "difference_high": 0 - less["low"],
    })  # fmt: skip


def same_items_grid(
    board: BenchmarkStandings, table: pd.DataFrame, pages: Mapping[int, str]
) -> grids.PageTable:
    """Return the page's table of `same_items_table`."""
    heads = ("items", "accuracy (%)", "people (%)", "difference")
    columns = (grids.PageColumn("who"), *(grids.PageColumn(text, True) for text in heads))
    rows = tuple(
        grids.PageRow((  # Without a kind: the board's table above is the one to filter.
            grids.name_cell(row, pages, ""), grids.PageCell(grids.number(row["n"])),
            grids.PageCell(grids.percent(row["accuracy"]), grids.interval(row)),
            *(grids.PageCell(grids.percent(row[name]), grids.interval(
                {"low": row[f"{name}_low"], "high": row[f"{name}_high"]}))
              for name in ("people", "difference")),
        ))
        for row in table.to_dict("records")
    )  # fmt: skip
    name = f"board-{board.number}-people"
    title = "People beside examinees on the same items"
    return grids.PageTable(name, title, columns, rows, (_NOTE,), name)
