"""gfactor published: print the tables of the papers, with their misprints marked.

gfactor published
gfactor published multi-6
gfactor published m3gia-2 --format latex
gfactor published misprints --json

Without TABLE, the names of all tables are listed.
"""

from __future__ import annotations

import click

from gfactor.cli.common import put_json, say, say_entries
from gfactor.cli.constants import declared
from gfactor.cli.deriving import derived
from gfactor.cli.printing import function_of, put

HEADING = "Results"


@derived(
    __doc__,
    "published",
    {"name": "[TABLE]", "form": "--format"},
    optional=["name"],
    reads={
        "form": click.Choice(("text", *declared("gfactor.reports.writing.published", "FORMATS")))
    },
    twins=["available"],
)
def command(name: str | None, form: str = "text", *, as_json: bool) -> None:
    """Print a table of a paper.

    Parameters
    ----------
    form : str
        Format in which the table is printed.
    """
    if name is None:
        from gfactor.benchmarks.published import published_tables

        if as_json:
            put_json(list(published_tables().values()))
        else:
            say_entries(function_of("available")("published"))
        return
    table = function_of("published")(name)
    if not as_json and form != "text":
        from gfactor.reports.writing.published import printed

        say(printed(table, form).rstrip("\n"))
    else:
        put(table, as_json)
