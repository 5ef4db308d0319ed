"""Tables of a leaderboard: cells with links for its pages."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from gfactor.frames import pick
from gfactor.psychometrics.inference.claim import claim_in_words
from gfactor.psychometrics.inference.differences import FEW_CLUSTERS
from gfactor.psychometrics.norms import Standing
from gfactor.reports.leaderboard.standings import LEVEL, BenchmarkStandings
from gfactor.results import number_of
from gfactor.scoring.summaries import ENOUGH_ITEMS

DASH = "\N{EN DASH}"
ROLES: Mapping[str, str] = {
    "model": "model",
    "ideal": "ideal observer",
    "population": "limited observer",
    "person": "people",
    "baseline": "trivial baseline",
    "computed": "trivial baseline",
}
"""Name of every role."""

SET_NOTE = (
    "Rank sets instead of ranks: all together hold all true ranks with a probability of "
    f"{LEVEL:.0%} (Mogstad et al. 2024, with Holm's adjustment over both directions of all pairs). "
    "Two whose sets overlap may stand in either order."
)


@dataclass(frozen=True)
class PageCell:
    """A cell: its text, a smaller text after it, and the address of its link."""

    text: str
    more: str = ""
    href: str = ""


@dataclass(frozen=True)
class PageColumn:
    """A column: its heading, a smaller text after it, and True if it holds numbers.

    `kind` marks the column of the rows' kinds, which a narrow screen hides to leave room for
    numbers.
    """

    heading: str
    number: bool = False
    under: str = ""
    kind: bool = False


@dataclass(frozen=True)
class PageRow:
    """A row; filters use its `kind`, and narrow screens show `what` below its name."""

    cells: tuple[PageCell, ...]
    kind: str = ""
    what: str = ""


@dataclass(frozen=True)
class PageTable:
    """A table of a page; `file` is the name of its CSV and JSON files, "" for none, and `root`
    leads to the site's root."""

    name: str
    title: str
    columns: tuple[PageColumn, ...]
    rows: tuple[PageRow, ...]
    notes: tuple[str, ...] = ()
    file: str = ""
    root: str = ""

    @property
    def numeric(self) -> bool:
        """Return True if all columns but the first hold numbers, which the page then marks once."""
        return all(column.number for column in self.columns[1:])


def percent(value: Any) -> str:
    """Return a share in points of 100, with one decimal; a zero has no sign."""
    return DASH if not is_present(value) else f"{100 * float(value):z.1f}"


def is_present(value: Any) -> bool:
    """Return True if there is a value."""
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def interval(row: Mapping[Any, Any]) -> str:
    """Return the interval of a row, in points of 100."""
    if not is_present(row["low"]) or not is_present(row["high"]):
        return ""
    return f"[{percent(row['low'])}, {percent(row['high'])}]"


def rank_set(row: Mapping[Any, Any]) -> str:
    """Return the rank set of a row."""
    if not is_present(row["best"]):
        return ""
    best, worst = int(row["best"]), int(row["worst"])
    return str(best) if best == worst else f"{best}{DASH}{worst}"


def number(value: Any, decimals: int = 0) -> str:
    """Return a number with separators of thousands."""
    return DASH if not is_present(value) else f"{float(value):,.{decimals}f}"


def role_text(row: Mapping[Any, Any]) -> str:
    """Return the kind of a row, in words; people with their number and that of their items."""
    text = ROLES[row["role"]]
    if not is_present(row["persons"]):
        return text
    items = number_of(int(row["items"]), "item")
    return f"{text}, {number_of(int(row['persons']), 'person')}, {items}"


def name_cell(row: Mapping[Any, Any], pages: Mapping[int, str], root: str) -> PageCell:
    """Return the name of a run, which leads to its page."""
    page = pages.get(int(row["run"]), "")
    return PageCell(str(row["name"]), href=f"{root}models/{page}" if page else "")


