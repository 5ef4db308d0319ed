"""Score tables of tasks, also made from answers to items: what several verbs read alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from gfactor.cli.scores import note
from gfactor.errors import ParameterError
from gfactor.scoring.tables import (
    SCORE_FORMATS,
    ScoreTable,
    TableNaming,
    by_task,
    read_tasks,
)
from gfactor.scoring.tables import read_scores as read_score_table

tasks_option = click.option(
    "--tasks",
    metavar="FILE|PATTERN",
    help="The columns are items (0 wrong, 1 right): a CSV with the columns item and task (and "
    "options or chance, where known), or a regular expression whose group, or match, is the task.",
)


journal_condition_option = click.option(
    "--condition", metavar="KEY", help="Of a journal, the condition that counts."
)


def naming_of(given: dict[str, str | None], formats: Sequence[str]) -> TableNaming:
    """What the user says about the files; ParameterError for what none of them takes."""
    told = {name: value for name, value in given.items() if value is not None}
    taken = {name for known in formats for name in SCORE_FORMATS[known].takes}
    for name in told:
        if name not in taken:
            able = [known for known, one in SCORE_FORMATS.items() if name in one.takes]
            raise ParameterError(
                f"--{name} is for files of the format {' or '.join(able)}, and there is none; the "
                f"files are read as {', '.join(dict.fromkeys(formats))}"
            )
    return TableNaming(**told)


def table_of_tasks(
    path: Path | str, tasks: str | None, naming: TableNaming | None = None
) -> ScoreTable:
    """The score table in a file; where `tasks` says which item belongs to which task, of tasks.

    What is left aside is said on standard error. Raises ParameterError as the readers do.
    """
    table = read_score_table(path, naming=naming)
    if tasks:
        table = by_task(table, read_tasks(tasks))
        for flaw in table.flaws:
            note(flaw)
    return table
