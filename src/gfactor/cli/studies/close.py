"""gfactor study close: end a study.

gfactor study close study/
gfactor study close study/ --reopen
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "study.close", twins=["study.reopen"])
def command(folder: Path, reopen: bool = False, *, as_json: bool) -> None:
    """Close a study, or open it again.

    Parameters
    ----------
    reopen : bool
        Open a closed study again.
    """
    if reopen:
        was = study.reopen(folder)
        state = "open again" if was else "it was not closed"
        put_json({"closed": None}) if as_json else say(f"{folder}: {state}")
        return
    ended = study.close(folder)
    put_json({"closed": ended}) if as_json else say(f"{folder}: closed at {ended}")
