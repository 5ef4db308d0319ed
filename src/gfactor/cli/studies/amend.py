"""gfactor study amend: record a change of study.toml after the first participant."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument


@click.command("amend")
@folder_argument
@click.option("--reason", required=True, help="Why; it stands in every export.")
@json_option
def command(folder: Path, reason: str, as_json: bool) -> None:
    """Record that study.toml was changed after the first participant had come.

    A study is frozen then: a changed one is refused by every command until the change is taken
    back or recorded here, with its date and reason, for all exports. The bank cannot be amended.

    \b
    Example:
      gfactor study amend study/ --reason "Quota raised from 100 to 150 before any analysis"

    Python: gfactor.study.amend("study/", reason)
    """
    from gfactor.studies.questionnaires import StudyFolder

    changes = study.amend(folder, reason)
    if as_json:
        put_json({"changes": changes, "digest": StudyFolder.open(folder).declaration.digest})
        return
    for one in changes:
        say(f"{one['setting']}: {one['before']!r} -> {one['after']!r}")
    say("recorded" if changes else "nothing has changed since the study was declared")
