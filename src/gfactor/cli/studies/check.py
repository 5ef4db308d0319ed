"""gfactor study check: what is missing before the first participant."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument


@click.command("check")
@folder_argument
@click.option("--public-url", default="", help="Where browsers will reach the study.")
@click.option("--backups", type=PATH, metavar="FOLDER", help="Where copies of its database lie.")
@json_option
@click.pass_context
def command(
    context: click.Context, folder: Path, public_url: str, backups: Path | None, as_json: bool
) -> None:
    """List what is missing before the first participant; the exit code is 1 where anything is.

    Pay per hour is judged by the median time of the pilot (`study serve --pilot`) against
    minimum_per_hour in [conduct] of study.toml.

    \b
    Example:
      gfactor study check study/ --public-url https://lab.example/study --backups copies/

    Python: gfactor.study.check("study/", public_url="https://lab.example/study")
    """
    checks = study.check(folder, public_url=public_url, backups=backups)
    lacking = checks["state"].tolist().count("missing")
    if as_json:
        put_json({"ready": not lacking, "checks": checks.to_dict("records")})
    else:
        for row in checks.to_dict("records"):
            remedy = f" -> {row['remedy']}" if row["remedy"] and row["state"] != "ok" else ""
            say(f"{row['state']:8}{row['name']}: {row['says']}{remedy}")
        say(f"{lacking} missing" if lacking else "nothing is missing")
    if lacking:
        context.exit(1)
