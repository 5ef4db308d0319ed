"""The options of the verbs that read score tables of tasks, also made from answers to items."""

from __future__ import annotations

import click

tasks_option = click.option(
    "--tasks",
    metavar="FILE|PATTERN",
    help="The columns are items (0 wrong, 1 right): a CSV with the columns item and task (and "
    "options or chance, where known), or a regular expression whose group, or match, is the task.",
)
