"""gfactor study person: a participant's data by receipt code, to export or delete.

gfactor study person study/ abcde-fghjk-mnpqr-stuvw --export data.json
gfactor study person study/ abcde-fghjk-mnpqr-stuvw --delete
"""

from pathlib import Path
from typing import Any

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

SPELLED = {"folder": "FOLDER", "receipt": "RECEIPT", "path": "--export FILE"}


@derived(__doc__, "study.person", SPELLED)
def command(
    folder: Path, receipt: str, delete: bool, path: Path | None, pilot: bool, as_json: bool
) -> None:
    data: dict[str, Any] = study.person(folder, receipt, delete=delete, path=path, pilot=pilot)
    if as_json:
        put_json({"deleted": delete, "data": data})
        return
    say(f"{len(data['answers'])} answers since {data['consent']['given'][:16]}")
    if path is not None:
        say(f"written to {path}")
    if delete:
        say("deleted, from the files of the study too; backups made before may hold the person:")
        say(f"  gfactor study backups BACKUPS {folder}")
