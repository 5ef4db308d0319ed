"""gfactor annotate serve: serve the workspace to the annotators."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import annotate
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, log_options, serving_options


@click.command("serve")
@folder_argument
@serving_options(8010)
@log_options
@json_option
def command(
    folder: Path,
    host: str,
    port: int,
    https: bool,
    public_url: str,
    proxies: tuple[str, ...],
    insecure_http: bool,
    log: str | None,
    log_addresses: bool,
    as_json: bool,
) -> None:
    """Serve the annotation workspace until interrupted.

    People on other machines need a proxy with HTTPS in front, and --public-url.

    \b
    Example:
      gfactor annotate serve workspace/ --port 8010
      gfactor annotate serve workspace/ --public-url https://lab.example/workspace --proxy 127.0.0.1

    Python: gfactor.annotate.serve("workspace/", port=8010)
    """

    def ready(address: str) -> None:
        put_json({"address": address}) if as_json else say(f"{folder}: {address}")

    annotate.serve(
        folder,
        host=host,
        port=port,
        https=https,
        public_url=public_url,
        proxies=proxies,
        insecure_http=insecure_http,
        log=log,
        log_addresses=log_addresses,
        ready=ready,
    )
