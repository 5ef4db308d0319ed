"""gfactor study status: how a study goes."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, pilot_option


@click.command("status")
@folder_argument
@pilot_option
@json_option
def command(folder: Path, pilot: bool, as_json: bool) -> None:
    """Progress, quota, marks, and who dropped out where; the same as the owner's page.

    \b
    Example:
      gfactor study status study/

    Python: gfactor.study.status("study/")
    """
    import pandas as pd

    seen = study.status(folder, pilot=pilot)
    if as_json:
        put_json(
            {"facts": dict(seen.facts), "dropout": list(seen.dropout), "people": list(seen.people)}
        )
        return
    for name, value in seen.facts:
        say(f"{name}: {value}")
    if seen.dropout:
        say(f"\n{pd.DataFrame(seen.dropout).to_string(index=False, na_rep='-')}")
