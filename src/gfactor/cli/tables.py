"""Options that the analyses of a table of scores share: its file, rows, columns and groups."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.deriving import PAGE_OPTION, function_of
from gfactor.cli.groups import table_options
from gfactor.cli.options import group_option, together
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    import pandas as pd

    from gfactor.api.table_selection import TableSelection

ALL_BENCHMARKS = declared("gfactor.psychometrics.given", "ALL_BENCHMARKS")

_JOURNAL = together(
    click.option(
        "--by",
        metavar="LABEL",
        help='What a journal\'s columns are: "item", or a label of the items as "domain".',
    ),
    click.option(
        "--condition", metavar="KEY", help="A journal's condition; needed if it has several."
    ),
    click.option(
        "--benchmark",
        metavar="NAME",
        help="Benchmark of a journal, or of columns BENCHMARK:INDEX; needed if there are several. "
        '"all" takes the items of all columns as one measurement.',
    ),
)
"""Options of a journal in the place of a table, and the benchmark of either."""

TABLE = together(
    click.argument("data", metavar="JOURNAL|DATA.csv", type=PATH), table_options, group_option,
    _JOURNAL, PAGE_OPTION,
)  # fmt: skip
"""DATA.csv, its rows and columns, and `--group`; or a journal; and -o FOLDER."""

ABOUT = """DATA.csv has a row per person or model and a column per indicator; a first column of
names is left out. Of a journal the examinees are rows, without baselines and the ideal observer.
Diagnostics are printed first."""


@dataclass(frozen=True)
class Analyzed:
    """The document and the text of an analysis, and what writes its page to a folder."""

    document: dict[str, Any]
    text: str
    write: Callable[[Path], Any]


def put_groups(
    data: Path,
    selection: TableSelection,
    group: str | None,
    as_json: bool,
    analyze: Callable[[Any], Analyzed],
    page: Path | None,
    by: str | None,
    condition: str | None,
    benchmark: str | None,
    usual: str = "domain",
) -> None:
    """Print what an analysis says of a table, or of each group of its rows.

    Parameters
    ----------
    data : path
        The file of the table.
    selection : TableSelection
        Its rows and columns.
    group : str, optional
        The column whose values are analyzed separately.
    as_json : bool
        Whether to print documents in place of text.
    analyze : function
        Takes scores of one benchmark, or of all that `benchmark` asks for together.
    page : path, optional
        The folder for the page of the result; with `group` it has a folder for each.
    by, condition : str, optional
        What is taken of a journal.
    benchmark : str, optional
        The benchmark of a journal, or of the columns of a table.
    usual : str
        The columns of a journal where `by` names none.
    """
    from gfactor.administration.opening import is_journal
    from gfactor.api.table_selection import scores_by_group
    from gfactor.psychometrics.given import items_of_one_benchmark

    of_journal = {"--by": by, "--condition": condition}
    if is_journal(data):
        parts = [(None, _scores(data, selection, group, by or usual, condition, benchmark))]
    elif given := [name for name, value in of_journal.items() if value is not None]:
        raise ParameterError(f"{given[0]} is for a journal; {str(data)!r} is a table of scores")
    else:
        parts = (
            (name, items_of_one_benchmark(scores, benchmark, repr(str(data))))
            for name, scores in scores_by_group(data, selection, group)
        )
    documents: dict[str | None, Any] = {}
    for number, (name, scores) in enumerate(parts, 1):
        analysis = analyze(scores)
        documents[name] = analysis.document
        if not as_json:
            say(analysis.text if group is None else f"\n{group} = {name}\n{analysis.text}")
        if page is not None:
            written = analysis.write(page if group is None else page / _folder_of(number, name))
            if not as_json:
                say(f"open {written.path}")
    if as_json and group is None:
        put_json({"data": str(data), **documents[None]})
    elif as_json:
        put_json({"data": str(data), "groups": documents})


def put_result(name: str, given: dict[str, Any], usual: str) -> None:
    """Print the result of a function of the public face for a table, or for each group of its rows.

    Parameters
    ----------
    name : str
        The function, which takes scores first.
    given : dict
        All options of the command: the function's own, and those of the table.
    usual : str
        The columns of a journal where `by` names none.
    """
    function = function_of(name)
    own_options = inspect.signature(function).parameters.keys() & given.keys() - {"benchmark"}
    settings = {option: given.pop(option) for option in own_options}

    def analyze(scores: Any) -> Analyzed:
        result = function(scores, **settings, benchmark=ALL_BENCHMARKS)
        return Analyzed(result.to_dict(), result.summary(), result.report)

    put_groups(**given, analyze=analyze, usual=usual)


def _folder_of(number: int, group: str | None) -> str:
    """Return a folder's name for a group, which no other group has."""
    return f"{number}-{re.sub(r'[^A-Za-z0-9_]+', '-', group or '').strip('-')}".rstrip("-")


def _scores(
    journal: Path, selection: TableSelection, group: str | None, by: str, condition: str | None,
    benchmark: str | None,
) -> pd.DataFrame:  # fmt: skip
    """The scores of a journal, and of its columns those that were selected."""
    from gfactor.api.journal_scores import scores_of_journal
    from gfactor.api.table_selection import EVERYTHING

    if group is not None:
        raise ParameterError(
            f"--group is for tables; {str(journal)!r} is a journal: choose a condition with "
            "--condition and a benchmark with --benchmark"
        )
    scores = scores_of_journal(journal, by, condition, benchmark)
    return scores if selection == EVERYTHING else selection.of(scores, str(journal))
