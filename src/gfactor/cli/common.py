"""What verbs share: the `--json` option, output, tables on a terminal."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import click

from gfactor.escaping import visible, visible_json

json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as JSON, for machines."
)


def say(text: str) -> None:
    """A line of the result, to standard output; what a terminal would obey is escaped."""
    click.echo(visible(text))


def put_json(value: Any) -> None:
    """The result for machines: one JSON document on standard output."""
    document = json.dumps(value, indent=2, sort_keys=False, allow_nan=False, ensure_ascii=False)
    click.echo(visible_json(document))


def by_group(data: Any, results: Sequence[tuple[str | None, dict[str, Any]]]) -> dict[str, Any]:
    """The document of one result, or of a result per group."""
    if len(results) == 1 and results[0][0] is None:
        return {"data": str(data), **results[0][1]}
    return {"data": str(data), "groups": {str(name): document for name, document in results}}


def say_group(column: str | None, name: str | None) -> None:
    """The heading of one group's results; nothing without groups."""
    if column is not None:
        say(f"\n{column} = {name}")


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as lines: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if index == 0 else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
