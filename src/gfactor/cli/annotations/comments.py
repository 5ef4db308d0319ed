"""gfactor annotate comments: write the comments on items and responses.

gfactor annotate comments workspace/ -o comments.csv
"""

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.values import PATH

OUTPUT = click.option(
    "-o", "--output", type=PATH, metavar="CSV", help="CSV file to which the comments are written."
)


@derived(__doc__, "annotate.comments", {"folder": "FOLDER"}, options=[OUTPUT])
def command(folder: Path, output: Path | None, as_json: bool) -> None:
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
