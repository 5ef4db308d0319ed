"""gfactor annotate comments: write the comments on items and responses.

gfactor annotate comments workspace/ -o comments.csv
"""

from pathlib import Path

from gfactor.api import annotate
from gfactor.cli.common import plain, put_json, say, write_table
from gfactor.cli.deriving import derived


@derived(__doc__, "annotate.comments", {"output": "-o CSV"})
def command(folder: Path, output: Path | None = None, *, as_json: bool) -> None:
    """Print the comments, or write them.

    Parameters
    ----------
    output : path, optional
        CSV file to which the comments are written.
    """
    table = annotate.comments(folder)
    write_table(table, output)
    if as_json:
        put_json(plain(table))
        return
    for row in table.to_dict("records"):
        say(f"{row['created']} {row['annotator']} on {row['on']} {row['response'] or row['item']}: "
            f"{row['comment']}")  # fmt: skip
    say(f"{len(table):,} comments" + (f" in {output}" if output else ""))
