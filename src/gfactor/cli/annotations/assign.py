"""gfactor annotate assign: say who edits which items."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, seed_option


@click.command("assign")
@folder_argument
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@click.option("--per-item", default=2, show_default=True, help="Annotators per item.")
@click.option("--responses", is_flag=True, help="Give the responses to be labeled, not the items.")
@click.option(
    "--take-back",
    is_flag=True,
    help="Take back what these people have not worked on, so that nobody waits for it.",
)
@seed_option("Of the draw.")
@json_option
def command(
    folder: Path,
    names: tuple[str, ...],
    per_item: int,
    responses: bool,
    take_back: bool,
    seed: int,
    as_json: bool,
) -> None:
    """Give every item to several people, each person as many items as the others.

    \b
    Example:
      gfactor annotate assign workspace/ first second third --per-item 2
      gfactor annotate assign workspace/ first second third --responses --per-item 2
      gfactor annotate assign workspace/ third --take-back

    Python: gfactor.annotate.assign("workspace/", ["first", "second"])
    """
    assigned = annotate.assign(
        folder, names, per_item=per_item, seed=seed, responses=responses, take_back=take_back
    )
    if as_json:
        put_json({"assignments": assigned})
    else:
        say(f"{assigned:,} assignments {'taken back' if take_back else 'made'}")
