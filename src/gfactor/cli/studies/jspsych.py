"""gfactor study jspsych: write a study as a static experiment.

gfactor study jspsych study/ -o experiment/ --forms 80
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

SPELLED = {"folder": "FOLDER", "path": "-o FOLDER", "library": "--library URL"}


@derived(__doc__, "study.jspsych", SPELLED)
def command(folder: Path, path: Path, forms: int, library: str, as_json: bool) -> None:
    count = study.jspsych(folder, path, forms=forms, library=library)
    if as_json:
        put_json({"forms": forms, "items": count})
        return
    say(f"{path}: {forms} forms of {count:,} items; open index.html through a web server")
