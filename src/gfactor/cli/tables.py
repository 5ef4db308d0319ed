"""Analyses of a table of scores, of each group of its rows, or of a journal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import click

from gfactor.cli.common import put_json
from gfactor.cli.declarations import declaration
from gfactor.cli.deriving import derived
from gfactor.cli.printing import PAGE_OPTION, function_of, put_parts
from gfactor.cli.spelling import TABLE_OPTIONS, options_of

ABOUT = """DATA.csv has a row per person or model and a column per indicator; a first column with
names is not analyzed. From a journal, the rows are its examinees, without baselines and the ideal
observer. The output begins with diagnostics."""


def by_groups(
    text: str | None,
    function: str,
    spelled: Mapping[str, str] = MappingProxyType({}),
    *,
    without: Sequence[str] = (),
    usual: str = "domain",
    keep: str | None = None,
    helps: Mapping[str, str] = MappingProxyType({}),
) -> click.Command:
    """Make a command that prints the result of a function for a table, or for each group of it.

    Parameters
    ----------
    text, function, spelled, without, helps
        As in `derived`; the function takes scores first.
    usual : str
        The columns of a journal if `by` names none.
    keep : str, optional
        Parameter of the function that names columns of the table which are no scores.
    """
    parts = declaration("scores_in_parts", "gfactor.api.analyses.journal_scores").parameters
    table = options_of(
        [one for one in parts if one.name not in ("usual", "keep")],
        TABLE_OPTIONS | {"data": "JOURNAL|DATA.csv"},
    )

    @derived(
        text, function, spelled, helps=helps, without=["scores", "benchmark", *without],
        options=[table, PAGE_OPTION], about=ABOUT,
    )  # fmt: skip
    def command(as_json: bool, page: Path | None, **given: Any) -> None:
        from gfactor.api.analyses.journal_scores import scores_in_parts

        source = {one.name: given.pop(one.name) for one in parts if one.name in given}
        columns = (given[keep] if keep else None) or ()
        read = scores_in_parts(**source, usual=usual, keep=columns)
        documents: dict[str | None, Any] = {}
        for number, (name, scores) in enumerate(read, 1):
            # What is one measurement was decided above.
            result = function_of(function)(scores, **given, benchmark="all")
            documents[name] = result.to_dict()
            folder = page if page is None or name is None else page / _folder_of(number, name)
            written = None if folder is None else result.report(folder)
            heading = "" if name is None else f"\n{source['group']} = {name}\n"
            if not as_json:
                put_parts({}, [heading + result.summary()], as_json, written)
        if as_json:
            alone = documents.get(None)
            put_json({"data": str(source["data"]), **(alone or {"groups": documents})})

    return command


def _folder_of(number: int, group: str) -> str:
    """Return a folder's name for a group, which no other group has."""
    return f"{number}-{re.sub(r'[^A-Za-z0-9_]+', '-', group).strip('-')}".rstrip("-")
