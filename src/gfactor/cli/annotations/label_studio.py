"""gfactor annotate label-studio: to Label Studio and back."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import say
from gfactor.errors import ParameterError
from gfactor.studies.annotation import Project, from_label_studio, to_label_studio


@click.command("label-studio")
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="JSON", help="Write.")
@click.option("--from", "given", type=click.Path(path_type=Path), metavar="JSON", help="Read.")
def command(folder: Path, output: Path | None, given: Path | None) -> None:
    """Write the items as tasks of Label Studio, or take its annotations in as drafts.

    The labeling interface for its settings is written beside the tasks as NAME.xml.

    \b
    Example:
      gfactor annotate label-studio desk/ -o tasks.json
      gfactor annotate label-studio desk/ --from export.json
    """
    project = Project.open(folder)
    if (output is None) == (given is None):
        raise ParameterError("say either -o, to write tasks, or --from, to read annotations")
    if output is not None:
        say(f"{output}: {to_label_studio(project, output):,} tasks")
    if given is not None:
        say(f"{from_label_studio(project, given):,} annotations taken in")
