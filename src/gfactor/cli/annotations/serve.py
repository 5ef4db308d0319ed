"""gfactor annotate serve: serve the desk to the annotators."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, serving_options
from gfactor.studies.annotation import Project, application
from gfactor.studies.web import serve


@click.command("serve")
@folder_argument
@serving_options(8010)
@json_option
def command(folder: Path, host: str, port: int, https: bool, as_json: bool) -> None:
    """Serve the annotation desk until interrupted.

    People on other machines need a proxy with HTTPS in front, and --https.

    \b
    Example:
      gfactor annotate serve desk/ --port 8010
    """
    app = application(Project.open(folder), secure=https)

    def ready(address: str) -> None:
        put_json({"address": address}) if as_json else say(f"{folder}: {address}")

    serve(app, host, port, ready)
