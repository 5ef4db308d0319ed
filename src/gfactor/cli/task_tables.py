"""Score tables of tasks, also made from answers to items: what several verbs read alike."""

from __future__ import annotations

from pathlib import Path

import click

from gfactor.cli.scores import note
from gfactor.scoring.tables import ScoreTable, by_task, read_tasks
from gfactor.scoring.tables import read_scores as read_score_table

tasks_option = click.option(
    "--tasks",
    metavar="FILE|PATTERN",
    help="The columns are items (0 wrong, 1 right): a CSV with the columns item and task (and "
    "options or chance, where known), or a regular expression whose group, or match, is the task.",
)


def table_of_tasks(path: Path | str, tasks: str | None) -> ScoreTable:
    """The score table in a file; where `tasks` says which item belongs to which task, of tasks.

    What is left aside is said on standard error. Raises ParameterError as the readers do.
    """
    table = read_score_table(path)
    if tasks:
        table = by_task(table, read_tasks(tasks))
        for flaw in table.flaws:
            note(flaw)
    return table
