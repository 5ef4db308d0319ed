"""gfactor campaign status: how far a campaign is."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import campaign
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH


@click.command("status")
@click.argument("file", metavar="FILE", type=PATH)
@json_option
def command(file: Path, as_json: bool) -> int:
    """Print, by the journal, what is done, has failed and is left of every cell, the money that is
    spent and expected, the time left and how many processes are at work; nobody is asked.

    The exit code is 0 where all is answered, 1 where only questions that failed are left, 3 where a
    budget is reached, 4 where questions are left.

    \b
    Example:
      gfactor campaign status campaign.toml
      gfactor campaign status campaign.toml --json

    Python: gfactor.campaign.status("campaign.toml")
    """
    seen = campaign.status(file)
    if as_json:
        put_json(seen.to_dict())
    else:
        say(seen.summary())
    return seen.code
