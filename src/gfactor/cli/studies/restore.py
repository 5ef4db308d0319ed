"""gfactor study restore: make a study of a backup."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_option


@click.command("restore")
@click.argument("backup", metavar="BACKUP", type=PATH)
@folder_option("Folder of the study; new or empty.")
@json_option
def command(backup: Path, output: Path, as_json: bool) -> None:
    """Make a study of a backup, or of the newest in a folder of backups.

    Its files are compared with what was written; a changed one is refused.

    \b
    Example:
      gfactor study restore backups/ -o study/

    Python: gfactor.study.restore("backups/", "study/")
    """
    written = study.restore(backup, output)
    put_json({"folder": str(written)}) if as_json else say(f"{written}: restored")
