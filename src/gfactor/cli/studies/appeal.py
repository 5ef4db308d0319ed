"""gfactor study appeal: pay a participant whom the study's rule excludes."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, pilot_option


@click.command("appeal")
@folder_argument
@click.argument("person")
@click.option("--reason", required=True, metavar="TEXT", help="Stands in the log; name nobody.")
@click.option("--reject", is_flag=True, help="Take back that they are paid.")
@pilot_option
@json_option
def command(
    folder: Path, person: str, reason: str, reject: bool, pilot: bool, as_json: bool
) -> None:
    """Pay a participant although [payment] in study.toml excludes them.

    PERSON is their code, or their id at the recruiting service. The files that `study payments`
    writes afterwards follow the decision, which stands in the log with its reason.

    \b
    Example:
      gfactor study appeal study/ p7h3kq9xw2 --reason "the questions were known from the pilot"

    Python: gfactor.study.appeal("study/", "p7h3kq9xw2", "the questions were known")
    """
    excluded = study.appeal(folder, person, reason, uphold=not reject, pilot=pilot)
    if as_json:
        put_json({"person": person, "paid": not reject, "excluded_by_rule": list(excluded)})
        return
    word = "not paid" if reject else "paid"
    say(f"{person}: {word}; by the rule excluded for {', '.join(excluded)}")
