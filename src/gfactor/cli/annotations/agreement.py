"""gfactor annotate agreement: how well annotators agree."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument
from gfactor.studies.annotation import Project
from gfactor.studies.annotation.pages.labeling import agreements


@click.command("agreement")
@folder_argument
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Krippendorff's alpha (and Cohen's kappa of two) for grades, drops, types and error labels.

    \b
    Example:
      gfactor annotate agreement workspace/
    """
    store = Project.open(folder).store()
    try:
        rows = agreements(store)
    finally:
        store.close()
    if as_json:
        put_json(rows)
        return
    for row in rows:
        say(f"{row['what']}: {row['said']}")
