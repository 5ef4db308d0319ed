"""gfactor study password: give the owner a new password.

gfactor study password study/

The password is made up and shown, or taken from GFACTOR_OWNER_PASSWORD.
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.deriving import derived
from gfactor.cli.printing import put_texts


@derived(__doc__, "study.password", without=["password"])
def command(folder: Path, as_json: bool) -> None:
    from gfactor.api.study.owning import owner_secret

    built, show = owner_secret(None)
    study.password(folder, built)
    put_texts("study.texts.secured", built if show else None, as_json, folder=folder)
