"""gfactor study password: give the owner a new password."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument
from gfactor.cli.studies.new import owner_password
from gfactor.studies.questionnaires import StudyFolder


@click.command("password")
@folder_argument
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Set the owner's password anew; a running server has to be started again.

    It is made up and shown, or taken from GFACTOR_OWNER_PASSWORD.

    \b
    Example:
      gfactor study password study/
    """
    opened = StudyFolder.open(folder)
    password, show = owner_password()
    opened.set_password(password)
    if as_json:
        put_json({"password": password if show else None})
        return
    say(f"owner's password (kept nowhere): {password}" if show else f"{folder}: it is set")
