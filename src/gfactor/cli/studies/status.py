"""gfactor study status: how a study goes.

gfactor study status study/
"""

from pathlib import Path

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "study.status", {"folder": "FOLDER"})
def command(folder: Path, pilot: bool, as_json: bool) -> None:
    import pandas as pd

    seen = study.status(folder, pilot=pilot)
    if as_json:
        put_json(
            {"facts": dict(seen.facts), "dropout": list(seen.dropout), "people": list(seen.people)}
        )
        return
    for name, value in seen.facts:
        say(f"{name}: {value}")
    if seen.dropout:
        say(f"\n{pd.DataFrame(seen.dropout).to_string(index=False, na_rep='-')}")
