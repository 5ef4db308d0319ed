"""gfactor study export: people's answers, for analysis and payment.

gfactor study export study/ -o people/
gfactor matrix people/journal.db --by type -o people.csv
"""

from typing import Any

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived

SPELLED = {"folder": "FOLDER", "path": "-o FOLDER", "keep_invalid": "--without-invalid"}


@derived(__doc__, "study.export", SPELLED)
def command(as_json: bool, **given: Any) -> None:
    done = study.export(**given)
    if as_json:
        facts = {name: getattr(done, name) for name in ("people", "answers", "amendments")}
        put_json(facts | {"files": [str(file) for file in done.files]})
        return
    say(f"{done.people} people, {done.answers:,} answers")
    if done.amendments:
        say(f"the study was amended {done.amendments} times since its first participant")
    for path in done.files:
        say(f"  {path}")
