"""gfactor study serve: serve a study to people."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import folder_argument, log_options, pilot_option, serving_options


@click.command("serve")
@folder_argument
@serving_options(8000)
@log_options
@pilot_option
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
    pilot: bool,
    as_json: bool,
) -> None:
    """Serve a study until interrupted; every answer is on disk before the next question.

    People on other machines need a proxy with HTTPS in front (nginx, Caddy), and --public-url,
    whose path may be a part of the proxy's site. The owner's pages are at /owner. Requests are
    not logged unless asked for, and no address is stored. --host 0.0.0.0 is refused without HTTPS.

    \b
    Example:
      gfactor study serve study/ --port 8000
      gfactor study serve study/ --pilot
      gfactor study serve study/ --public-url https://lab.example/study --proxy 127.0.0.1

    Python: gfactor.study.serve("study/", port=8000)
    """

    def ready(address: str) -> None:
        if as_json:
            put_json({"address": address, "owner": f"{address}/owner"})
        else:
            say(f"{folder}: {address} (owner: {address}/owner)")

    study.serve(
        folder,
        host=host,
        port=port,
        https=https,
        public_url=public_url,
        proxies=proxies,
        insecure_http=insecure_http,
        log=log,
        log_addresses=log_addresses,
        pilot=pilot,
        ready=ready,
    )
