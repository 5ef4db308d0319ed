"""gfactor study password: a new password for the owner."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import say
from gfactor.cli.studies.new import owner_password
from gfactor.studies.questionnaires import StudyFolder


@click.command("password")
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
def command(folder: Path) -> None:
    """Set the owner's password anew; pages that are open have to be opened again.

    It is made up and shown, or taken from GFACTOR_OWNER_PASSWORD.

    \b
    Example:
      gfactor study password study/
    """
    opened = StudyFolder.open(folder)
    password, show = owner_password()
    opened.set_password(password)
    say(f"owner's password (kept nowhere): {password}" if show else f"{folder}: it is set")
