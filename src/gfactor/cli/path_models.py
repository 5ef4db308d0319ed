"""What the commands that fit PLS path models share: the model, the weights, missing cells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics.gold import model_from_columns
from gfactor.psychometrics.pls import PLSModel, parse_pls
from gfactor.psychometrics.pls.data import MISSING
from gfactor.psychometrics.pls.iteration import SCHEMES

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


def read_path_model(given: str) -> PLSModel:
    """The model in a file, or in a text that holds an operator; ParameterError names the file."""
    if "=~" in given or "<~" in given:
        return parse_pls(given)
    try:
        text = Path(given).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise ParameterError(f"the model file {given!r} is not UTF-8 text") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ParameterError(f"the model file {given!r} cannot be read: {reason}") from error
    try:
        return parse_pls(text)
    except GfactorError as error:
        raise ParameterError(f"{given}: {error}") from error


def read_model(given: str | None, columns: list[str]) -> PLSModel:
    """The model as `read_path_model`, or what the names of columns say where none is given."""
    return model_from_columns(columns) if given is None else read_path_model(given)
