"""gfactor study deploy: files that put a study on the internet."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import (
    domain_option,
    folder_argument,
    folder_option,
    path_option,
    wheel_option,
)


@click.command("deploy")
@folder_argument
@domain_option
@path_option
@folder_option("Folder to write to; made where it is missing.")
@wheel_option
@json_option
def command(
    folder: Path, domain: str, path: str, output: Path, wheel: Path | None, as_json: bool
) -> None:
    """Write Dockerfile, compose.yaml and Caddyfile: HTTPS by itself, the server, nightly backups.

    On a machine that the domain points to, `docker compose up -d` in that folder then serves it.

    \b
    Example:
      gfactor study deploy study/ --domain lab.example --path /study -o deploy/

    Python: gfactor.study.deploy("study/", "deploy/", domain="lab.example", below="/study")
    """
    files = study.deploy(folder, output, domain=domain, below=path, wheel=wheel)
    if as_json:
        put_json({"files": [str(file) for file in files]})
        return
    for file in files:
        say(str(file))
    say(f"then: cd {output} && docker compose up -d; browsers come to https://{domain}{path}")
