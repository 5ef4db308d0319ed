"""gfactor annotate comments: write the comments on items and responses."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument


@click.command("comments")
@folder_argument
@click.option("-o", "--output", type=PATH, metavar="CSV", help="Write them as a table.")
@json_option
def command(folder: Path, output: Path | None, as_json: bool) -> None:
    """List the comments on items and responses, with author and time.

    \b
    Example:
      gfactor annotate comments workspace/ -o comments.csv

    Python: gfactor.annotate.comments("workspace/")
    """
    from gfactor.items.files import check_writable
    from gfactor.results import plain
    from gfactor.scoring.exporting import write_csv

    table = annotate.comments(folder)
    if output is not None:
        check_writable(output)
        write_csv(table, output)
    if as_json:
        put_json(plain(table))
        return
    for row in table.to_dict("records"):
        say(f"{row['created']} {row['annotator']} on {row['on']} {row['response'] or row['item']}: "
            f"{row['comment']}")  # fmt: skip
    say(f"{len(table):,} comments" + (f" in {output}" if output else ""))