@dataclass(frozen=True)
class Beside:
    """Additional columns of a board, by run.

    Parameters
    ----------
    pages : mapping of int to str
        File name of the page of a run.
    unread, failed : mapping of int to int
        Answers in which no answer could be read, and failed attempts.
    tokens, cost : mapping of int to float
        Per answer, and in all; without those that are not known.
    abilities : mapping of int to tuple
        Ability with the ends of its interval; empty without a calibration.
    among : mapping of int to Standing
        Positions of runs among the people of norms; empty without norms.
    notes : tuple of str
        Sentences about these columns.
    """

    pages: Mapping[int, str] = field(default_factory=dict)
    unread: Mapping[int, int] = field(default_factory=dict)
    failed: Mapping[int, int] = field(default_factory=dict)
    tokens: Mapping[int, float] = field(default_factory=dict)
    cost: Mapping[int, float] = field(default_factory=dict)
    abilities: Mapping[int, tuple[float, float, float]] = field(default_factory=dict)
    among: Mapping[int, Standing] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def claim_note(board: BenchmarkStandings) -> str:
    """Return a sentence on the claim of a board's numbers, and on the other claim shown beside
    it."""
    text = f"Every interval, difference and rank set here {board.sampling.words}."
    if not board.beside:
        return text
    words = claim_in_words(board.beside, board.sampling.domains)
    column = other_heading(board)
    return f"{text} The column “{column}” has interval and rank set of a score that {words}."


def other_heading(board: BenchmarkStandings) -> str:
    """Return the heading of the column with the other claim."""
    return f"{board.beside.replace('-', ' ')} (%)"


def other_cell(row: Mapping[Any, Any]) -> PageCell:
    """Return the interval and rank set of a row under the other claim."""
    other = {name: row.get(f"other_{name}") for name in ("low", "high", "best", "worst")}
    return PageCell(interval(other), f"#{rank_set(other)}" * is_present(other["best"]))


WHAT = PageColumn("what", kind=True)
"""The column of the rows' kinds."""


def with_kinds(grid: PageTable) -> PageTable:
    """Add the kind of each row below its name, for narrow screens without room for the column.

    Ranked rows of a single kind get no such text.
    """
    position = grid.columns.index(WHAT)
    ranked = {row.cells[position].text for row in grid.rows if row.kind == "ranked"}

    def needs_words(row: PageRow) -> bool:
        alike = row.kind == "ranked" and len(ranked) == 1
        return not alike and row.cells[0].text != row.cells[position].text

    return replace(grid, rows=tuple(
        replace(row, what=row.cells[position].text * needs_words(row)) for row in grid.rows
    ))  # fmt: skip


def without_zeros(grid: PageTable, headings: Collection[str]) -> PageTable:
    """Leave out columns with these headings that have only zeros.

    A note names the columns, so that a reader knows that nothing failed.
    """
    zeros = [
        k for k, column in enumerate(grid.columns)
        if column.heading in headings
        and all(row.cells[k].text in (DASH, "0", "0.0") for row in grid.rows)
    ]  # fmt: skip
    if not zeros:
        return grid
    left = [k for k in range(len(grid.columns)) if k not in zeros]
    names = ", ".join(grid.columns[k].heading.removesuffix(" (%)") for k in zeros)
    return replace(
        grid,
        columns=tuple(grid.columns[k] for k in left),
        rows=tuple(replace(row, cells=tuple(row.cells[k] for k in left)) for row in grid.rows),
        notes=(*grid.notes, f"Nowhere above 0, so without a column: {names}."),
    )


def overview_grid(
    boards: Sequence[BenchmarkStandings], titles: Sequence[str], pages: Mapping[int, str]
) -> PageTable:
    """Return models and references by boards, ordered by name: accuracy, interval, rank set; no
    mean."""
    columns = [PageColumn("who"), WHAT]
    cells: dict[tuple[str, str], list[PageCell]] = {}
    first: dict[tuple[str, str], Mapping[Any, Any]] = {}
    for position, (board, title) in enumerate(zip(boards, titles, strict=True)):
        columns.append(PageColumn(title, True, f"n {len(board.items):,}"))
        for row in board.table.to_dict("records"):
            if row["role"] == "computed":
                continue
            key = (str(row["name"]), ROLES[row["role"]])
            first.setdefault(key, row)
            line = cells.setdefault(key, [PageCell(DASH)] * len(boards))
            rank = f"#{rank_set(row)}" * is_present(row["best"])
            more = " ".join(filter(None, (interval(row), rank)))
            line[position] = PageCell(percent(row["accuracy"]), more)
    kinds = list(dict.fromkeys(ROLES.values()))
    order = sorted(cells, key=lambda key: (kinds.index(key[1]), key[0]))
    rows = tuple(
        PageRow((name_cell(first[key], pages, ""), PageCell(key[1]), *cells[key]),
            "ranked" if is_present(first[key]["best"]) else key[1])
        for key in order
    )  # fmt: skip
    note = (
        "Accuracy (%) [interval] rank set. Each column is a board of its own; there is no mean "
        "over benchmarks, as their items are not a sample of one thing."
    )
    grid = PageTable("overview", "Models and benchmarks", tuple(columns), rows, (note,), "overview")
    return with_kinds(grid)


