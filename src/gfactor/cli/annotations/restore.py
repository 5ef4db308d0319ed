"""gfactor annotate restore: make an annotation workspace of a backup.

gfactor annotate restore backups/ -o workspace/
"""

from pathlib import Path

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "annotate.restore", {"path": "BACKUP", "folder": "-o FOLDER"})
def command(path: Path, folder: Path, as_json: bool) -> None:
    written = annotate.restore(path, folder)
    put_json({"folder": str(written)}) if as_json else say(f"{written}: restored")
