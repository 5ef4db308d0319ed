"""gfactor study owners: who may see and change a study."""

from __future__ import annotations

import os
from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import folder_argument, pilot_option
from gfactor.errors import ParameterError

ROLES = declared("gfactor.studies.questionnaires.owners", "ROLES")

PASSWORD = "GFACTOR_OWNER_PASSWORD"
"""The environment variable that may hold an owner's password."""


@click.command("owners")
@folder_argument
@click.argument("action", type=click.Choice(["list", "add", "remove"]), default="list")
@click.argument("name", required=False)
@click.option(
    "--role",
    type=click.Choice(list(ROLES)),
    default="viewer",
    show_default=True,
    help="With add: an owner may do everything, a viewer reads only.",
)
@pilot_option
@json_option
def command(
    folder: Path, action: str, name: str | None, role: str, pilot: bool, as_json: bool
) -> None:
    """List those who may see a study; add or remove somebody.

    A password is made up and shown once, or taken from GFACTOR_OWNER_PASSWORD; only its hash is
    kept. Who is added again gets the new role and password. A running server knows at once. The
    pilot has a list of its own.

    \b
    Example:
      gfactor study owners study/ add anna --role viewer
      gfactor study owners study/ remove anna

    Python: gfactor.study.owners("study/", add="anna", role="viewer")
    """
    if (name is None) != (action == "list"):
        raise ParameterError("give a name after add and remove, and none after list")
    show, password = False, None
    if action == "add":
        password, show = owner_password()
    table = study.owners(
        folder,
        add=name if action == "add" else None,
        remove=name if action == "remove" else None,
        role="owner" if role == "owner" else "viewer",
        password=password,
        pilot=pilot,
    )
    shown = table.drop(columns="password", errors="ignore").to_dict("records")
    if as_json:
        put_json({"owners": shown, **({"password": password} if show else {})})
        return
    for row in shown:
        say(f"{row['name']}: {row['role']}")
    if show:
        say(f"password of {name} (kept nowhere): {password}")


def owner_password() -> tuple[str, bool]:
    """The owner's password, and whether it was made up here: then it has to be shown."""
    from gfactor.studies.web.secrets import new_password

    given = os.environ.get(PASSWORD)
    return (given, False) if given is not None else (new_password(), True)
