"""gfactor annotate annotators: what everybody has done, how well, in what time.

gfactor annotate annotators workspace/
"""

from pathlib import Path

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "annotate.annotators", {"folder": "FOLDER"})
def command(folder: Path, as_json: bool) -> None:
    from gfactor.results import plain, rounded

    table = annotate.annotators(folder)
    if as_json:
        put_json(plain(table))
    elif len(table):
        say(rounded(table, 3).to_string(index=False))
    else:
        say("Nobody is invited yet: gfactor annotate invite.")
