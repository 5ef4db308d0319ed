"""gfactor study close: end a study for good."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument


@click.command("close")
@folder_argument
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Close a study: nobody begins or answers any more. This cannot be undone.

    A running server knows at once. Where study.toml says `disclose = "closed"`, participants who
    come back see the right answers from now on; that is why those in progress cannot go on.

    \b
    Example:
      gfactor study close study/

    Python: gfactor.study.close("study/")
    """
    ended = study.close(folder)
    put_json({"closed": ended}) if as_json else say(f"{folder}: closed at {ended}")
