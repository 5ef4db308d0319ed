"""gfactor study owners: who may see and change a study.

gfactor study owners study/ add anna --role viewer
gfactor study owners study/ remove anna
"""

import os
from pathlib import Path
from typing import Any, Literal

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.errors import ParameterError

PASSWORD = "GFACTOR_OWNER_PASSWORD"
"""The environment variable that may hold an owner's password."""

ABOUT = """A password is made up and shown once, or taken from GFACTOR_OWNER_PASSWORD; only its hash
is kept. A running server knows at once."""


@derived(__doc__, "study.owners", {"action": "[list|add|remove]", "name": "[NAME]"},
         without=["add", "remove", "password"], about=ABOUT)  # fmt: skip
def command(
    folder: Path, action: Literal["list", "add", "remove"] = "list", name: str | None = None, *,
    as_json: bool, **given: Any,
) -> None:  # fmt: skip
    """List, add or remove an owner.

    Parameters
    ----------
    action : str
        Action on the owner: list, add or remove.
    name : str
        Owner who is added or removed.
    """
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
