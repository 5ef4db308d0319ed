"""gfactor annotate gold: say the known category of some responses.

gfactor annotate gold workspace/ known.csv
"""

from pathlib import Path

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "annotate.gold", {"folder": "FOLDER", "table": "FILE.csv"})
def command(folder: Path, table: Path, as_json: bool) -> None:
    counts = annotate.gold(folder, table)
    put_json({"gold": counts}) if as_json else say(f"{counts:,} responses have a known category")
