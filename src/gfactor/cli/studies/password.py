"""gfactor study password: give the owner a new password."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument
from gfactor.cli.studies.owners import owner_password


@click.command("password")
@folder_argument
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Set the owner's password anew; a running server has to be started again.

    It is made up and shown, or taken from GFACTOR_OWNER_PASSWORD.

    \b
    Example:
      gfactor study password study/

    Python: gfactor.study.password("study/")
    """
    built, show = owner_password()
    study.password(folder, built)
    if as_json:
        put_json({"password": built if show else None})
        return
    say(f"owner's password (kept nowhere): {built}" if show else f"{folder}: it is set")
