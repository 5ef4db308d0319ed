"""gfactor study appeal: pay a participant whom the study's rule excludes.

gfactor study appeal study/ p7h3kq9xw2 --reason "the questions were known from the pilot"
"""

from pathlib import Path
from typing import Any

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

SPELLED = {"folder": "FOLDER", "person": "PERSON", "reason": "--reason TEXT", "uphold": "--reject"}


@derived(__doc__, "study.appeal", SPELLED)
def command(folder: Path, person: str, uphold: bool, as_json: bool, **given: Any) -> None:
    excluded = study.appeal(folder, person, uphold=uphold, **given)
    if as_json:
        put_json({"person": person, "paid": uphold, "excluded_by_rule": list(excluded)})
        return
    word = "paid" if uphold else "not paid"
    say(f"{person}: {word}; by the rule excluded for {', '.join(excluded)}")
