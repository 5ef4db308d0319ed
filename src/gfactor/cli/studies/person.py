"""gfactor study person: a participant's data by receipt code, to export or delete."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument, pilot_option


@click.command("person")
@folder_argument
@click.argument("receipt")
@click.option("--export", "export", type=PATH, metavar="FILE", help="Write everything as JSON.")
@click.option("--delete", is_flag=True, help="Delete everything. This cannot be undone.")
@pilot_option
@json_option
def command(
    folder: Path, receipt: str, export: Path | None, delete: bool, pilot: bool, as_json: bool
) -> None:
    """Export or delete what is stored of one participant, who gives their receipt code.

    Participants can do the same themselves at /receipt. After a deletion no file of the study holds
    the person. Exports that were written before do, and backups may: write exports anew, and see
    `study backups`.

    \b
    Example:
      gfactor study person study/ abcde-fghjk-mnpqr-stuvw --export data.json
      gfactor study person study/ abcde-fghjk-mnpqr-stuvw --delete

    Python: gfactor.study.person("study/", receipt, delete=True)
    """
    data = study.person(folder, receipt, delete=delete, path=export, pilot=pilot)
    if as_json:
        put_json({"deleted": delete, "data": data})
        return
    say(f"{len(data['answers'])} answers since {data['consent']['given'][:16]}")
    if export is not None:
        say(f"written to {export}")
    if delete:
        say("deleted, from the files of the study too; backups made before may hold the person:")
        say(f"  gfactor study backups BACKUPS {folder}")
