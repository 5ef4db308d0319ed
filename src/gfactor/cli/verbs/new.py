"""gfactor new: create a package with your own domain, family, benchmark or estimator.

gfactor new domain count_stars
gfactor new family count_forms
gfactor new benchmark street-signs -o street-signs/
gfactor new estimator hedges_g
"""

from __future__ import annotations

from pathlib import Path

from gfactor.cli.common import put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.deriving import derived

HEADING = "Tools"

KINDS = declared("gfactor.api.scaffolding", "KINDS")
SPELLED = {"kind": "|".join(KINDS), "name": "NAME", "folder": "-o FOLDER"}


@derived(__doc__, "scaffold", SPELLED)
def command(kind: str, name: str, folder: Path | None, as_json: bool) -> None:
    from gfactor.api import scaffolding

    paths = scaffolding.scaffold(kind, name, folder=folder)
    home, written = paths[0].parent, [path.name for path in paths]
    if as_json:
        put_json({"kind": kind, "name": name, "folder": str(home), "files": written})
        return
    say(f"{home}: {', '.join(written)}")
    say(f"{kind} {name}: {scaffolding.KINDS[kind]}; next:")
    say(f"  cd {home} && pip install -e '.[dev]' && pytest")
