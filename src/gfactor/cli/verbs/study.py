"""gfactor study: give a bank to people in their browsers: make, serve and export a study."""

from __future__ import annotations

import click

from gfactor.cli.folder import Folder

HEADING = "People"


@click.group("study", cls=Folder, kind="command of study", home="gfactor.cli.studies")
def command() -> None:
    """Make a questionnaire of a bank, serve it to people, export their answers.

    \b
    Example:
      gfactor study new m3gia.parquet -o study/ --title "Pictures and words" --language zh
      gfactor study serve study/
      gfactor study export study/ -o people/

    Python: gfactor.study.new(bank, "study/", title="Pictures"), gfactor.study.serve("study/") ...
    """
