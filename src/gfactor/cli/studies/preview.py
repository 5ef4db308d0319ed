"""gfactor study preview: every page of a study as a file."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, folder_option, seed_option


@click.command("preview")
@folder_argument
@folder_option("Folder to write to; made where it is missing.")
@seed_option("Of the answers that are given on the way.")
@json_option
def command(folder: Path, output: Path, seed: int, as_json: bool) -> None:
    """Write every page as participants see it, in each language, condition and state.

    index.html there has a link to each. Nothing is written into the study's folder.

    \b
    Example:
      gfactor study preview study/ -o preview/

    Python: gfactor.study.preview("study/", "preview/")
    """
    count = study.preview(folder, output, seed=seed)
    index = output / "index.html"
    put_json({"pages": count, "index": str(index)}) if as_json else say(f"{count} pages: {index}")
