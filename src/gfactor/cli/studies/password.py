"""gfactor study password: give the owner a new password.

gfactor study password study/

The password is made up and shown, or taken from GFACTOR_OWNER_PASSWORD.
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "study.password", without=["password"])
def command(folder: Path, as_json: bool) -> None:
    from gfactor.api.study.owning import owner_secret

    built, show = owner_secret(None)
    study.password(folder, built)
    if as_json:
        put_json({"password": built if show else None})
        return
    say(f"owner's password (kept nowhere): {built}" if show else f"{folder}: it is set")
