"""gfactor annotate invite: give people a password to log in with."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument


@click.command("invite")
@folder_argument
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--adjudicator", is_flag=True, help="They decide between drafts and see all items.")
@click.option("--again", is_flag=True, help="Replace the password of who was invited before.")
@json_option
def command(
    folder: Path, names: tuple[str, ...], adjudicator: bool, again: bool, as_json: bool
) -> None:
    """Give people a password each; it is shown once, and only its hash is kept.

    Who was invited before keeps the password, unless --again replaces it.

    \b
    Example:
      gfactor annotate invite workspace/ first second
      gfactor annotate invite workspace/ third --adjudicator

    Python: gfactor.annotate.invite("workspace/", ["first", "second"])
    """
    links = annotate.invite(folder, names, adjudicator=adjudicator, again=again)
    if as_json:
        put_json(links)
        return
    for name, password in links.items():
        say(f"{name}: {password}")
