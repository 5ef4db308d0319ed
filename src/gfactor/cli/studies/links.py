"""gfactor study links: make signed links, for participants or to somebody's results.

gfactor study links study/ people.csv --public-url https://lab.example/study -o links.csv
gfactor study links study/ --results p7h3kq9xw2 --public-url https://lab.example/study
gfactor study links study/ --resume p7h3kq9xw2 --public-url https://lab.example/study
"""

from pathlib import Path

import click

from gfactor.api import study
from gfactor.cli.common import put_json, say
from gfactor.cli.deriving import derived
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

SPELLED = {"folder": "FOLDER", "participants": "[CSV]", "public_url": "--public-url URL",
           "path": "-o CSV"}  # fmt: skip
OPTIONS = [
    click.option(
        "--results",
        "codes",
        multiple=True,
        metavar="CODE",
        help="Code of a participant: the link shows their answers beside the right ones, for 30 "
        "days.",
    ),
    click.option(
        "--resume",
        "people",
        multiple=True,
        metavar="CODE",
        help="Code or id of a participant, whom the link lets go on where they left, on any "
        "device, for 30 days; all for everybody who has begun and not ended.",
    ),
]


@derived(__doc__, "study.links", SPELLED, reads={"participants": PATH},
         optional=["participants"], options=OPTIONS,
         twins=["study.result_links", "study.resume_links"])  # fmt: skip
def command(
    folder: Path,
    participants: Path | None,
    column: str,
    public_url: str,
    path: Path | None,
    codes: tuple[str, ...],
    people: tuple[str, ...],
    as_json: bool,
) -> None:
    if sum((participants is not None, bool(codes), bool(people))) != 1:
        raise ParameterError(
            "name one of these: a CSV file of participants, a code with --results, a code with "
            "--resume"
        )
    if codes:
        table = study.result_links(folder, codes, public_url=public_url, path=path)
    elif people:
        chosen = None if "all" in people else people
        table = study.resume_links(folder, chosen, public_url=public_url, path=path)
    else:
        assert participants is not None
        table = study.links(folder, participants, column=column, public_url=public_url, path=path)
    if as_json:
        put_json({"links": table["link"].tolist()})
    elif path is not None:
        say(f"{path}: {len(table):,} links")
    else:
        for link in table["link"]:
            say(link)
