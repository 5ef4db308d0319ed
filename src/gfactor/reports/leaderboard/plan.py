"""Plan of a leaderboard's site, and the writing of its files."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from gfactor.administration.storing.deviations import ShortenedRequests, as_asked
from gfactor.items import Image, ItemBank, digest_of
from gfactor.psychometrics.irt.scales.calibration import Calibration
from gfactor.psychometrics.norms import Norms
from gfactor.reports.leaderboard import grid_files, grids
from gfactor.reports.leaderboard.among_people import among_all, sentences
from gfactor.reports.leaderboard.answers import Answers, slug
from gfactor.reports.leaderboard.imported_figures import ImportedFigures
from gfactor.reports.leaderboard.replies import (
    Spool,
)
from gfactor.reports.leaderboard.standings import EVERY, BenchmarkStandings
from gfactor.reports.writing.parts import template

STATIC_BYTES = 6_000_000
"""Replies of up to so many bytes in all stand on the pages of items themselves; more are in data
files, which the pages' script shows."""

ITEMS_OF_THEIR_OWN = 2_000
"""Up to so many items have a page each; of more, those of a data file share one."""

FOLDERS = {"items": ".html", "models": ".html", "data": ".js", "tables": "", "figures": ".svg",
        "pictures": ""}  # fmt: skip
"""Folders of a site, and what an earlier one may have left there."""


@dataclass(frozen=True)
class SitePlan:
    """Content from which a site is made.

    Parameters
    ----------
    answers : Answers
    spool : Spool
        The replies.
    boards : tuple of BenchmarkStandings
    title : str
        Title of all pages.
    banks : sequence of ItemBank
        Banks with the pictures.
    samples : mapping of str to tuple of Image
        Pictures of some items that journals keep themselves, by id.
    abilities : DataFrame, optional
        `examinee`, `condition`, `theta`, `low`, `high`.
    calibration : Calibration, optional
        Calibration for items' curves.
    entries : mapping of int to str
        The calibration's entry of an item, by the item's number.
    people : str
        The source of the people's answers, as text.
    max_bytes : int
        Largest size of the site without its pictures, in bytes; replies are cut to fit.
    norms : Norms, optional
        Norms of people, from which the percentiles of runs are taken.
    figures : ImportedFigures, optional
        Scores that others have published.
    changes : tuple of str
        A sentence for each run that was not answered as asked.
    left_out : tuple of ShortenedRequests
        Runs with answers that lack parameters of their condition.
    """

    answers: Answers
    spool: Spool
    boards: tuple[BenchmarkStandings, ...]
    title: str = "Leaderboard"
    banks: Sequence[ItemBank] = ()
    samples: Mapping[str, tuple[Image, ...]] = field(default_factory=dict)
    abilities: pd.DataFrame | None = None
    calibration: Calibration | None = None
    entries: Mapping[int, str] = field(default_factory=dict)
    people: str = ""
    max_bytes: int = 15_000_000
    norms: Norms | None = None
    figures: ImportedFigures | None = None
    changes: tuple[str, ...] = ()
    left_out: tuple[ShortenedRequests, ...] = ()

    @cached_property
    def names(self) -> dict[int, str]:
        """Return the name of every run, with its condition if there are several conditions."""
        short, settings = self.answers.names(), self.settings
        several = len(settings) > 1
        return {
            run.number: short[run.examinee] + f" [{settings[run.condition]}]" * several
            for run in self.answers.runs
        }

    @cached_property
    def settings(self) -> dict[str, str]:
        """Return a short name for every condition."""
        return self.answers.settings()

    def title_of(self, board: BenchmarkStandings) -> str:
        """Return the benchmark and condition of a board, as a title."""
        if board.condition == EVERY:
            return f"{board.benchmark}, all conditions"
        return f"{board.benchmark}, condition {self.condition_of(board)}"

    def condition_of(self, board: BenchmarkStandings) -> str:
        """Return the condition of a board, with the parameters of it that answers lack."""
        if board.condition == EVERY:
            return "all conditions"
        return as_asked(self.settings[board.condition], board.condition, self.left_out)

    @cached_property
    def pages(self) -> dict[int, str]:
        """Return the page of every run's examinee."""
        return {run.number: f"{slug(run.examinee)}.html" for run in self.answers.runs}

    @property
    def in_sheets(self) -> bool:
        """Return True if several items share a page, with an address for each item."""
        return len(self.answers.items) > ITEMS_OF_THEIR_OWN

    @cached_property
    def anchors(self) -> list[str]:
        """Return the anchor of every item, which does not depend on the rest of the site."""
        items = self.answers.items
        return [
            f"i{digest_of([str(content), str(name)])[:10]}"
            for content, name in zip(items["content_hash"], items["id"], strict=True)
        ]

    @cached_property
    def item_pages(self) -> list[str]:
        """The address of every item below `items/`."""
        if self.in_sheets:
            per = self.spool.per_shard
            return [f"sheet-{k // per}.html#{anchor}" for k, anchor in enumerate(self.anchors)]
        names = (slug(str(name), most=30)[:-9] for name in self.answers.items["id"])
        return [f"{name}-{anchor}.html" for name, anchor in zip(names, self.anchors, strict=True)]

    @property
    def digest(self) -> str:
        """The journal's digest, as pages show it."""
        return self.answers.digest[:12]


