"""Items of a board whose key most models reject, as a table of the page of items."""

from __future__ import annotations

import json

from gfactor.psychometrics.classical.key_votes import REMEDY, KeyVotes, outvoted_keys
from gfactor.reports.leaderboard.answers import Answers
from gfactor.reports.leaderboard.grids import PageCell, PageColumn, PageRow, PageTable
from gfactor.reports.leaderboard.plan import SitePlan
from gfactor.reports.leaderboard.standings import BenchmarkStandings


def outvoted_on(answers: Answers, board: BenchmarkStandings) -> KeyVotes:
    """Return the items of a board on which most models chose the same option, not the key; an item
    is named by its number."""
    rows = answers.items.iloc[board.items]
    key: dict[str, str] = {}
    n_options: dict[str, int] = {}
    votes = {}
    for k, kind, target, choices in zip(
        board.items, rows["answer_type"], rows["target"], rows["choices"], strict=True
    ):
        chosen = answers.votes.get((int(k), board.condition))
        if kind == "choice" and chosen:
            name = str(int(k))
            votes[name], key[name] = chosen, str(json.loads(target))
            n_options[name] = len(choices)
    return outvoted_keys(votes, key, n_options)


def keys_table(
    suspects: KeyVotes, board: BenchmarkStandings, setting: str, plan: SitePlan
) -> PageTable:
    """Return the table of items whose key most models reject."""
    columns = (
        PageColumn("item"),
        PageColumn("most chose"),
        PageColumn("key"),
        *(PageColumn(head, True) for head in ("n, most", "n, key", "n, all")),
    )
    ids = plan.answers.items["id"]
    rows = tuple(
        PageRow((
            PageCell(str(ids.iloc[int(one.item)]), href=f"items/{plan.item_pages[int(one.item)]}"),
            PageCell(one.option),
            PageCell(one.key),
            *(PageCell(str(n)) for n in (one.for_option, one.for_key, one.n)),
        ))
        for one in suspects.outvoted
    )  # fmt: skip
    return PageTable(
        f"keys-{board.number}",
        f"Keys to check in {board.benchmark}, condition {setting}: most models chose another",
        columns,
        rows,
        (suspects.by_chance, REMEDY),
    )
