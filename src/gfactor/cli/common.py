"""The parts that verbs share: the `--json` option, output."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from gfactor.errors import ParameterError
from gfactor.escaping import visible, visible_json

if TYPE_CHECKING:
    import pandas as pd

json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as JSON, for machines."
)


def typed_names() -> list[str]:
    """Return the parameters of the current command whose options were typed."""
    context = click.get_current_context()
    return [
        name
        for name in context.params
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    ]


def refuse_typed(
    reason: str, *, among: Collection[str] | None = None, beside: Collection[str] = ()
) -> None:
    """Raise an error for typed options that have no effect in this call.

    Parameters
    ----------
    reason : str
        The message, which begins with the option.
    among : collection of str, optional
        Parameters that are refused; by default all.
    beside : collection of str
        Parameters that are never refused.

    Raises
    ------
    ParameterError
        For the first such option.
    """
    from gfactor.api.inputs.calls import option

    for name in typed_names():
        if name not in beside and (among is None or name in among):
            raise ParameterError(f"{option(name)} {reason}")


def say(text: str) -> None:
    """Write a line of the result to standard output, with terminal escapes made visible."""
    click.echo(visible(text))


def put_json(value: Any) -> None:
    """Print the result for machines: one JSON document on standard output."""
    document = json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False, default=_plain)
    click.echo(visible_json(document))


def _plain(value: Any) -> Any:
    """Return a table or a file as JSON holds it."""
    from gfactor.results import plain

    return plain(value)


def say_entries(entries: pd.DataFrame) -> None:
    """Print names with their descriptions, a line each."""
    rows = entries.to_dict("records")
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        say(f"{row['name']:<{width}}  {row['description']}".rstrip())
