"""gfactor annotate backup: copy an annotation workspace while it is served.

gfactor annotate backup workspace/ -o backups/ --keep 14
"""

from pathlib import Path

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "annotate.backup", {"folder": "FOLDER", "path": "-o FOLDER"})
def command(folder: Path, path: Path, keep: int, as_json: bool) -> None:
    written = annotate.backup(folder, path, keep=keep)
    put_json({"backup": str(written)}) if as_json else say(f"{written}: whole")
