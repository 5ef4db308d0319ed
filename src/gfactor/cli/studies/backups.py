"""gfactor study backups: list backups with what was deleted since.

gfactor study backups backups/ study/
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "study.backups", {"path": "BACKUPS", "folder": "FOLDER"})
def command(path: Path, folder: Path, as_json: bool) -> None:
    table = study.backups(path, folder)
    if as_json:
        put_json({"backups": table.to_dict("records")})
        return
    for row in table.to_dict("records"):
        finding = "holds nobody who was deleted"
        if row["clean_from"]:
            finding = (
                f"may hold {row['participants']} participants and {row['recruiting_ids']} "
                f"recruiting ids deleted since; backups from {row['clean_from'][:19]} UTC on hold "
                "none of them"
            )
        say(f"{row['backup']}: {finding}")
    if not len(table):
        say(f"{path} holds no backup")
