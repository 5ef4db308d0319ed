"""gfactor list: list benchmarks, families, examinees and everything else that plugs in.

gfactor list domains
"""

from __future__ import annotations

from gfactor.cli.common import put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.deriving import derived, function_of

HEADING = "Tools"

ABOUT = """With --json, families come with their radicals, answer types, languages and origin."""


@derived(
    __doc__,
    "available",
    {"kind": "|".join(declared("gfactor.api.catalog", "KINDS"))},
    about=ABOUT,
)
def command(kind: str, as_json: bool) -> None:
    from gfactor.api.catalog import families

    if as_json and kind == "families":
        put_json(families())
        return
    rows = function_of("available")(kind).to_dict("records")
    if as_json:
        put_json(rows)
        return
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        say(f"{row['name']:<{width}}  {row['description']}".rstrip())
