"""gfactor study export: people's answers, for analysis and payment."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, folder_option, pilot_option


@click.command("export")
@folder_argument
@folder_option("Folder to write to; made where it is missing.")
@click.option(
    "--without-invalid", is_flag=True, help="Leave invalid submissions out of the journal."
)
@click.option("--finished-only", is_flag=True, help="Leave unfinished submissions out, too.")
@click.option(
    "--identifiers", is_flag=True, help="Write the recruiting service's ids into bonus.csv."
)
@pilot_option
@json_option
def command(
    folder: Path,
    output: Path,
    without_invalid: bool,
    finished_only: bool,
    identifiers: bool,
    pilot: bool,
    as_json: bool,
) -> None:
    """Write journal.db (people as examinees), a Psych-DS data set, bonus.csv, declaration.json.

    The journal works like a model's: gfactor score, matrix, report. A journal of models can take
    people in: export into the folder where it lies as journal.db.

    \b
    Example:
      gfactor study export study/ -o people/
      gfactor matrix people/journal.db --by type -o people.csv

    Python: gfactor.study.export("study/", "people/")
    """
    done = study.export(
        folder,
        output,
        keep_invalid=not without_invalid,
        finished_only=finished_only,
        identifiers=identifiers,
        pilot=pilot,
    )
    if as_json:
        put_json(
            {
                "people": done.people,
                "answers": done.answers,
                "amendments": done.amendments,
                "files": [str(f) for f in done.files],
            }
        )
        return
    say(f"{done.people} people, {done.answers:,} answers")
    if done.amendments:
        say(f"the study was amended {done.amendments} times since its first participant")
    for path in done.files:
        say(f"  {path}")
