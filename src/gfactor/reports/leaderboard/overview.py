"""The first page, the pages of labels, and a page per examinee."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gfactor.frames import pick
from gfactor.reports.leaderboard import beside_people, drawings, grid_files, grids
from gfactor.reports.leaderboard.among_people import placed
from gfactor.reports.leaderboard.imported_figures import figures_grid
from gfactor.reports.leaderboard.plan import UnfinishedSite
from gfactor.reports.leaderboard.runs import RankedRun
from gfactor.reports.leaderboard.standings import (
    EVERY,
    LEVEL,
    MAJORITY,
    PEOPLE,
    BenchmarkStandings,
)
from gfactor.results import number_of


def write_boards(making: UnfinishedSite) -> None:
    """Write the first page, and a page per board and label."""
    plan, sections = making.plan, []
    for board in plan.boards:
        setting = plan.condition_of(board)
        slices = []
        for label, table in board.slices.items():
            grid = grids.slice_grid(board, label, plan.pages)
            path = f"{grid.name}.html"
            title = f"{board.benchmark} by {label}, condition {setting}"
            making.page(path, "slice", title, grid_=grid)
            making.out.table(grid.file, grid_files.exported(table, ["value"]))
            slices.append((label, path))
        grid = grids.board_grid(board, plan.title_of(board), making.beside[board.number])
        making.out.table(grid.file, grid_files.exported(board.table))
        other_items = beside_people.fewer_items(plan.answers, board)
        grid = replace(grid, notes=tuple(filter(None, (other_items, *grid.notes))))
        people = None
        if len(table := beside_people.same_items_table(plan.answers, board)):
            people = beside_people.same_items_grid(board, table, plan.pages)
            making.out.table(people.file, table.drop(columns="run"))
        if plan.norms is not None:
            table = placed(plan.answers, board, plan.norms)
            names = [plan.names[int(run)] for run in table["run"]]
            table = table.assign(run=names).rename(columns={"run": "name"})
            making.out.table(f"{grid.file}-among-people", table)
        figure = f"figures/board-{board.number}.svg"
        with_band = not other_items
        making.out.put(figure, _board_figure(board, grid.title, with_band=with_band))
        sections.append({
            "board": board, "setting": setting, "slices": slices, "grid": grid,
            "figure": figure, "alt": f"Accuracies with {LEVEL:.0%} intervals; the numbers are "
            "those of the table.", "caption": "Accuracy with 95 % intervals. Dashed: chance. "
            + "Shaded: people, where they answered. " * with_band + "Right: rank sets.",
            "people": people,
        })  # fmt: skip
    runs = plan.answers.runs
    unread = sum(run.unread for run in runs)
    total = sum(run.answers + run.missing - run.statuses.get("failed", 0) for run in runs)
    pairs = [
        ("Journals", ", ".join(plan.answers.sources)),
        ("Digest", plan.digest),
        ("Models and observers", f"{len({run.examinee for run in runs}):,}"),
        ("Items", f"{len(plan.answers.items):,}"),
        ("Answers", f"{total:,}"),
        ("Without a readable answer", f"{unread:,} ({unread / max(total, 1):.1%})"),
        ("Failed attempts", f"{sum(run.failed for run in runs):,}"),
        *([("People", plan.people)] if plan.people else []),
    ]
    notes = list(plan.changes)
    if not any(run.role == "model" for run in runs):
        notes.append(
            "The journal holds no models: the limited observers are ranked in their place."
        )
    overview = None
    if len(plan.boards) > 1:
        of_one = [board for board in plan.boards if board.condition != EVERY]
        titles = [plan.title_of(board) for board in of_one]
        overview = grids.overview_grid(of_one, titles, plan.pages)
        making.out.table(overview.file, grid_files.plain(overview))
    elsewhere = None
    if plan.figures is not None:
        elsewhere = figures_grid(plan.figures, plan.boards, plan.pages)
        making.out.table(elsewhere.file, plan.figures.scores.rename_axis("name").reset_index())
    making.page(
        "index.html", "index", plan.title, pairs=pairs, notes=notes, boards=sections,
        overview=overview, elsewhere=elsewhere,
    )  # fmt: skip


def write_models(making: UnfinishedSite) -> None:
    """Write a page per examinee."""
    plan = making.plan
    by_name: dict[str, list[RankedRun]] = {}
    for run in plan.answers.runs:
        by_name.setdefault(run.examinee, []).append(run)
    short = plan.answers.names()
    for name, runs in by_name.items():
        page = plan.pages[runs[0].number]
        pairs = [("Examinee", name), ("What", grids.ROLES[runs[0].role])]
        profiles = [p for board in plan.boards for run in runs
                    if (p := _profile(making, board, run, page))]  # fmt: skip
        title = f"{short[name]}"
        making.page(
            f"models/{page}", "model", title, pairs=pairs, runs=_run_grid(runs, plan.settings),
            profiles=profiles,
        )  # fmt: skip


def _profile(
    making: UnfinishedSite, board: BenchmarkStandings, run: RankedRun, page: str
) -> dict[str, Any] | None:
    if board.condition == EVERY or run.number not in set(board.table["run"]):
        return None
    profiles, tables = [], []
    for label, table in board.slices.items():
        part = pick(table, table["run"] == run.number)
        if len(part):
            tables.append((label, part))
            profiles.append(grids.profile_grid(part, f"p-{board.number}-{label}", label))
    figure = None
    if tables:
        label, part = tables[0]
        figure = f"{page.removesuffix('.html')}-{board.number}.svg"
        lines = [
            drawings.FigureLine(
                str(r["value"]), r["accuracy"], r["low"], r["high"], chance=r["chance"]
            )
            for r in part.to_dict("records")
        ]  # fmt: skip
        title = f"Accuracy by {label}"
        making.out.put(f"figures/{figure}", drawings.intervals(title, lines))
    ranked = set(board.ranked)
    compare = f"../compare.html#board={board.number}&a={page}"
    return {
        "title": making.plan.title_of(board),
        "files": [(label, f"board-{board.number}-{label}") for label, _ in tables],
        "compare": compare if run.number in ranked and len(ranked) > 1 else "",
        "figure": figure and f"../figures/{figure}", "grids": profiles,
        "alt": "The numbers of the first table below.",
        "caption": f"Accuracy by {tables[0][0]} with 95 % intervals; gray ticks: chance."
        if tables
        else "",
    }  # fmt: skip


def _board_figure(board: BenchmarkStandings, title: str, *, with_band: bool) -> bytes:
    rows = [row for row in board.table.to_dict("records") if row["run"] != MAJORITY]
    people = [row for row in rows if row["run"] == PEOPLE]
    lines = [
        drawings.FigureLine(
            str(row["name"]) if with_band or row["run"] != PEOPLE
            else f"people ({number_of(int(row['items']), 'item')})",
            row["accuracy"], row["low"], row["high"], grids.rank_set(row),
            not grids.is_present(row["best"]),
        )
        for row in rows
    ]  # fmt: skip
    levels = [row["chance"] for row in rows if grids.is_present(row["chance"])]
    band = (people[0]["low"], people[0]["high"]) if people and with_band else None
    return drawings.intervals(
        title, lines, chance=float(np.median(levels)) if levels else math.nan, band=band
    )


def _run_grid(runs: Sequence[RankedRun], settings: Mapping[str, str]) -> grids.PageTable:
    """Return a grid of the outcomes of an examinee's answers, and of their cost."""
    statuses = list(dict.fromkeys(name for run in runs for name in run.statuses))
    kinds = list(dict.fromkeys(name for run in runs for name in run.tokens))
    heads = ["answers that count", "not counted", "failed attempts",
             *(f"status: {name.replace('_', ' ')}" for name in statuses),
             *(f"tokens: {name.replace('_', ' ')}" for name in kinds),
             "cost", "median seconds"]  # fmt: skip
    rows = tuple(
        grids.PageRow((
            grids.PageCell(settings[run.condition]),
            *(grids.PageCell(grids.number(n)) for n in (run.answers, run.missing, run.failed)),
            *(grids.PageCell(grids.number(run.statuses.get(name, 0))) for name in statuses),
            *(grids.PageCell(grids.number(run.tokens.get(name, 0))) for name in kinds),
            grids.PageCell(grids.number(run.cost, 4)), grids.PageCell(grids.number(run.latency, 2)),
        ))
        for run in runs
    )  # fmt: skip
    columns = (grids.PageColumn("condition"), *(grids.PageColumn(name, True) for name in heads))
    grid = grids.PageTable("runs", "What became of the answers", columns, rows)
    return grids.without_zeros(grid, ("not counted", "failed attempts"))
