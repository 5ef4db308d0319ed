"""gfactor study password: give the owner a new password.

gfactor study password study/
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.studies.owners import owner_password

ABOUT = "The password is made up and shown, or taken from GFACTOR_OWNER_PASSWORD."


@derived(__doc__, "study.password", without=["password"], about=ABOUT)
def command(folder: Path, as_json: bool) -> None:
    built, show = owner_password()
    study.password(folder, built)
    if as_json:
        put_json({"password": built if show else None})
        return
    say(f"owner's password (kept nowhere): {built}" if show else f"{folder}: it is set")
