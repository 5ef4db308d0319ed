"""gfactor study links: make signed links, for participants or to somebody's results."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument
from gfactor.errors import ParameterError


@click.command("links")
@folder_argument
@click.argument("participants", metavar="[CSV]", type=PATH, required=False)
@click.option("--column", default="id", show_default=True, help="The column with their ids.")
@click.option("--public-url", default="", metavar="URL", help="Where browsers reach the study.")
@click.option("--results", "codes", multiple=True, metavar="CODE", help="A participant's code.")
@click.option(
    "--resume",
    "people",
    multiple=True,
    metavar="CODE",
    help="A participant's code or id; all for everybody who has begun and not ended.",
)
@click.option("-o", "--output", type=PATH, metavar="CSV", help="Write the table with links.")
@json_option
def command(
    folder: Path,
    participants: Path | None,
    column: str,
    public_url: str,
    codes: tuple[str, ...],
    people: tuple[str, ...],
    output: Path | None,
    as_json: bool,
) -> None:
    """Make a signed link for each participant of a CSV file: nobody else can take part with it.

    Each can be used for one participation, which it also opens again on another device. With
    `ids = "signed"` in study.toml nobody takes part without one. The table is written with a
    column "link" more.

    With --results the link shows one participant's answers beside the right ones, for 30 days. With
    --resume it lets one participant go on where they left, on any device, for 30 days.

    \b
    Example:
      gfactor study links study/ people.csv --public-url https://lab.example/study -o links.csv
      gfactor study links study/ --results p7h3kq9xw2 --public-url https://lab.example/study
      gfactor study links study/ --resume p7h3kq9xw2 --public-url https://lab.example/study

    Python: gfactor.study.links("study/", "people.csv"), gfactor.study.result_links("study/",
    codes), gfactor.study.resume_links("study/", codes)
    """
    if sum((participants is not None, bool(codes), bool(people))) != 1:
        raise ParameterError(
            "name one of these: a CSV file of participants, a code with --results, a code with "
            "--resume"
        )
    if codes:
        table = study.result_links(folder, codes, public_url=public_url, path=output)
    elif people:
        chosen = None if "all" in people else people
        table = study.resume_links(folder, chosen, public_url=public_url, path=output)
    else:
        assert participants is not None
        table = study.links(folder, participants, column=column, public_url=public_url, path=output)
    if as_json:
        put_json({"links": table["link"].tolist()})
    elif output is not None:
        say(f"{output}: {len(table):,} links")
    else:
        for link in table["link"]:
            say(link)
