"""gfactor annotate records: labels of responses as records of Label Studio or Argilla, and back."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import PATH, folder_argument

FORMATS = declared("gfactor.studies.annotation.records", "FORMATS")


@click.command("records")
@folder_argument
@click.option(
    "--format", "kind", type=click.Choice(FORMATS), required=True, help="Whose records these are."
)
@click.option("-o", "--output", type=PATH, metavar="JSON", help="Write the records.")
@click.option("--from", "given", type=PATH, metavar="JSON", help="Read the labels of records.")
@json_option
def command(
    folder: Path, kind: str, output: Path | None, given: Path | None, as_json: bool
) -> None:
    """Write the responses with their labels as records, or take the labels of records in.

    Label Studio gets every label that was given, Argilla the last one of each person. What the
    history holds already is not taken in again.

    \b
    Example:
      gfactor annotate records workspace/ --format label-studio -o tasks.json
      gfactor annotate records workspace/ --format argilla --from records.json

    Python: gfactor.annotate.records("workspace/", "argilla", write="records.json")
    """
    count = annotate.records(folder, kind, write=output, read=given)
    if as_json:
        put_json({"records" if output else "labels": count})
    elif output is not None:
        say(f"{output}: {count:,} records")
    else:
        say(f"{count:,} labels taken in")
