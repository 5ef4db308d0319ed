"""gfactor study jspsych: write a study as a static experiment."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import folder_argument, folder_option

JSPSYCH = declared("gfactor.studies.questionnaires.jspsych", "JSPSYCH")


@click.command("jspsych")
@folder_argument
@folder_option("Folder to write to; made where it is missing.")
@click.option(
    "--forms",
    type=click.IntRange(1, 100_000),
    default=20,
    show_default=True,
    metavar="N",
    help="How many participants' forms.",
)
@click.option("--library", default=JSPSYCH, show_default=True, help="Where jsPsych 8 lies.")
@json_option
def command(folder: Path, output: Path, forms: int, library: str, as_json: bool) -> None:
    """Write a study as a jsPsych experiment, for a web server of one's own.

    Nothing in it tells the right answers. Consent, resuming, pay and challenges are the served
    study's; here they are the laboratory's own affair.

    \b
    Example:
      gfactor study jspsych study/ -o experiment/ --forms 80

    Python: gfactor.study.jspsych("study/", "experiment/", forms=80)
    """
    count = study.jspsych(folder, output, forms=forms, library=library)
    if as_json:
        put_json({"forms": forms, "items": count})
        return
    say(f"{output}: {forms} forms of {count:,} items; open index.html through a web server")
