"""gfactor annotate serve: the desk in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.studies.annotation import Project, application
from gfactor.studies.web import serve


@click.command("serve")
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option("--port", default=8010, show_default=True, help="Port; 0 for any free one.")
@click.option("--https", is_flag=True, help="Browsers come over HTTPS, through a proxy.")
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
