"""gfactor list: list benchmarks, families, examinees and all other plug-ins.

gfactor list domains
gfactor list prompt-pack > de.toml

With --json, families are listed with their radicals, answer types, languages and origin.
"""

from __future__ import annotations

import click

from gfactor.cli.common import put_json, say_entries
from gfactor.cli.constants import declared
from gfactor.cli.deriving import derived
from gfactor.cli.printing import function_of

HEADING = "Tools"


@derived(
    __doc__,
    "available",
    {"kind": "|".join(declared("gfactor.api.catalog", "KINDS"))},
)
def command(kind: str, as_json: bool) -> None:
    from gfactor.administration.packs import template
    from gfactor.api.catalog import families

    if kind == "prompt-pack" and not as_json:
        click.echo(template(), nl=False)
    elif not as_json:
        say_entries(function_of("available")(kind))
    elif kind == "families":
        put_json(families())
    else:
        put_json(function_of("available")(kind).to_dict("records"))
