"""The options of the commands that fit PLS path models: the weights, missing cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from gfactor.cli.constants import declared

MISSING = declared("gfactor.psychometrics.pls.data", "MISSING")
SCHEMES = declared("gfactor.psychometrics.pls.iteration", "SCHEMES")

scheme_option: Callable[[Any], Any] = click.option(
    "--scheme", type=click.Choice(SCHEMES), default="path", show_default=True, help="Inner weights."
)


def missing_option(
    default: str, help_text: str = "What to do about missing cells."
) -> Callable[[Any], Any]:
    """The option `--missing`."""
    return click.option(
        "--missing",
        type=click.Choice(MISSING),
        default=default,
        show_default=True,
        help=help_text,
    )
