"""gfactor study pause: let nobody begin for now; end such a pause.

gfactor study pause study/ --sentence "We are back on Monday."
gfactor study pause study/ --off
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "study.pause", twins=["study.resume"])
def command(folder: Path, sentence: str, off: bool = False, *, as_json: bool) -> None:
    """Pause a study, or end its pause.

    Parameters
    ----------
    off : bool
        End the pause: people can begin again.
    """
    if off:
        was = study.resume(folder)
        state = "it goes on" if was else "it was not paused"
    else:
        _ = study.pause(folder, sentence)
        state = "paused; those who have begun may finish"
    put_json({"paused": not off}) if as_json else say(f"{folder}: {state}")
