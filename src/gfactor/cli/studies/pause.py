"""gfactor study pause: let nobody begin for now; end such a pause.

gfactor study pause study/ --sentence "We are back on Monday."
gfactor study pause study/ --off
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.deriving import derived
from gfactor.cli.printing import put_texts


@derived(__doc__, "study.pause", twins=["study.resume"])
def command(folder: Path, sentence: str, off: bool = False, *, as_json: bool) -> None:
    """Pause a study, or end its pause.

    Parameters
    ----------
    off : bool
        End the pause: people can begin again.
    """
    done = study.resume(folder) if off else study.pause(folder, sentence)
    put_texts("study.texts.paused", done, as_json, folder=folder, off=off)
