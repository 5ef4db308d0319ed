"""gfactor study log: what a study's owners did."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, pilot_option


@click.command("log")
@folder_argument
@pilot_option
@json_option
@click.pass_context
def command(context: click.Context, folder: Path, pilot: bool, as_json: bool) -> None:
    """Show what owners did, on the pages and here: logins, pauses, rulings, exports, deletions.

    Rows are only added, each with the digest of all before it. Where one was changed or deleted,
    the command says which, and its exit code is 1.

    \b
    Example:
      gfactor study log study/

    Python: gfactor.study.log("study/")
    """
    log = study.log(folder, pilot=pilot)
    if as_json:
        put_json({"actions": log.actions.to_dict("records"), "problem": log.problem})
    else:
        for row in log.actions.to_dict("records"):
            detail = f": {row['detail']}" if row["detail"] else ""
            say(f"{row['number']} {row['created'][:19]} {row['who']} {row['action']}{detail}")
        whole = f"{len(log.actions)} actions; none was changed or deleted"
        say(f"the log is not whole: {log.problem}" if log.problem else whole)
    if log.problem:
        context.exit(1)
