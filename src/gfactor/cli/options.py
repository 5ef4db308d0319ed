"""Options and arguments that several commands have in common, each written once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import click

from gfactor.cli.values import range_of

Decorator: TypeAlias = Callable[[Any], Any]


JOBS = range_of("Jobs")
"""A number of processes."""


LAVAAN_MODEL = "A file with lavaan syntax, or the model itself."


lavaan_missing_option: Decorator = click.option(
    "--missing",
    type=click.Choice(["listwise", "fiml", "pairwise", "two.stage", "robust.two.stage"]),
    callback=lambda _context, _option, given: "ml" if given == "fiml" else given,
    help="Treatment of incomplete cases: leave them out, full information, pairwise (ordinal "
    "variables), or two stages."
    "  [default: listwise]",
)
"""The command gets lavaan's word for it: "listwise", "ml", "pairwise", or None if nothing is
said."""


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, in the order in which help shows them."""

    def added(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return added
