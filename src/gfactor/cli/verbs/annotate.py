"""gfactor annotate: people edit and grade items, and label what went wrong in responses."""

from __future__ import annotations

import click

from gfactor.cli.folder import Folder


@click.group("annotate", cls=Folder, kind="command of annotate", home="gfactor.cli.annotations")
def command() -> None:
    """Edit a bank's items with several people, label models' responses, measure agreement.

    \b
    Example:
      gfactor annotate new multi.parquet -o desk/ --title "Round one"
      gfactor annotate invite desk/ first second
      gfactor annotate assign desk/ first second --per-item 2
      gfactor annotate serve desk/
      gfactor annotate export desk/ -o edited.parquet

    Python: gfactor.annotate.new(bank, "desk/"), gfactor.annotate.serve("desk/") ...
    """
