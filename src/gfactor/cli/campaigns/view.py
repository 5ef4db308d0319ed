"""gfactor campaign view: a live page with replies and failures as they come."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import campaign
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, serving_options


@click.command("view")
@click.argument("file", metavar="FILE", type=PATH)
@serving_options(8020)
@json_option
def command(
    file: Path,
    host: str,
    port: int,
    https: bool,
    public_url: str,
    proxies: tuple[str, ...],
    insecure_http: bool,
    as_json: bool,
) -> None:
    """Serve a live page of a campaign until interrupted: how far it is, money, and items, replies
    and failures as they come; nobody is asked by it.

    \b
    Example:
      gfactor campaign view campaign.toml --port 8020

    Python: gfactor.campaign.view("campaign.toml", port=8020)
    """

    def ready(address: str) -> None:
        if as_json:
            put_json({"address": address})
        else:
            say(f"{file}: {address}/")

    campaign.view(
        file,
        host=host,
        port=port,
        https=https,
        public_url=public_url,
        proxies=proxies,
        insecure_http=insecure_http,
        ready=ready,
    )
