"""Options that the analyses of a table of scores share: its file, rows, columns and groups."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gfactor.cli.common import put_json, say
from gfactor.cli.declarations import group_of
from gfactor.cli.deriving import options_of
from gfactor.cli.options import data_argument, group_option, together

if TYPE_CHECKING:
    from gfactor.api.table_selection import TableSelection

_GROUP = group_of("gfactor.api.table_selection", "TableSelection")
_OPTIONS = options_of(
    _GROUP,
    {
        "columns": "--columns NAMES",
        "drop": "--drop NAMES",
        "identifier": "--id COLUMN",
        "where": "--where CONDITION",
    },
)


def table_options(command: Any) -> Any:
    """Add the options of `gfactor.api.table_selection.TableSelection`; the command gets it as
    `selection`."""

    @functools.wraps(command)
    def selecting(*args: Any, **given: Any) -> Any:
        from gfactor.api.table_selection import TableSelection

        selection = TableSelection(**{one.name: given.pop(one.name) for one in _GROUP})
        return command(*args, selection=selection, **given)

    return _OPTIONS(selecting)


TABLE = together(data_argument, table_options, group_option)
"""DATA.csv, its rows and columns, and `--group`."""

ABOUT = """DATA.csv has a row per person or model and a column per indicator; a first column of
names is left out. Diagnostics are printed first."""


def put_groups(
    data: Path,
    selection: TableSelection,
    group: str | None,
    as_json: bool,
    analyze: Callable[[Any], tuple[dict[str, Any], str]],
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
        Takes scores, and returns the document and the text of the result.
    """
    from gfactor.api.table_selection import scores_by_group

    documents: dict[str | None, Any] = {}
    for name, scores in scores_by_group(data, selection, group):
        documents[name], text = analyze(scores)
        if not as_json:
            say(text if group is None else f"\n{group} = {name}\n{text}")
    if as_json and group is None:
        put_json({"data": str(data), **documents[None]})
    elif as_json:
        put_json({"data": str(data), "groups": documents})
