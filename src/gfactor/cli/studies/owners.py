"""gfactor study owners: list or change the people who may see or change a study.

gfactor study owners study/ add anna --role viewer
gfactor study owners study/ remove anna

A password is made up and shown once, or taken from GFACTOR_OWNER_PASSWORD; only its hash
is kept. A running server knows at once.
"""

from pathlib import Path
from typing import Any, Literal

from gfactor.api import study
from gfactor.cli.deriving import derived
from gfactor.cli.printing import put_texts
from gfactor.errors import ParameterError


@derived(__doc__, "study.owners", {"action": "[list|add|remove]", "name": "[NAME]"},
         without=["add", "remove", "password"])  # fmt: skip
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
    table = study.owners(folder, **({} if name is None else {action: name}), **given)
    put_texts("study.texts.owned", table, as_json, name=name)
