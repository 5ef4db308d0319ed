"""gfactor new: create a package with your own domain, family, benchmark, format or estimator.

gfactor new domain count_stars
gfactor new family count_forms
gfactor new benchmark street-signs -o street-signs/
gfactor new import tiny_log
gfactor new estimator hedges_g
"""

from __future__ import annotations

from pathlib import Path

from gfactor.cli.constants import declared
from gfactor.cli.deriving import derived
from gfactor.cli.printing import put_parts

HEADING = "Tools"

KINDS = declared("gfactor.api.scaffolding", "KINDS")
SPELLED = {"kind": "|".join(KINDS), "name": "NAME", "folder": "-o FOLDER"}


@derived(__doc__, "scaffold", SPELLED)
def command(kind: str, name: str, folder: Path | None, as_json: bool) -> None:
    from gfactor.api import scaffolding

    paths = scaffolding.scaffold(kind, name, folder=folder)
    home, written = paths[0].parent, [path.name for path in paths]
    lines = (
        f"{home}: {', '.join(written)}\n{kind} {name}: {scaffolding.KINDS[kind]}; next:\n"
        f"  cd {home} && pip install -e '.[dev]' && pytest"
    )
    put_parts({"kind": kind, "name": name, "folder": str(home), "files": written}, [lines], as_json)
