"""gfactor study links: make signed links, for participants or to somebody's results."""

from __future__ import annotations

from pathlib import Path

import click
import pandas as pd

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.options import PATH, folder_argument
from gfactor.errors import ParameterError
from gfactor.items.files import check_writable
from gfactor.scoring.exporting import write_csv
from gfactor.studies.questionnaires import StudyFolder
from gfactor.studies.questionnaires.folder import LONGEST_ID, can_be_kept


@click.command("links")
@folder_argument
@click.argument("participants", metavar="[CSV]", type=PATH, required=False)
@click.option("--column", default="id", show_default=True, help="The column with their ids.")
@click.option("--public-url", default="", metavar="URL", help="Where browsers reach the study.")
@click.option("--results", "codes", multiple=True, metavar="CODE", help="A participant's code.")
@click.option("-o", "--output", type=PATH, metavar="CSV", help="Write the table with links.")
@json_option
def command(
    folder: Path,
    participants: Path | None,
    column: str,
    public_url: str,
    codes: tuple[str, ...],
    output: Path | None,
    as_json: bool,
) -> None:
    """Make a signed link for each participant of a CSV file: nobody else can take part with it.

    Each can be used for one participation, which it also opens again on another device. With
    `ids = "signed"` in study.toml nobody takes part without one. The table is written with a
    column "link" more.

    With --results the link shows one participant's answers beside the right ones, for 30 days.

    \b
    Example:
      gfactor study links study/ people.csv --public-url https://lab.example/study -o links.csv
      gfactor study links study/ --results p7h3kq9xw2 --public-url https://lab.example/study
    """
    opened = StudyFolder.open(folder)
    if (participants is None) == (not codes):
        raise ParameterError("name either a CSV file of participants, or a code with --results")
    if codes:
        table = pd.DataFrame({"code": codes})
        table["link"] = [opened.results_link(code, public_url) for code in _known(opened, codes)]
    else:
        assert participants is not None
        table = _participants(participants, column)
        table["link"] = [opened.link(name, public_url) for name in table[column]]
    if output is not None:
        check_writable(output)
        write_csv(table, output)
        output.chmod(0o600)
    if as_json:
        put_json({"links": table["link"].tolist()})
    elif output is not None:
        say(f"{output}: {len(table):,} links")
    else:
        for link in table["link"]:
            say(link)


def _known(folder: StudyFolder, codes: tuple[str, ...]) -> tuple[str, ...]:
    store = folder.store()
    try:
        for code in codes:
            if store.by_code(code) is None:
                raise ParameterError(f"the study has no participant {code!r}")
    finally:
        store.close()
    return codes


def _participants(path: Path, column: str) -> pd.DataFrame:
    """The table as texts, nothing in it turned into a number or a missing value."""
    try:
        table = pd.read_csv(
            path, dtype=str, keep_default_na=False, encoding="utf-8-sig", skip_blank_lines=False
        ).fillna("")
    except (OSError, ValueError) as error:
        raise ParameterError(f"{str(path)!r} cannot be read as a CSV file: {error}") from error
    if column not in table:
        names = ", ".join(map(str, table.columns))
        raise ParameterError(f"{str(path)!r} has no column {column!r} (it has {names}); --column")
    seen: dict[str, int] = {}
    table = table.loc[(table != "").any(axis=1)]
    for number, name in table[column].items():
        row = int(str(number)) + 2
        if not name.strip():
            raise ParameterError(f"{str(path)!r}, row {row}: the id is empty")
        if name != name.strip() or not can_be_kept(name):
            raise ParameterError(
                f"{str(path)!r}, row {row}: {name[:60]!r} cannot be an id: it has at most "
                f"{LONGEST_ID} characters that can be printed, and no space around it"
            )
        if name in seen:
            raise ParameterError(f"{str(path)!r}, row {row}: {name!r} is in row {seen[name]}, too")
        seen[name] = row
    return table
