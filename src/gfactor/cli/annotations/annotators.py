"""gfactor annotate annotators: what everybody has done, how well, in what time."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument


@click.command("annotators")
@folder_argument
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Accuracy on known responses with intervals, time, and agreement with others, by annotator.

    \b
    Example:
      gfactor annotate annotators workspace/

    Python: gfactor.annotate.annotators("workspace/")
    """
    from gfactor.results import plain

    table = annotate.annotators(folder)
    if as_json:
        put_json(plain(table))
        return
    if not len(table):
        say("Nobody is invited yet: gfactor annotate invite.")
        return
    say(table.round(3).to_string(index=False))
