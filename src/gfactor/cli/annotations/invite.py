"""gfactor annotate invite: give people a password to log in with."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument
from gfactor.studies.annotation import Project, check_name


@click.command("invite")
@folder_argument
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--adjudicator", is_flag=True, help="They decide between drafts and see all items.")
@json_option
def command(folder: Path, names: tuple[str, ...], adjudicator: bool, as_json: bool) -> None:
    """Give people a password each; it is shown once, and only its hash is kept.

    Inviting somebody again gives a new password.

    \b
    Example:
      gfactor annotate invite workspace/ first second
      gfactor annotate invite workspace/ third --adjudicator
    """
    project = Project.open(folder)
    role = "adjudicator" if adjudicator else "annotator"
    for name in names:
        check_name(name)
    links = {name: project.invite(name, role) for name in names}
    if as_json:
        put_json(links)
        return
    for name, password in links.items():
        say(f"{name}: {password}")
