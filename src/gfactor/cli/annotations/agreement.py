"""gfactor annotate agreement: how well annotators agree."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument


@click.command("agreement")
@folder_argument
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Krippendorff's alpha (and Cohen's kappa of two) for grades, drops, types, keys and labels.

    \b
    Example:
      gfactor annotate agreement workspace/

    Python: gfactor.annotate.agreement("workspace/")
    """
    from gfactor.results import plain

    table = annotate.agreement(folder)
    if as_json:
        put_json(plain(table))
        return
    for row in table.to_dict("records"):
        say(f"{row['what']}: {row['said']}")
