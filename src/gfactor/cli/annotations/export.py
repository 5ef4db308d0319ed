"""gfactor annotate export: write the bank as it was decided."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument
from gfactor.studies.annotation import Project, export_bank


@click.command("export")
@folder_argument
@click.option("-o", "--output", type=PATH, required=True, metavar="BANK")
@click.option("--only-final", is_flag=True, help="Leave out items that nobody has decided.")
@json_option
def command(folder: Path, output: Path, only_final: bool, as_json: bool) -> None:
    """Write the edited bank, with the whole history beside it as NAME.history.jsonl.

    Items have the label edited_from, the identity of the item that they were.

    \b
    Example:
      gfactor annotate export workspace/ -o edited.parquet
    """
    counts = export_bank(Project.open(folder), output, only_final=only_final)
    if as_json:
        put_json({"bank": str(output), **counts})
        return
    say(f"{output}: " + ", ".join(f"{count:,} {name}" for name, count in counts.items()))
