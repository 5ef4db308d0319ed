"""gfactor annotate: let people edit and grade items and label errors, in the browser."""

from __future__ import annotations

import click

from gfactor.cli.folder import Folder

HEADING = "People"


@click.group("annotate", cls=Folder, kind="command of annotate", home="gfactor.cli.annotations")
def command() -> None:
    """Edit a bank's items with several people, label models' responses, measure agreement.

    \b
    Example:
      gfactor annotate new multi.parquet -o workspace/ --title "Round one"
      gfactor annotate invite workspace/ first second
      gfactor annotate assign workspace/ first second --per-item 2
      gfactor annotate serve workspace/
      gfactor annotate export workspace/ -o edited.parquet

    Python: gfactor.annotate.new(bank, "workspace/"), gfactor.annotate.serve("workspace/") ...
    """
