"""The options of the verbs that set scores against an external criterion."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from gfactor.cli.options import together
from gfactor.cli.values import PATH
from gfactor.errors import ParameterError

_OPTIONS = together(
    click.option(
        "--criterion",
        "criterion_file",
        type=PATH,
        metavar="FILE",
        help="External ratings: a table with the columns model and rating, and rating_q025 and "
        "rating_q975 (or low and high) where the ratings' 95 % intervals are known.",
    ),
    click.option(
        "--names",
        "names_file",
        type=PATH,
        metavar="FILE",
        help="A name map: a CSV with the columns model (in the scores) and as (in the criterion).",
    ),
    click.option(
        "--where",
        multiple=True,
        metavar="COLUMN=VALUE",
        help="Only rows of the criterion and of the name map with this value; may be given several "
        "times.",
    ),
)


without_option = click.option(
    "--without",
    multiple=True,
    metavar="MODEL",
    help="Leave out this model, or all that match a pattern such as '*7b*'; may be given several "
    "times.",
)


def criterion_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a verb, which gets them as one argument, `rated`."""

    @functools.wraps(command)
    def with_criterion(
        criterion_file: Path | None, names_file: Path | None, where: tuple[str, ...], **values: Any
    ) -> Any:
        from gfactor.api.reach import as_flag
        from gfactor.api.score_tables import rated

        return command(rated=rated(criterion_file, names_file, pairs(where), as_flag), **values)

    return _OPTIONS(with_criterion)


def pairs(where: tuple[str, ...]) -> dict[str, str]:
    """Columns and their values, of texts such as COLUMN=VALUE."""
    values = {}
    for pair in where:
        column, sign, value = pair.partition("=")
        if not sign:
            raise ParameterError(f"--where is COLUMN=VALUE, not {pair!r}")
        values[column] = value
    return values
