"""gfactor study backups: list backups with what was deleted since."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument


@click.command("backups")
@click.argument("backups", metavar="BACKUPS", type=PATH)
@folder_argument
@json_option
def command(backups: Path, folder: Path, as_json: bool) -> None:
    """List the backups of a study with what has been deleted since each was made.

    Who was deleted is in no backup that was made afterwards. Older ones may hold them: delete
    these, or let newer ones replace them (`study backup --keep`).

    \b
    Example:
      gfactor study backups backups/ study/

    Python: gfactor.study.backups("backups/", "study/")
    """
    table = study.backups(backups, folder)
    if as_json:
        put_json({"backups": table.to_dict("records")})
        return
    for row in table.to_dict("records"):
        held = "holds nobody who was deleted"
        if row["clean_from"]:
            held = (
                f"may hold {row['participants']} participants and {row['recruiting_ids']} "
                f"recruiting ids deleted since; backups from {row['clean_from'][:19]} UTC on hold "
                "none of them"
            )
        say(f"{row['backup']}: {held}")
    if not len(table):
        say(f"{backups} holds no backup")