def board_grid(board: BenchmarkStandings, setting: str, beside: Beside) -> PageTable:
    """Return the table of a board."""
    more: list[tuple[str, Mapping[int, Any], int]] = [
        ("not read", beside.unread, 0), ("failed attempts", beside.failed, 0),
    ]  # fmt: skip
    more += [(name, values, decimals) for name, values, decimals in (
        ("tokens per answer", beside.tokens, 0), ("cost", beside.cost, 4),
    ) if values]  # fmt: skip
    heads = ["accuracy (%)", "n", "chance (%)", "read leniently (%)", "format errors (%)"]
    ability = ["ability"] * bool(beside.abilities)
    among = ["percentile among people", "T among people"] * bool(beside.notes)
    other = [other_heading(board)] * bool(board.beside)
    columns = (
        PageColumn("who"), WHAT, PageColumn("rank set", True),
        *(PageColumn(text, True) for text in [*heads[:1], *other, *heads[1:], *ability, *among]),
        *(PageColumn(name, True) for name, _, _ in more),
    )  # fmt: skip
    rows = []
    for row in board.table.to_dict("records"):
        run = int(row["run"])
        cells = [
            name_cell(row, beside.pages, ""), PageCell(role_text(row)), PageCell(rank_set(row)),
            PageCell(percent(row["accuracy"]), interval(row)), *[other_cell(row)] * bool(other),
            PageCell(number(row["n"])),
            *(PageCell(percent(row[name])) for name in ("chance", "lenient", "format_errors")),
        ]  # fmt: skip
        if ability:
            at = beside.abilities.get(run)
            cells.append(
                PageCell(f"{at[0]:.2f}", f"[{at[1]:z.2f}, {at[2]:z.2f}]") if at else PageCell(DASH)
            )
        if among:
            cells += among_cells(beside.among.get(run))
        cells += [PageCell(number(values.get(run), digits)) for _, values, digits in more]
        rows.append(
            PageRow(tuple(cells), "ranked" if is_present(row["best"]) else ROLES[row["role"]])
        )
    notes = [claim_note(board)]
    notes += [SET_NOTE, *few_clusters(board)] if board.pairs is not None else []
    notes += [*_fewer_items(board), *beside.notes]
    grid = PageTable(
        f"board-{board.number}", setting, columns, tuple(rows),
        tuple(notes), f"board-{board.number}",
    )  # fmt: skip
    return without_zeros(with_kinds(grid), ("format errors (%)", "not read", "failed attempts"))


def _fewer_items(board: BenchmarkStandings) -> list[str]:
    """Name the ranked examinees that answered clearly fewer items than there are."""
    alone = without_common_items(board)
    items = len(board.items) - board.unlinked_items
    fewer = [
        f"{row['name']} ({int(row['n']):,})"
        for row in board.table.to_dict("records")
        if is_present(row["best"]) and row["n"] <= ENOUGH_ITEMS * items
    ]
    notes = [other_items(board)] if alone else []
    if fewer:
        notes.append(
            f"Answers to fewer than the {items:,} items: {', '.join(fewer)}. Their accuracy is of "
            "these alone; rank sets rest on the items that both of a pair answered. Rows are in "
            "the order of accuracy."
        )
    return notes


def without_common_items(board: BenchmarkStandings) -> list[tuple[str, int]]:
    """Return the examinees without a rank, with their numbers of items, because no common item
    links them to the ranked ones."""
    rows = board.table.to_dict("records")
    return [(str(r["name"]), int(r["n"])) for r in rows if int(r["run"]) in board.unlinked]


