"""Writing a leaderboard's site: pages, data, tables, figures and pictures in a folder."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.items import Image, ItemBank
from gfactor.psychometrics.inference.pairwise import pair_table
from gfactor.psychometrics.irt.calibration import Calibration
from gfactor.reports.leaderboard import drawings, grids
from gfactor.reports.leaderboard.answers import Answers, Run, slug
from gfactor.reports.leaderboard.notes import REFERENCES, left_out, methods
from gfactor.reports.leaderboard.replies import (
    Shown,
    Spool,
    excerpt,
    fitting_length,
    key_text,
    packed,
    written_shards,
)
from gfactor.reports.leaderboard.standings import (
    LEVEL,
    MAJORITY,
    PEOPLE,
    Board,
    item_statistics,
    scores_and_clusters,
)
from gfactor.reports.parts import style, template
from gfactor.scoring.frames import pick
from gfactor.scoring.questions import question_of

MARKER = "state.json"
"""The file by which a folder is known as a leaderboard's; a served page asks for it."""

PAIRS_SHOWN = 500
"""Most pairs of a board whose table stands on the page of comparisons; of more models, those of
neighbors do, and the script shows any."""

STATIC_BYTES = 6_000_000
"""Replies of up to so many bytes in all stand on the pages of items themselves; more are in data
files, which the pages' script shows."""

STATIC_TEXT = 4_000
"""Characters of a reply on the page of an item."""

_OLD = {"items": ".html", "models": ".html", "data": ".js", "tables": "", "figures": ".svg",
        "pictures": ""}  # fmt: skip
"""Folders of a site, and what an earlier one may have left there."""


@dataclass(frozen=True)
class Plan:
    """What a site is made of.

    Parameters
    ----------
    answers : Answers
    spool : Spool
        The replies.
    boards : tuple of Board
    title : str
        Of all pages.
    banks : sequence of ItemBank
        Where pictures are.
    samples : mapping of str to tuple of Image
        Pictures of some items that journals keep themselves, by id.
    abilities : DataFrame, optional
        `examinee`, `condition`, `theta`, `low`, `high`.
    calibration : Calibration, optional
        For items' curves.
    entries : mapping of int to str
        The calibration's entry of an item, by the item's number.
    people : str
        Where the people's answers are from.
    max_bytes : int
        What the site may take without its pictures; replies are cut to fit.
    """

    answers: Answers
    spool: Spool
    boards: tuple[Board, ...]
    title: str = "Leaderboard"
    banks: Sequence[ItemBank] = ()
    samples: Mapping[str, tuple[Image, ...]] = field(default_factory=dict)
    abilities: pd.DataFrame | None = None
    calibration: Calibration | None = None
    entries: Mapping[int, str] = field(default_factory=dict)
    people: str = ""
    max_bytes: int = 15_000_000

    @cached_property
    def names(self) -> dict[int, str]:
        """The name of every run; with its condition where there are several."""
        short, settings = self.answers.names(), self.settings
        several = len(settings) > 1
        return {
            run.number: short[run.examinee] + f" [{settings[run.condition]}]" * several
            for run in self.answers.runs
        }

    @cached_property
    def settings(self) -> dict[str, str]:
        """A short name for every condition."""
        return self.answers.settings()

    @cached_property
    def pages(self) -> dict[int, str]:
        """The page of every run's examinee."""
        return {run.number: f"{slug(run.examinee)}.html" for run in self.answers.runs}

    @cached_property
    def item_pages(self) -> list[str]:
        """The page of every item."""
        pairs = zip(self.answers.items["id"], self.answers.items["content_hash"], strict=True)
        return [f"{slug(str(name), most=30)[:-9]}-{content[:10]}.html" for name, content in pairs]

    @property
    def digest(self) -> str:
        """The journal's digest, as pages show it."""
        return self.answers.digest[:12]


