"""gfactor annotate assign: say who edits which items.

gfactor annotate assign workspace/ first second third --per-item 2
gfactor annotate assign workspace/ first second third --responses --per-item 2
gfactor annotate assign workspace/ third --take-back
"""

from pathlib import Path
from typing import Any

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "annotate.assign", {"folder": "FOLDER", "names": "NAME..."})
def command(folder: Path, names: tuple[str, ...], as_json: bool, **given: Any) -> None:
    assigned = annotate.assign(folder, names, **given)
    if as_json:
        put_json({"assignments": assigned})
    else:
        say(f"{assigned:,} assignments {'taken back' if given['take_back'] else 'made'}")
