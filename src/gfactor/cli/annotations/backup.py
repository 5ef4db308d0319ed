"""gfactor annotate backup: copy an annotation workspace while it is served."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, folder_option, keep_option


@click.command("backup")
@folder_argument
@folder_option("Folder of the backups; made where it is missing.")
@keep_option
@json_option
def command(folder: Path, output: Path, keep: int, as_json: bool) -> None:
    """Copy a workspace into a new folder named by the time (UTC), also while it is served.

    Everything acknowledged before is in it; it is checked before it gets its name. It holds the
    secrets: keep it where only you can read it.

    \b
    Example:
      gfactor annotate backup workspace/ -o backups/ --keep 14

    Python: gfactor.annotate.backup("workspace/", "backups/", keep=14)
    """
    written = annotate.backup(folder, output, keep=keep)
    put_json({"backup": str(written)}) if as_json else say(f"{written}: whole")
