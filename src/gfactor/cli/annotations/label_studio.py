"""gfactor annotate label-studio: write tasks for Label Studio, or take its annotations in."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument
from gfactor.errors import ParameterError
from gfactor.studies.annotation import Project, from_label_studio, to_label_studio


@click.command("label-studio")
@folder_argument
@click.option("-o", "--output", type=PATH, metavar="JSON", help="Write.")
@click.option("--from", "given", type=PATH, metavar="JSON", help="Read.")
@json_option
def command(folder: Path, output: Path | None, given: Path | None, as_json: bool) -> None:
    """Write the items as tasks of Label Studio, or take its annotations in as drafts.

    The labeling interface for its settings is written beside the tasks as NAME.xml.

    \b
    Example:
      gfactor annotate label-studio workspace/ -o tasks.json
      gfactor annotate label-studio workspace/ --from export.json
    """
    project = Project.open(folder)
    if (output is None) == (given is None):
        raise ParameterError("say either -o, to write tasks, or --from, to read annotations")
    if output is not None:
        tasks = to_label_studio(project, output)
        put_json({"tasks": tasks}) if as_json else say(f"{output}: {tasks:,} tasks")
    if given is not None:
        taken = from_label_studio(project, given)
        put_json({"annotations": taken}) if as_json else say(f"{taken:,} annotations taken in")
