"""gfactor campaign run: ask what is missing, within the budgets."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import campaign
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH
from gfactor.cli.verbs.run import spare_the_collector


@click.command("run")
@click.argument("file", metavar="FILE", type=PATH)
@json_option
def command(file: Path, as_json: bool) -> int:
    """Ask what a campaign's journal does not hold, within its budgets.

    All models are asked at once, their conditions and banks in turn, so that a campaign that is
    stopped early is balanced. The same command again goes on. Several at once, on one machine or,
    with a journal on PostgreSQL, on many, share the work, the limits and the budgets.

    The exit code is 0 where all is answered, 1 where only questions that failed are left (the same
    command asks them again), 3 where a budget is reached, 4 where a model was given up, 130 where
    it was interrupted.

    \b
    Example:
      gfactor campaign run campaign.toml
      gfactor campaign run campaign.toml --json 2> progress.log

    Python: gfactor.campaign.run("campaign.toml")
    """
    spare_the_collector()
    done = campaign.run(file)
    if as_json:
        put_json(done.to_dict())
    else:
        say(done.summary())
    return done.code