@dataclass
class Writer:
    """Files in a folder, and how many bytes they take."""

    folder: Path
    bytes: int = 0
    pictures: int = 0
    pages: int = 0
    current: set[str] = field(default_factory=set)

    def put(self, path: str, content: bytes) -> None:
        (self.folder / path).write_bytes(content)
        self.current.add(path)
        if path.startswith("pictures/"):
            self.pictures += len(content)
        else:
            self.bytes += len(content)
        self.pages += path.endswith(".html")

    def table(self, name: str, frame: pd.DataFrame) -> None:
        self.put(f"tables/{name}.csv", grid_files.csv_of(frame))
        self.put(f"tables/{name}.json", grid_files.json_of(frame))

    def clear(self) -> None:
        """Remove files of an earlier site from its own folders, and nothing else."""
        for name, ending in FOLDERS.items():
            for path in (self.folder / name).iterdir():
                if path.name.endswith(ending) and f"{name}/{path.name}" not in self.current:
                    path.unlink()


class UnfinishedSite:
    """An unfinished site: its plan, its files so far, and the data that its pages share."""

    def __init__(self, plan: SitePlan, out: Writer) -> None:
        self.plan, self.out = plan, out
        self.static = plan.spool.size + 200 * plan.spool.answers <= STATIC_BYTES
        self.most = 0
        self.pictures: dict[int, list[str]] = {}

    def page(self, path: str, name: str, title: str, **values: Any) -> None:
        site = {"digest": self.plan.digest, "title": self.plan.title}
        root = "../" * path.count("/")
        html = self.templates(name).render(
            site=site, root=root, path=path.rsplit("/", 1)[-1] if root else path, title=title,
            **values,
        )  # fmt: skip
        self.out.put(path, html.encode())

    @cached_property
    def templates(self) -> Callable[[str], Any]:
        loaded: dict[str, Any] = {}

        def get(name: str) -> Any:
            if name not in loaded:
                loaded[name] = template(f"leaderboard/{name}.html.j2")
            return loaded[name]

        return get

    @cached_property
    def beside(self) -> dict[int, grids.Beside]:
        """Return the additional columns, by board."""
        plan, runs = self.plan, self.plan.answers.runs
        abilities = {}
        if plan.abilities is not None:
            by = {(run.examinee, run.condition): run.number for run in runs}
            abilities = {
                by[row["examinee"], row["condition"]]: (row["theta"], row["low"], row["high"])
                for row in plan.abilities.to_dict("records")
                if (row["examinee"], row["condition"]) in by and math.isfinite(row["theta"])
            }
        by_board = {}
        for board in plan.boards:
            of = {run.number: run.part(board.benchmark) for run in runs}
            one = grids.Beside(
                plan.pages,
                {number: run.unread for number, run in of.items()},
                {number: run.failed for number, run in of.items()},
                {number: run.tokens_each for number, run in of.items()
                 if math.isfinite(run.tokens_each)},
                {number: run.cost for number, run in of.items() if math.isfinite(run.cost)},
            )  # fmt: skip
            of_board = {run: abilities[run] for run in board.table["run"] if run in abilities}
            among, notes = {}, ()
            if plan.norms is not None and board.benchmark in plan.norms.scales:
                among = among_all(plan.answers, board, plan.norms)
                notes = sentences(plan.norms)
            by_board[board.number] = grids.Beside(
                one.pages, one.unread, one.failed, one.tokens, one.cost, of_board, among, notes
            )
        return by_board
