"""gfactor study close: end a study."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument


@click.command("close")
@folder_argument
@click.option("--reopen", is_flag=True, help="Open a closed study again.")
@json_option
def command(folder: Path, reopen: bool, as_json: bool) -> None:
    """Close a study: nobody begins or answers any more.

    A running server knows at once. Where study.toml says `disclose = "closed"`, participants who
    come back see the right answers from now on; that is why those in progress cannot go on, and
    why the study cannot be opened again. Any other can.

    \b
    Example:
      gfactor study close study/
      gfactor study close study/ --reopen

    Python: gfactor.study.close("study/"), gfactor.study.reopen("study/")
    """
    if reopen:
        was = study.reopen(folder)
        said = "open again" if was else "it was not closed"
        put_json({"closed": None}) if as_json else say(f"{folder}: {said}")
        return
    ended = study.close(folder)
    put_json({"closed": ended}) if as_json else say(f"{folder}: closed at {ended}")