@dataclass
class _Writer:
    """Files in a folder, and how many bytes they take."""

    folder: Path
    bytes: int = 0
    pictures: int = 0
    pages: int = 0
    kept: set[str] = field(default_factory=set)

    def put(self, path: str, content: bytes) -> None:
        (self.folder / path).write_bytes(content)
        self.kept.add(path)
        if path.startswith("pictures/"):
            self.pictures += len(content)
        else:
            self.bytes += len(content)
        self.pages += path.endswith(".html")

    def table(self, name: str, frame: pd.DataFrame) -> None:
        self.put(f"tables/{name}.csv", grids.csv_of(frame))
        self.put(f"tables/{name}.json", grids.json_of(frame))

    def clear(self) -> None:
        """Remove what an earlier site left in its own folders, and nothing else."""
        for name, ending in _OLD.items():
            for path in (self.folder / name).iterdir():
                if path.name.endswith(ending) and f"{name}/{path.name}" not in self.kept:
                    path.unlink()


@dataclass(frozen=True)
class Site:
    """What was written.

    Parameters
    ----------
    path : Path
        Of the first page.
    models : int
        Examinees with a page.
    items : int
        Items with a page.
    pages : int
        HTML files.
    bytes, picture_bytes : int
        Size without pictures, and that of pictures.
    digest : str
        Of the journals' answers.
    kept : int
        How many characters of a reply the data files hold at most.
    """

    path: Path
    models: int
    items: int
    pages: int
    bytes: int
    picture_bytes: int
    digest: str
    kept: int


