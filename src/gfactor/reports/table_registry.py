"""Table of a report, and the registry that finds every one of them."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

import pandas as pd

from gfactor.registry import Registry
from gfactor.reports.answers.results import Results
from gfactor.scoring import shares

T = TypeVar("T")


@dataclass(frozen=True)
class Table:
    """A table: plain numbers in a frame, and their presentation.

    Parameters
    ----------
    title : str
        Its caption.
    frame : DataFrame
        One column per quantity; proportions from 0 to 1. A column X with X_low and X_high
        beside it is shown with that interval, in a stacked table also with the number of
        observations in X_n. The first column names the row.
    percent : list of str
        Columns shown as percentages.
    headings : dict of str to str
        Headings of columns whose own names are unsuitable.
    notes : list of str
        Notes for the reader, below the table.
    folded : bool
        True if the page shows the table folded.
    decimals : int
        Number of decimals of values that are no percentages.
    stacked : bool
        True to put intervals and n below their numbers: for tables with many columns.
    p_values : list of str
        Columns of p-values, which are written as `gfactor.numbers_in_text.p_value` does.
    csv_only : list of str
        Columns that stand in the CSV file only.
    open_ends : bool
        True if an interval with one end missing is open there, and is shown as "3.4 or more" or
        "3.4 or less".
    censored : dict of str to str
        Column that says on which side of the observed range the value of a column lies: a value
        with "below" is shown as "< 1", one with "beyond" as "> 7".

    Examples
    --------
    >>> import pandas as pd
    >>> from gfactor.reports import Table
    >>> Table("Means", pd.DataFrame({"model": ["m"], "mean": [0.5]}), percent=("mean",)).title
    'Means'
    """

    title: str
    frame: pd.DataFrame
    percent: tuple[str, ...] = ()
    headings: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    folded: bool = False
    decimals: int = 2
    stacked: bool = False
    p_values: tuple[str, ...] = ()
    csv_only: tuple[str, ...] = ()
    open_ends: bool = False
    censored: Mapping[str, str] = field(default_factory=dict)
    _value_by_function: dict[Callable[[Table], Any], Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def once(self, make: Callable[[Table], T]) -> T:
        """Return the value of a function of this table: computed once, and not to be changed."""
        if make not in self._value_by_function:
            self._value_by_function[make] = make(self)
        return self._value_by_function[make]


@dataclass(frozen=True)
class Maker(Generic[T]):
    """A registered table or figure: the function that makes it, its section, and its place in the
    section.

    `needs` are its necessary inputs: columns of the answers for a table, names of tables for a
    figure. It is not made if one is absent. `benchmarks` are the benchmarks that can have it; empty
    for all that have the inputs.
    """

    make: Callable[..., T | None]
    section: str
    order: int
    needs: tuple[str, ...]
    benchmarks: tuple[str, ...] = ()

    def suits(self, benchmark: str) -> bool:
        """Return True if a benchmark can have it."""
        return not self.benchmarks or benchmark in self.benchmarks


TABLES: Registry[Maker[Table]] = Registry(
    "table", home="gfactor.reports.tables", group="gfactor.tables"
)

MakeTable = Callable[[Results], Table | None]


def table(
    name: str,
    section: str,
    order: int,
    needs: tuple[str, ...] = (),
    benchmarks: tuple[str, ...] = (),
) -> Callable[[MakeTable], MakeTable]:
    """Register a function from results to a table (or None if there is nothing to show).

    `name` is the file name of the exports; `section` one of
    `gfactor.reports.writing.report_folder.SECTIONS`. If `benchmarks` are named, the function gets
    the answers to the first of them that is present.

    Parameters
    ----------
    name : str
        File name of the exports.
    section : str
        Name of one of `gfactor.reports.writing.report_folder.SECTIONS`.
    order : int
        Tables are made and shown in this order.
    needs : list of str
        Columns of the answers that it cannot do without.
    benchmarks : list of str
        Benchmarks that can have the table; all if none is named.

    Returns
    -------
    callable
        A decorator of a function from results to a table, or None if there is nothing to
        show.

    Raises
    ------
    ValueError
        If a table of this name is registered already.

    Examples
    --------
    >>> from gfactor.reports import TABLES
    >>> TABLES["summary"].section
    'summary'
    """

    def decorate(make: MakeTable) -> MakeTable:
        TABLES.add(name, Maker(make, section, order, needs, benchmarks))
        return make

    return decorate


def make_tables(results: Results, names: Container[str] | None = None) -> dict[str, Table]:
    """Return every table that can be made of these results, by section and order.

    Parameters
    ----------
    results : Results
        Results of a journal.
    names : collection of str, optional
        Names of the tables to make; by default all.

    Returns
    -------
    dict of str to Table
        Name to table.

    Examples
    --------
    >>> import gfactor as gf
    >>> bank = gf.build("percept-v", domains=["change_colour"], sizes=[1], path="pv.parquet")
    >>> journal = gf.run(bank, ["observer:ideal", "baseline:constant"], journal="c.db")
    >>> from gfactor.reports import Results, make_tables
    >>> "summary" in make_tables(Results.from_journal(journal))
    True
    """
    tables: dict[str, Table] = {}
    for name, maker in sorted(TABLES.items(), key=lambda entry: (entry[1].order, entry[0])):
        chosen = _results_for(maker, results) if names is None or name in names else None
        if chosen is not None:
            one_table = maker.make(chosen)
            if one_table is not None and len(one_table.frame):
                tables[name] = one_table
    reading_note = _reading_note(results)
    return {
        name: replace(one, notes=(*one.notes, reading_note))
        if reading_note and name != "reading"
        else one
        for name, one in tables.items()
    }


def _results_for(maker: Maker[Table], results: Results) -> Results | None:
    """The results that a table is made of; None if they lack what it needs."""
    benchmarks = [name for name in maker.benchmarks if name in results.benchmarks]
    if maker.benchmarks and not benchmarks:
        return None
    chosen = results.of(benchmarks[0]) if benchmarks else results
    return chosen if all(column in chosen.answers for column in maker.needs) else None


def can_be_made(name: str, results: Results) -> bool:
    """Return True if the results have what a table needs."""
    return name in TABLES and _results_for(TABLES[name], results) is not None


def _reading_note(results: Results) -> str:
    """A sentence for every table where answers were not all read by rules; else ""."""
    answers = results.answers
    read = shares(answers) if "stage" in answers else {}
    parts = {"judge": "read by the judge", "draw": "random draws", "missing": "missing"}
    phrases = [f"{100 * read[k]:.1f} % {words}" for k, words in parts.items() if read.get(k)]
    if not phrases:
        return ""
    return (
        f"Of all {len(answers):,} responses, {', '.join(phrases)}; by examinee: the table of how "
        "the answers were read."
    )
