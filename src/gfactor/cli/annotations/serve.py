"""gfactor annotate serve: serve the workspace to the annotators."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, serving_options
from gfactor.studies.annotation import Project, application
from gfactor.studies.web import serve


@click.command("serve")
@folder_argument
@serving_options(8010)
@json_option
def command(
    folder: Path,
    host: str,
    port: int,
    https: bool,
    public_url: str,
    proxies: tuple[str, ...],
    as_json: bool,
) -> None:
    """Serve the annotation workspace until interrupted.

    People on other machines need a proxy with HTTPS in front, and --public-url.

    \b
    Example:
      gfactor annotate serve workspace/ --port 8010
      gfactor annotate serve workspace/ --public-url https://lab.example/workspace --proxy 127.0.0.1
    """
    app = application(Project.open(folder), secure=https, public_url=public_url)
    prefix = urlsplit(public_url).path.rstrip("/")

    def ready(bound: str) -> None:
        address = bound + prefix
        put_json({"address": address}) if as_json else say(f"{folder}: {address}")

    serve(app, host, port, ready, proxies)
