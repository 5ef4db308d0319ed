"""Options and arguments that several commands have in common, each written once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import click

from gfactor.cli.values import PATH, range_of

Decorator: TypeAlias = Callable[[Any], Any]


JOBS = range_of("Jobs")
"""A number of processes."""

DRAWS = range_of("Draws")
"""A number of resamples."""

data_argument: Decorator = click.argument("data", metavar="DATA.csv", type=PATH)


group_option: Decorator = click.option(
    "--group", metavar="COLUMN", help="Analyze the rows of each value of this column separately."
)


LAVAAN_MODEL = "A file with lavaan syntax, or the model itself."


lavaan_missing_option: Decorator = click.option(
    "--missing",
    type=click.Choice(["listwise", "fiml", "pairwise", "two.stage", "robust.two.stage"]),
    callback=lambda _context, _option, given: "ml" if given == "fiml" else given,
    help="Treatment of incomplete cases: leave them out, full information, pairwise (ordinal "
    "variables), or two stages."
    "  [default: listwise]",
)
"""The command gets lavaan's word for it: "listwise", "ml", "pairwise", or None where nothing is
said."""


def seed_option(help_text: str) -> Decorator:
    """The option `--seed`: a whole number from 0 on."""
    return click.option(
        "--seed",
        type=range_of("Seed"),
        default=0,
        show_default=True,
        metavar="N",
        help=help_text,
    )


def level_option(help_text: str) -> Decorator:
    """The option `--level`: a confidence level between 0 and 1."""
    return click.option(
        "--level",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.95,
        show_default=True,
        metavar="P",
        help=help_text,
    )


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, in the order in which help shows them."""

    def added(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return added
