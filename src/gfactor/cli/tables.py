"""Options that the analyses of a table of scores share: its file, rows, columns and groups."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.common import put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.declarations import declaration
from gfactor.cli.groups import table_options
from gfactor.cli.options import together
from gfactor.cli.printing import function_of
from gfactor.cli.spelling import options_of
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    import pandas as pd

    from gfactor.api.table_selection import TableSelection

ALL_BENCHMARKS = declared("gfactor.psychometrics.given", "ALL_BENCHMARKS")

_SPELLED = {
    "data": "JOURNAL|DATA.csv", "group": "--group COLUMN", "by": "--by LABEL", "page": "-o FOLDER",
}  # fmt: skip
_PARAMETERS = declaration("put_groups", "gfactor.cli.tables").parameters
_OPTIONS = {
    one.name: options_of([one], _SPELLED)
    for one in _PARAMETERS
    if one.name in ("data", "group", "by", "condition", "benchmark", "page")
}

TABLE = together(
    _OPTIONS["data"], table_options,
    *(_OPTIONS[name] for name in ("group", "by", "condition", "benchmark", "page")),
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
    analyze: Callable[[Any], Analyzed],
    as_json: bool,
    group: str | None = None,
    by: str | None = None,
    condition: str | None = None,
    benchmark: str | None = None,
    page: Path | None = None,
    usual: str = "domain",
) -> None:
    """Print what an analysis says of a table, or of each group of its rows.

    Parameters
    ----------
    data : path
    selection : TableSelection
        Rows and columns of the table.
    analyze : function
        Takes scores of one benchmark, or of all that `benchmark` asks for together.
    as_json : bool
        Whether to print documents in place of text.
    group : str, optional
        Analyze the rows of each value of this column separately.
    by : str, optional
        Columns of a journal: "item", or a label of the items as "domain".
    condition : str, optional
        A journal's condition; needed if it has several.
    benchmark : str, optional
        Benchmark of a journal, or of columns BENCHMARK:INDEX; needed if there are several. "all"
        takes the items of all columns as one measurement.
    page : path, optional
        Write a page with tables and figures.
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