def other_items(board: BenchmarkStandings) -> str:
    """Return the warning on examinees without a rank that common items do not link to the ranked
    ones; "" if there are none."""
    alone = without_common_items(board)
    names = ", ".join(f"{name} ({n:,} items)" for name, n in alone)
    others = "the ranked examinees" if board.ranked else "any other examinee"
    return names and (
        f"No item of {board.benchmark} in common with {others}: {names}. Such an accuracy says "
        "nothing about order, so there is no rank; if the items are the same, their ids or texts "
        "differ."
    )


def among_cells(standing: Standing | None) -> list[PageCell]:
    """Return percentile and T score with their intervals; an infinite end is a dash."""
    if standing is None:
        return [PageCell(DASH), PageCell(DASH)]
    return [
        PageCell(number(value, 1), f"[{number(low, 1)}, {number(high, 1)}]")
        for value, low, high in (
            (standing.percentile, standing.percentile_low, standing.percentile_high),
            (standing.t_area, standing.t_area_low, standing.t_area_high),
        )
    ]


def few_clusters(board: BenchmarkStandings) -> list[str]:
    """Return a warning if the items have too few clusters for narrow intervals; else nothing."""
    claim = board.sampling.claim
    if board.pairs is None or claim != "other-domains" or len(board.pairs.names) < 2:
        return []
    most = int(board.pairs.clusters.max())
    if most >= FEW_CLUSTERS:
        return []
    return [
        f"The items fall into {most} domains, too few for narrow intervals "
        "of differences: rank sets are wide for that reason too."
    ]


def slice_grid(board: BenchmarkStandings, label: str, pages: Mapping[int, str]) -> PageTable:
    """Return runs by the values of a label: accuracy, interval and rank set in every cell."""
    table = board.slices[label]
    values = list(dict.fromkeys(table["value"]))
    runs = [run for run in board.table["run"] if (table["run"] == run).any()]
    cells = {(r["run"], r["value"]): r for r in table.to_dict("records")}
    columns = [PageColumn("who"), WHAT]
    shared = {}
    for value in values:
        part = pick(table, table["value"] == value)
        most = int(max(part["n"]))
        shared[value] = most
        chance = part["chance"].dropna()
        chance_text = f", chance {percent(chance.iloc[0])}" if len(chance) else ""
        columns.append(PageColumn(str(value), True, f"n {most}{chance_text}"))
    rows = []
    of_all = {row["run"]: row for row in board.table.to_dict("records")}
    for run in runs:
        first = of_all[run]
        line = [name_cell(first, pages, ""), PageCell(role_text(first))]
        for value in values:
            row = cells.get((run, value))
            line.append(PageCell(DASH) if row is None else _slice_cell(row, shared[value]))
        rows.append(
            PageRow(tuple(line), "ranked" if is_present(first["best"]) else ROLES[first["role"]])
        )
    name = f"board-{board.number}-{label}"
    return with_kinds(PageTable(
        name, f"{board.benchmark} by {label}: accuracy (%) [interval] rank set", tuple(columns),
        tuple(rows), (SET_NOTE + " Each column is a family of its own.",), name,
    ))  # fmt: skip


def _slice_cell(row: Mapping[Any, Any], most: int) -> PageCell:
    fewer = f"n {int(row['n'])}" * (row["n"] != most)
    if is_present(row["persons"]):
        fewer = ", ".join(filter(None, (fewer, number_of(int(row["persons"]), "person"))))
    rank = f"#{rank_set(row)}" * is_present(row["best"])
    return PageCell(percent(row["accuracy"]), " ".join(filter(None, (interval(row), rank, fewer))))


def profile_grid(table: pd.DataFrame, name: str, title: str) -> PageTable:
    """Return a run by the values of a label."""
    columns = (PageColumn(title), *(PageColumn(text, True) for text in
               ("accuracy (%)", "n", "chance (%)", "format errors (%)", "rank set")))  # fmt: skip
    rows = tuple(
        PageRow((
            PageCell(str(row["value"])), PageCell(percent(row["accuracy"]), interval(row)),
            PageCell(number(row["n"])), PageCell(percent(row["chance"])),
            PageCell(percent(row["format_errors"])), PageCell(rank_set(row)),
        ))
        for row in table.to_dict("records")
    )  # fmt: skip
    return without_zeros(PageTable(name, f"By {title}", columns, rows), ("format errors (%)",))
