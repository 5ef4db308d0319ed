"""gfactor annotate new: make a project of a bank."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import PATH, bank_argument, folder_option

SCHEMES = declared("gfactor.studies.annotation", "SCHEMES")


@click.command("new")
@bank_argument
@folder_option("Folder of the project; made where it is missing.")
@click.option("--title", default="Annotation", show_default=True, help="Shown to annotators.")
@click.option(
    "--scheme",
    default="multi",
    show_default=True,
    help=f"Categories of responses, of errors or right and wrong: {', '.join(SCHEMES)}.",
)
@click.option(
    "--guidelines", type=PATH, metavar="FILE", help="Markdown that is shown beside every item."
)
@json_option
def command(
    bank: Path, output: Path, title: str, scheme: str, guidelines: Path | None, as_json: bool
) -> None:
    """Make a project of a bank: a folder with the items and, later, their history.

    \b
    Example:
      gfactor annotate new multi.parquet -o workspace/ --title "Round one"

    Python: gfactor.annotate.new(bank, "workspace/", title="Round one")
    """
    project = annotate.new(bank, output, title=title, scheme=scheme, guidelines=guidelines)
    if as_json:
        put_json({"folder": str(output), "items": len(project.bank)})
        return
    say(f"{output}: a project of {len(project.bank):,} items; invite people with")
    say(f"  gfactor annotate invite {output} NAME")
