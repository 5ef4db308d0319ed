"""gfactor study backup: copy a study while it is served.

gfactor study backup study/ -o backups/ --keep 14
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "study.backup", {"folder": "FOLDER", "path": "-o FOLDER"})
def command(folder: Path, path: Path, keep: int, as_json: bool) -> None:
    written = study.backup(folder, path, keep=keep)
    put_json({"backup": str(written)}) if as_json else say(f"{written}: whole")
