"""gfactor study close: end a study.

gfactor study close study/
gfactor study close study/ --reopen
"""

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

REOPEN = click.option("--reopen", is_flag=True, help="Open a closed study again.")


@derived(__doc__, "study.close", {"folder": "FOLDER"}, options=[REOPEN], twins=["study.reopen"])
def command(folder: Path, reopen: bool, as_json: bool) -> None:
    if reopen:
        was = study.reopen(folder)
        state = "open again" if was else "it was not closed"
        put_json({"closed": None}) if as_json else say(f"{folder}: {state}")
        return
    ended = study.close(folder)
    put_json({"closed": ended}) if as_json else say(f"{folder}: closed at {ended}")
