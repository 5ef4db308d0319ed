"""gfactor annotate agreement: how well annotators agree.

gfactor annotate agreement workspace/
"""

from pathlib import Path

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "annotate.agreement", {"folder": "FOLDER"})
def command(folder: Path, as_json: bool) -> None:
    from gfactor.results import plain

    table = annotate.agreement(folder)
    if as_json:
        put_json(plain(table))
        return
    for row in table.to_dict("records"):
        say(f"{row['what']}: {row['said']}")
