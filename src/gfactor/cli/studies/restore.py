"""gfactor study restore: make a study of a backup.

gfactor study restore backups/ -o study/
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "study.restore", {"path": "BACKUP", "folder": "-o FOLDER"})
def command(path: Path, folder: Path, as_json: bool) -> None:
    written = study.restore(path, folder)
    put_json({"folder": str(written)}) if as_json else say(f"{written}: restored")
