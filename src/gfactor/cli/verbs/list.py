"""gfactor list: list benchmarks, families, examinees and everything else that plugs in."""

from __future__ import annotations

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared

HEADING = "Tools"

KINDS = declared("gfactor.api.catalog", "KINDS")


@click.command(name="list")
@click.argument("kind", metavar="|".join(KINDS))
@json_option
def command(kind: str, as_json: bool) -> None:
    """List what is installed, with a line each.

    These are benchmarks, calibrations and example data sets that come with gfactor, domains of
    Percept-V, families of the generated batteries, examinee schemes, or published tables. With
    --json, families come with their radicals, answer types, languages and origin.

    \b
    Example:
      gfactor list domains

    Python: gfactor.available("domains")
    """
    from gfactor.api.catalog import available, families

    if as_json and kind == "families":
        put_json(families())
        return
    rows = available(kind).to_dict("records")
    if as_json:
        put_json(rows)
        return
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        say(f"{row['name']:<{width}}  {row['description']}".rstrip())
