"""gfactor study pause: let nobody begin for now."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument


@click.command("pause")
@folder_argument
@click.option("--sentence", default="", help="What newcomers read.")
@click.option("--off", is_flag=True, help="End the pause: people can begin again.")
@json_option
def command(folder: Path, sentence: str, off: bool, as_json: bool) -> None:
    """Pause a study: nobody begins, those who have begun may finish.

    A running server knows at once.

    \b
    Example:
      gfactor study pause study/ --sentence "We are back on Monday."
      gfactor study pause study/ --off

    Python: gfactor.study.pause("study/"), gfactor.study.resume("study/")
    """
    if off:
        was = study.resume(folder)
        said = "it goes on" if was else "it was not paused"
    else:
        _ = study.pause(folder, sentence)
        said = "paused; those who have begun may finish"
    put_json({"paused": not off}) if as_json else say(f"{folder}: {said}")
