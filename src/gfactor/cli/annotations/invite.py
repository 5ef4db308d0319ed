"""gfactor annotate invite: give people a password to log in with.

gfactor annotate invite workspace/ first second
gfactor annotate invite workspace/ third --adjudicator
"""

from pathlib import Path
from typing import Any

from gfactor.api import annotate
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived


@derived(__doc__, "annotate.invite", {"folder": "FOLDER", "names": "NAME..."})
def command(folder: Path, names: tuple[str, ...], as_json: bool, **given: Any) -> None:
    links = annotate.invite(folder, names, **given)
    if as_json:
        put_json(links)
        return
    for name, password in links.items():
        say(f"{name}: {password}")
