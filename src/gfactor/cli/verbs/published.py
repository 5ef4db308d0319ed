"""gfactor published: print the tables of the papers, with their misprints marked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from gfactor.cli.common import json_option, put_json, say

if TYPE_CHECKING:
    from gfactor.benchmarks.published import Published
    from gfactor.reports.table_registry import Table

HEADING = "Results"


FORMATS = ("text", "csv", "markdown", "latex")
"""Forms in which a table can be printed."""


@click.command("published")
@click.argument("name", metavar="[TABLE]", default="")
@click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="How the table is printed.",
)
@json_option
def command(name: str, form: str, as_json: bool) -> None:
    """Print a table of the papers of M3GIA, MM-IQ, MULTI or GOLD; without TABLE list them.

    The figures are the papers'; what does not add up in a table is said below it. The table
    misprints lists all of that, with what is right.

    \b
    Example:
      gfactor published
      gfactor published multi-6
      gfactor published m3gia-2 --format latex
      gfactor published misprints --json

    Python: gfactor.published("multi-6"), gfactor.available("published")
    """
    from gfactor.api.catalog import published

    if not name:
        _list(as_json)
        return
    table = published(name)
    if as_json:
        put_json({**table.to_dict(), "misprints": _known(table)})
        return
    say(_printed(as_table(table), form).rstrip("\n"))


def as_table(table: Published) -> Table:
    """A published table for the formats of reports, with its source and misprints as notes."""
    from gfactor.reports.table_registry import Table

    wrong = [_as_note(known) for known in _known(table)]
    notes = [f"Source: {table.source}", *filter(None, [table.note]), *wrong]
    return Table(table.title, table.frame, notes=tuple(notes), decimals=_decimals(table))


def _as_note(known: Mapping[str, str | None]) -> str:
    where, why = known["place"], known["why"]
    if known["correct"] is None:
        return f"{where}: {why}."
    if known["kind"] in ("conflict", "text"):
        return f"{where} is {known['printed']}, and elsewhere {known['correct']}: {why}."
    return (
        f"Misprint: {where} is printed {known['printed']}, and {known['correct']} is right: {why}."
    )


def _decimals(table: Published) -> int:
    """As many as the table's figures have, at most three."""
    import numpy as np

    numbers = table.frame.select_dtypes("number").to_numpy(dtype=float).ravel()
    known = numbers[np.isfinite(numbers)]
    fits = (d for d in range(4) if np.allclose(known, np.round(known, d), rtol=0, atol=1e-9))
    return next(fits, 3)


def _known(table: Published) -> list[dict[str, str | None]]:
    from gfactor.benchmarks.published import misprints

    if table.name == "misprints":
        return []
    frame = misprints()
    notes = frame.loc[[name == table.name for name in frame["table"]]]
    plain = notes.astype(object).where(notes.notna(), None)
    return [{str(k): v for k, v in row.items()} for row in plain.to_dict("records")]


def _list(as_json: bool) -> None:
    from gfactor.benchmarks.published import published_tables

    tables = published_tables()
    if as_json:
        put_json(list(tables.values()))
        return
    width = max(map(len, tables))
    for table, about in tables.items():
        where = f" ({about['place']})" if about["place"] else ""
        say(f"{table:<{width}}  {about['title']}{where}")


def _printed(table: Table, form: str) -> str:
    from gfactor.reports.formatting import to_csv, to_latex, to_markdown

    if form == "text":
        frame = table.frame.to_string(index=False, na_rep="-")
        return "\n".join([table.title, "", frame, "", *table.notes])
    return {"csv": to_csv, "markdown": to_markdown, "latex": to_latex}[form](table)
