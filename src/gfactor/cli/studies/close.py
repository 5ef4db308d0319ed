"""gfactor study close: end a study.

gfactor study close study/
gfactor study close study/ --reopen
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.deriving import derived
from gfactor.cli.printing import put_texts


@derived(__doc__, "study.close", twins=["study.reopen"])
def command(folder: Path, reopen: bool = False, *, as_json: bool) -> None:
    """Close a study, or open it again.

    Parameters
    ----------
    reopen : bool
        Open a closed study again.
    """
    done = (study.reopen if reopen else study.close)(folder)
    put_texts("study.texts.closed", done, as_json, folder=folder)
