"""gfactor study owners: who may see and change a study.

gfactor study owners study/ add anna --role viewer
gfactor study owners study/ remove anna
"""

import os
from pathlib import Path
from typing import Any

import click

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.errors import ParameterError

PASSWORD = "GFACTOR_OWNER_PASSWORD"
"""The environment variable that may hold an owner's password."""

ACTION = click.argument("action", type=click.Choice(["list", "add", "remove"]), default="list")
NAME = click.argument("name", required=False)
ABOUT = """A password is made up and shown once, or taken from GFACTOR_OWNER_PASSWORD; only its hash
is kept. A running server knows at once."""


@derived(__doc__, "study.owners", {"folder": "FOLDER"}, without=["add", "remove", "password"],
         options=[ACTION, NAME], about=ABOUT)  # fmt: skip
def command(folder: Path, action: str, name: str | None, as_json: bool, **given: Any) -> None:
    if (name is None) != (action == "list"):
        raise ParameterError("give a name after add and remove, and none after list")
    password, show = owner_password() if action == "add" else (None, False)
    chosen = {} if name is None else {action: name}
    table = study.owners(folder, **chosen, password=password, **given)
    owners = table.drop(columns="password", errors="ignore").to_dict("records")
    if as_json:
        put_json({"owners": owners, **({"password": password} if show else {})})
        return
    for row in owners:
        say(f"{row['name']}: {row['role']}")
    if show:
        say(f"password of {name} (kept nowhere): {password}")


def owner_password() -> tuple[str, bool]:
    """The owner's password, and whether it was made up here: then it has to be shown."""
    from gfactor.studies.web.secrets import new_password

    given = os.environ.get(PASSWORD)
    return (given, False) if given is not None else (new_password(), True)
