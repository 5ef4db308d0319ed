"""Options and arguments that several commands have in common, each written once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from gfactor.cli.values import range_of

Decorator: TypeAlias = Callable[[Any], Any]


JOBS = range_of("Jobs")
"""A number of processes."""


def together(*options: Decorator) -> Decorator:
    """Return several options as one decorator, in the order in which help shows them."""

    def added(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return added