def write_site(
    plan: Plan, folder: Path | str, watch: Callable[[str], None] = lambda _: None
) -> Site:
    """Write a leaderboard's site.

    Parameters
    ----------
    plan : Plan
        What it is made of.
    folder : path
        Made where it does not exist. What an earlier leaderboard left in it is replaced.
    watch : callable
        Is told each step's name.

    Returns
    -------
    Site

    Raises
    ------
    ParameterError
        Where the folder cannot be written; MissingExtraError where jinja2 is missing.
    """
    folder = Path(folder)
    again = (folder / MARKER).exists()
    try:
        for name in ("", "assets", *_OLD):
            (folder / name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(
            f"cannot write a leaderboard to {str(folder)!r}: {error.strerror}; name a folder that "
            "you may write to"
        ) from error
    made = _Making(plan, _Writer(folder))
    for name, act in made.steps():
        watch(name)
        act()
    if again:
        made.out.clear()
    models = len({run.examinee for run in plan.answers.runs})
    return Site(
        folder / "index.html", models, len(plan.answers.items), made.out.pages, made.out.bytes,
        made.out.pictures, plan.digest, made.most,
    )  # fmt: skip


class _Making:
    """The steps of writing a site."""

    def __init__(self, plan: Plan, out: _Writer) -> None:
        self.plan, self.out = plan, out
        self.static = plan.spool.size + 200 * plan.spool.answers <= STATIC_BYTES
        self.most = 0
        self.pictures: dict[int, list[str]] = {}
        self.runs: dict[int, Run] = {run.number: run for run in plan.answers.runs}

    def steps(self) -> Iterator[tuple[str, Callable[[], None]]]:
        yield "pictures", self.write_pictures
        yield "boards", self.write_boards
        yield "models", self.write_models
        yield "comparisons", self.write_comparisons
        yield "items", self.write_items
        yield "replies", self.write_replies
        yield "search and methods", self.write_rest

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
        known: dict[str, Any] = {}

        def get(name: str) -> Any:
            if name not in known:
                known[name] = template(f"leaderboard/{name}.html.j2")
            return known[name]

        return get

    def write_pictures(self) -> None:
        """Pictures of items as files, each once, from banks and from journals' samples."""
        place = {
            (str(content), str(name)): k
            for k, (content, name) in enumerate(
                zip(self.plan.answers.items["content_hash"], self.plan.answers.items["id"],
                    strict=True)
            )
        }  # fmt: skip
        for bank in self.plan.banks:
            wanted = {name for _, name in place}
            for item in bank.select([name for name in bank.ids if name in wanted]):
                k = place.get((item.provenance.content_hash, item.id))
                if k is not None and k not in self.pictures:
                    self.pictures[k] = [self._picture(image) for image in item.images]
        for k, name in enumerate(map(str, self.plan.answers.items["id"])):
            if k not in self.pictures and name in self.plan.samples:
                self.pictures[k] = [self._picture(image) for image in self.plan.samples[name]]

    def _picture(self, image: Image) -> str:
        ending = Path(image.path).suffix.lower()
        ending = ending if ending in (".png", ".jpg", ".jpeg", ".webp", ".gif") else ".png"
        name = f"{image.sha256[:20]}{ending}"
        if f"pictures/{name}" not in self.out.kept:
            self.out.put(f"pictures/{name}", image.data)
        return name

    @cached_property
    def beside(self) -> dict[int, grids.Beside]:
        """What stands beside accuracies, by board."""
        plan, runs = self.plan, self.plan.answers.runs
        abilities = {}
        if plan.abilities is not None:
            by = {(run.examinee, run.condition): run.number for run in runs}
            abilities = {
                by[row["examinee"], row["condition"]]: (row["theta"], row["low"], row["high"])
                for row in plan.abilities.to_dict("records")
                if (row["examinee"], row["condition"]) in by and math.isfinite(row["theta"])
            }
        one = grids.Beside(
            plan.pages,
            {run.number: run.statuses.get("no_answer", 0) for run in runs},
            {run.number: run.failed for run in runs},
            {run.number: total / run.answers for run in runs
             if run.answers and (total := sum(run.tokens.values()))},
            {run.number: run.cost for run in runs if math.isfinite(run.cost)},
        )  # fmt: skip
        found = {}
        for board in plan.boards:
            known = {run: abilities[run] for run in board.table["run"] if run in abilities}
            found[board.number] = grids.Beside(
                one.pages, one.unread, one.failed, one.tokens, one.cost, known
            )
        return found

    def write_boards(self) -> None:
        """The first page, and a page per board and label."""
        plan, shown = self.plan, []
        for board in plan.boards:
            setting = plan.settings[board.condition]
            slices = []
            for label, table in board.slices.items():
                grid = grids.slice_grid(board, label, plan.pages)
                path = f"{grid.name}.html"
                title = f"{board.benchmark} by {label}, condition {setting}"
                self.page(path, "slice", title, grid_=grid)
                self.out.table(grid.file, grids.exported(table, ["value"]))
                slices.append((label, path))
            grid = grids.board_grid(board, setting, self.beside[board.number])
            self.out.table(grid.file, grids.exported(board.table))
            figure = f"figures/board-{board.number}.svg"
            self.out.put(figure, _board_figure(board, grid.title))
            shown.append({
                "board": board, "setting": setting, "slices": slices, "grid": grid,
                "figure": figure, "alt": f"Accuracies with {LEVEL:.0%} intervals; the numbers are "
                "those of the table.", "caption": "Accuracy with 95 % intervals. Dashed: chance. "
                "Shaded: people, where they answered. Right: rank sets.",
            })  # fmt: skip
        runs = plan.answers.runs
        unread = sum(run.statuses.get("no_answer", 0) for run in runs)
        total = sum(run.answers + run.missing for run in runs)
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
        notes = []
        if not any(run.role == "model" for run in runs):
            notes.append(
                "The journal holds no models: the limited observers are ranked in their place."
            )
        self.page("index.html", "index", plan.title, pairs=pairs, notes=notes, boards=shown)

    def write_models(self) -> None:
        """A page per examinee."""
        plan = self.plan
        by_name: dict[str, list[Run]] = {}
        for run in plan.answers.runs:
            by_name.setdefault(run.examinee, []).append(run)
        short = plan.answers.names()
        for name, runs in by_name.items():
            page = plan.pages[runs[0].number]
            pairs = [("Examinee", name), ("What", grids.ROLES[runs[0].role])]
            profiles = [p for board in plan.boards for run in runs
                        if (p := self._profile(board, run, page))]  # fmt: skip
            title = f"{short[name]}"
            self.page(
                f"models/{page}", "model", title, pairs=pairs, runs=_run_grid(runs, plan.settings),
                profiles=profiles,
            )  # fmt: skip

    def _profile(self, board: Board, run: Run, page: str) -> dict[str, Any] | None:
        if run.number not in set(board.table["run"]):
            return None
        found, tables = [], []
        for label, table in board.slices.items():
            own = pick(table, table["run"] == run.number)
            if len(own):
                tables.append((label, own))
                found.append(grids.profile_grid(own, f"p-{board.number}-{label}", label))
        figure = None
        if tables:
            label, own = tables[0]
            figure = f"{page.removesuffix('.html')}-{board.number}.svg"
            lines = [
                drawings.Line(str(r["value"]), r["accuracy"], r["low"], r["high"],
                              f"chance {grids.percent(r['chance'])}")
                for r in own.to_dict("records")
            ]  # fmt: skip
            title = f"Accuracy by {label}"
            self.out.put(f"figures/{figure}", drawings.intervals(title, lines))
        ranked = set(board.ranked)
        compare = f"../compare.html#board={board.number}&a={page}"
        return {
            "title": f"{board.benchmark}, condition {self.plan.settings[board.condition]}",
            "files": [(label, f"board-{board.number}-{label}") for label, _ in tables],
            "compare": compare if run.number in ranked and len(ranked) > 1 else "",
            "figure": figure and f"../figures/{figure}", "grids": found,
            "alt": "The numbers of the first table below.",
            "caption": f"Accuracy by {tables[0][0]} with 95 % intervals" if tables else "",
        }  # fmt: skip

    def write_comparisons(self) -> None:
        """The page of comparisons, its tables, and all pairs for the script."""
        plan, shown, numbers, titles = self.plan, [], [], []
        for board in plan.boards:
            if board.pairs is None:
                continue
            scores, clusters = scores_and_clusters(plan.answers, board.items, board.ranked)
            pairs = board.pairs.ordered(board.ranked)
            table = pair_table(pairs, scores, clusters, LEVEL)
            name = f"comparisons-{board.number}"
            listed = table
            if len(table) > PAIRS_SHOWN:
                after = {a: b for a, b in zip(board.ranked, board.ranked[1:], strict=False)}
                listed = table.loc[[after.get(a) == b for a, b in
                                    zip(table["first"], table["second"], strict=True)]]  # fmt: skip
            shown.append(_pair_grid(board, listed, plan, name))
            known = {run: str(n) for run, n in zip(board.table["run"], board.table["name"],
                                                   strict=True)}  # fmt: skip
            frame = listed.assign(
                first=[known[r] for r in listed["first"]],
                second=[known[r] for r in listed["second"]],
            )
            self.out.table(name, frame)
            document = {"runs": board.ranked, "items": board.items.tolist(),
                        "columns": _whole_columns(table)}  # fmt: skip
            self.out.put(f"data/pairs-{board.number}.js",
                         packed(f"pairs-{board.number}", document))  # fmt: skip
            numbers.append(board.number)
            titles.append(f"{board.benchmark}, condition {plan.settings[board.condition]}")
        marks = ["".join("-" if math.isnan(x) else str(round(9 * x)) for x in own)
                 for own in plan.answers.scores.T.tolist()]  # fmt: skip
        self.out.put("data/marks.js", packed("marks", marks))
        self.page(
            "compare.html", "compare", "Compare two", boards=numbers, titles=titles, grids=shown,
            level=LEVEL,
        )  # fmt: skip

    def write_items(self) -> None:
        """The list of items, and a page per item."""
        plan, lines, shown = self.plan, {}, []
        for board in plan.boards:
            table = item_statistics(plan.answers, board)
            setting = plan.settings[board.condition]
            ids = plan.answers.items["id"].iloc[table["item"]].tolist()
            self.out.table(f"items-{board.number}", table.drop(columns="item").assign(id=ids)[
                ["id", *table.columns[1:]]
            ])  # fmt: skip
            shown.append(_item_grid(board, table, ids, setting, plan.item_pages))
            for row in table.to_dict("records"):
                lines.setdefault(int(row["item"]), []).append(_item_line(row, board, setting))
        self.page("items.html", "items", "Items", grids=shown)
        twins = self._twins()
        by_shard: dict[int, dict[int, list[tuple[int, Shown]]]] = {}
        for k, item in enumerate(plan.answers.items.to_dict("records")):
            shard = k // plan.spool.per_shard
            if self.static and shard not in by_shard:
                held = plan.spool.of(shard) if shard in plan.spool.shards else {}
                by_shard = {shard: held}
            given = by_shard[shard].get(k, []) if self.static else None
            self._item_page(k, item, given, lines.get(k, []), twins.get(k))

    def _item_page(
        self,
        k: int,
        item: Mapping[Any, Any],
        given: list[tuple[int, Shown]] | None,
        statistics: list[str],
        twin: int | None,
    ) -> None:
        plan = self.plan
        labels = [("benchmark", item["benchmark"])] + [
            (name, ", ".join(value) if isinstance(value, tuple | list) else value)
            for name in plan.answers.labels[item["benchmark"]]
            if grids.known(value := item.get(name))
        ]
        replies = None if given is None else [
            {"name": plan.names[run], "page": plan.pages[run], "shown": excerpt(one, STATIC_TEXT)}
            for run, one in given
        ]  # fmt: skip
        page, items = plan.item_pages[k], plan.answers.items
        texts = None if twin is None else {
            "question": items["question"].iloc[twin], "page": plan.item_pages[twin]
        }  # fmt: skip
        answered = int(np.count_nonzero(~np.isnan(plan.answers.scores[k])))
        self.page(
            f"items/{page}", "item", item["id"], labels=labels, question=item["question"],
            choices=item["choices"], key=key_text(question_of(item, "default")),
            pictures=self.pictures.get(k, []), statistics=statistics, replies=replies, number=k,
            shard=f"replies-{k // plan.spool.per_shard}", twin=texts, answered=answered,
            **self._curve(k, page),
        )  # fmt: skip

    def _curve(self, k: int, page: str) -> dict[str, str]:
        """The file of the item's curve and what it shows; empty where there is no calibration."""
        known, entry = self.plan.calibration, self.plan.entries.get(k)
        if known is None or entry is None:
            return {"curve": "", "curve_alt": ""}
        theta = np.linspace(-4, 4, 33)
        of_entry = known.entries[known.place[entry]]
        share = np.asarray(of_entry.scores) / (of_entry.scores[-1] or 1.0)
        curve = share @ np.exp(known.curves(entry, theta).value)
        abilities = {
            run: at[0] for one in self.beside.values() for run, at in one.abilities.items()
        }
        points = [(at, float(x)) for run, at in abilities.items()
                  if not math.isnan(x := self.plan.answers.scores[k, run])]  # fmt: skip
        name = page.replace(".html", ".svg")
        self.out.put(f"figures/{name}", drawings.curve(
            "Expected score against ability", theta.tolist(), curve.tolist(), points
        ))  # fmt: skip
        row = known.table.iloc[known.place[entry]]
        told = f"a {row['a']:.2f}, b {row['b']:.2f} (SE {row['se_b']:.2f})" * bool(
            np.isfinite(row["b"])
        )
        return {"curve": name, "curve_alt": f"Curve of {entry}: {told}"}

    def _twins(self) -> dict[int, int]:
        """The text twin of every item with a picture that has one, by their numbers."""
        items = self.plan.answers.items
        if "twin" not in items:
            return {}
        stems = [
            (b, scene if isinstance(scene, str) else str(name).removesuffix("-text"))
            for b, scene, name in zip(
                items["benchmark"], items.get("scene", items["id"]), items["id"], strict=True
            )
        ]
        texts = {stem: k for k, (stem, kind) in enumerate(zip(stems, items["twin"], strict=True))
                 if kind == "text"}  # fmt: skip
        return {k: texts[stem] for k, (stem, kind) in
                enumerate(zip(stems, items["twin"], strict=True))
                if kind == "picture" and stem in texts}  # fmt: skip

    def write_replies(self) -> None:
        """The data files of replies, cut to what room is left."""
        plan = self.plan
        names = {
            "runs": [plan.names[k] for k in sorted(plan.names)],
            "pages": [plan.pages[k] for k in sorted(plan.pages)],
            "items": [str(name) for name in plan.answers.items["id"]],
            "itemPages": plan.item_pages,
        }
        self.out.put("data/names.js", packed("names", names))
        self.most = fitting_length(plan.spool, plan.max_bytes - self.out.bytes - 100_000)
        for shard, content in written_shards(plan.spool, self.most):
            self.out.put(f"data/replies-{shard}.js", content)

    def write_rest(self) -> None:
        """The search, the methods, and what all pages need."""
        plan = self.plan
        shards = [f"replies-{shard}" for shard in plan.spool.shards]
        said = left_out(self.most, self.static, STATIC_TEXT, plan.answers.repeated)
        pairs = [("Journals", ", ".join(plan.answers.sources)), ("Digest", plan.answers.digest)]
        held = said[0].rstrip(".").lower()
        self.page("search.html", "search", "Search replies", shards=shards, held=held)
        self.page(
            "about.html", "about", "Methods", pairs=pairs, notes=[*methods(plan.boards), *said],
            references=REFERENCES,
        )  # fmt: skip
        room = files("gfactor.reports").joinpath("templates", "leaderboard")
        self.out.put("assets/site.css", (style() + room.joinpath("leaderboard.css").read_text(
            "utf-8")).encode())  # fmt: skip
        self.out.put("assets/site.js", room.joinpath("leaderboard.js").read_text("utf-8").encode())
        total = sum(run.answers + run.missing for run in plan.answers.runs)
        state = {"kind": "gfactor leaderboard", "digest": plan.digest, "answers": total}
        self.out.put(MARKER, f"{json.dumps(state)}\n".encode())


def _board_figure(board: Board, title: str) -> bytes:
    rows = [row for row in board.table.to_dict("records") if row["run"] != MAJORITY]
    people = [row for row in rows if row["run"] == PEOPLE]
    lines = [
        drawings.Line(
            str(row["name"]), row["accuracy"], row["low"], row["high"], grids.places(row),
            not grids.known(row["best"]),
        )
        for row in rows
    ]  # fmt: skip
    levels = [row["chance"] for row in rows if grids.known(row["chance"])]
    band = (people[0]["low"], people[0]["high"]) if people else None
    return drawings.intervals(
        title, lines, chance=float(np.median(levels)) if levels else math.nan, band=band
    )


def _run_grid(runs: Sequence[Run], settings: Mapping[str, str]) -> grids.Grid:
    """What became of an examinee's answers, and what they cost."""
    statuses = list(dict.fromkeys(name for run in runs for name in run.statuses))
    kinds = list(dict.fromkeys(name for run in runs for name in run.tokens))
    heads = ["answers that count", "not counted", "failed attempts",
             *(f"status: {name.replace('_', ' ')}" for name in statuses),
             *(f"tokens: {name.replace('_', ' ')}" for name in kinds),
             "cost", "median seconds"]  # fmt: skip
    rows = tuple(
        grids.Row((
            grids.Cell(settings[run.condition]),
            *(grids.Cell(grids.number(n)) for n in (run.answers, run.missing, run.failed)),
            *(grids.Cell(grids.number(run.statuses.get(name, 0))) for name in statuses),
            *(grids.Cell(grids.number(run.tokens.get(name, 0))) for name in kinds),
            grids.Cell(grids.number(run.cost, 4)), grids.Cell(grids.number(run.latency, 2)),
        ))
        for run in runs
    )  # fmt: skip
    columns = (grids.Column("condition"), *(grids.Column(name, True) for name in heads))
    return grids.Grid("runs", "What became of the answers", columns, rows)


def _pair_grid(board: Board, table: pd.DataFrame, plan: Plan, name: str) -> grids.Grid:
    known = dict(zip(board.table["run"], board.table["name"], strict=True))
    heads = ("difference", "p (Holm)", "n", "better on", "worse on")
    columns = (grids.Column("first"), grids.Column("second"),
               *(grids.Column(text, True) for text in heads))  # fmt: skip
    rows = tuple(
        grids.Row((
            grids.Cell(str(known[row["first"]]), href=f"models/{plan.pages[row['first']]}"),
            grids.Cell(str(known[row["second"]]), href=f"models/{plan.pages[row['second']]}"),
            grids.Cell(grids.percent(row["estimate"]), grids.interval(row)),
            grids.Cell(grids.number(row["p_holm"], 4)), grids.Cell(grids.number(row["n"])),
            grids.Cell(grids.number(row["wins"])), grids.Cell(grids.number(row["losses"])),
        ))
        for row in table.to_dict("records")
    )  # fmt: skip
    every = len(board.ranked) * (len(board.ranked) - 1) // 2
    notes = () if len(table) == every else (
        f"Of {every:,} pairs, those of neighbors in the order; the script shows any.",
    )  # fmt: skip
    title = f"{board.benchmark}, condition {plan.settings[board.condition]}"
    return grids.Grid(name, f"Pairs: {title}", columns, rows, notes, name)


def _whole_columns(table: pd.DataFrame) -> list[list[int | None]]:
    """Columns of pairs for the script: shares in ten-thousandths, rounded; p rounded down, so that
    it stands on the same side of a level as before."""
    found: list[list[int | None]] = []
    for name in ("estimate", "low", "high", "p_holm", "n", "wins", "losses"):
        scale = 1e4 if name in ("estimate", "low", "high", "p_holm") else 1
        cut = math.floor if name == "p_holm" else round
        found.append([None if math.isnan(x) else cut(scale * x) for x in table[name].astype(float)])
    return found


def _item_grid(
    board: Board, table: pd.DataFrame, ids: Sequence[Any], setting: str, pages: Sequence[str]
) -> grids.Grid:
    people = bool(table["people_n"].any())
    heads = [
        "right (%)",
        "n",
        "correlation with the rest",
        *["people right (%)", "n people"] * people,
    ]
    columns = (grids.Column("item"), *(grids.Column(text, True) for text in heads))
    rows = []
    for name, row in zip(ids, table.to_dict("records"), strict=True):
        cells = [
            grids.Cell(str(name), href=f"items/{pages[int(row['item'])]}"),
            grids.Cell(grids.percent(row["difficulty"])), grids.Cell(grids.number(row["n"])),
            grids.Cell(grids.number(row["rest"], 2)),
        ]  # fmt: skip
        if people:
            share = row["people_right"] / row["people_n"] if row["people_n"] else math.nan
            cells += [grids.Cell(grids.percent(share)), grids.Cell(grids.number(row["people_n"]))]
        rows.append(grids.Row(tuple(cells)))
    name = f"items-{board.number}"
    return grids.Grid(
        name, f"{board.benchmark}, condition {setting}", columns, tuple(rows), (), name
    )


def _item_line(row: Mapping[Any, Any], board: Board, setting: str) -> str:
    rest = "" if math.isnan(row["rest"]) else f", correlation with the rest {row['rest']:.2f}"
    people = f"; people: {row['people_right']} of {row['people_n']}" * bool(row["people_n"])
    return (
        f"Condition {setting}: right by {row['right']:g} of {row['n']} ranked "
        f"examinees{rest}{people}."
    )
