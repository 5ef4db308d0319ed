"""gfactor new: create a package with your own domain, family, benchmark or estimator."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import PATH

HEADING = "Tools"

KINDS = declared("gfactor.api.scaffolding", "KINDS")


@click.command("new")
@click.argument("kind", metavar="|".join(KINDS))
@click.argument("name")
@click.option(
    "-o",
    "--output",
    type=PATH,
    metavar="DIR",
    help="Folder to write; it must not exist.  [default: gfactor-NAME]",
)
@json_option
def command(kind: str, name: str, output: Path | None, as_json: bool) -> None:
    """Create a package with a domain, a family, a benchmark or an estimator.

    Writes a small package that works as it is: pyproject.toml, one module, one test, a README that
    says what to replace. The test passes; the entry point of a domain, a family and a benchmark
    registers them.

    \b
    Example:
      gfactor new domain count_stars
      gfactor new family count_forms
      gfactor new benchmark street-signs -o street-signs/
      gfactor new estimator hedges_g

    Python: gfactor.scaffold("estimator", "hedges_g")
    """
    from gfactor.api import scaffolding

    paths = scaffolding.scaffold(kind, name, folder=output)
    folder, written = paths[0].parent, [path.name for path in paths]
    if as_json:
        put_json({"kind": kind, "name": name, "folder": str(folder), "files": written})
        return
    say(f"{folder}: {', '.join(written)}")
    say(f"{kind} {name}: {scaffolding.KINDS[kind]}; next:")
    say(f"  cd {folder} && pip install -e '.[dev]' && pytest")
