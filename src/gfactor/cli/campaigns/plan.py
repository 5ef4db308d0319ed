"""gfactor campaign plan: what a campaign will ask, and what it will take."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import campaign
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH


@click.command("plan")
@click.argument("file", metavar="FILE", type=PATH)
@json_option
def command(file: Path, as_json: bool) -> None:
    """Print the cells of a campaign (bank, model, condition, occasion) with the questions that are
    left, their estimated tokens and money, the hours, and what the estimate rests on.

    Nobody is asked. Banks that the file wants built are built. What the journal holds is not asked
    again, and corrects the estimate of the rest.

    \b
    Example:
      gfactor campaign plan campaign.toml

    Python: gfactor.campaign.plan("campaign.toml")
    """
    planned = campaign.plan(file)
    if as_json:
        put_json(planned.to_dict())
    else:
        say(planned.summary())
