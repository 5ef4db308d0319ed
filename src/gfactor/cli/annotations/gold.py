"""gfactor annotate gold: say the known category of some responses."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument


@click.command("gold")
@folder_argument
@click.argument("table", type=PATH, metavar="FILE.csv")
@json_option
def command(folder: Path, table: Path, as_json: bool) -> None:
    """Say the known category of some responses; who labels one is then told it.

    FILE.csv has the columns response (its number, as in the table of labels) or item, examinee and
    condition; category; and, if wanted, why (Markdown). Nothing marks these responses among the
    others. The first label of each person counts: gfactor annotate annotators.

    \b
    Example:
      gfactor annotate gold workspace/ known.csv

    Python: gfactor.annotate.gold("workspace/", "known.csv")
    """
    known = annotate.gold(folder, table)
    put_json({"gold": known}) if as_json else say(f"{known:,} responses have a known category")
