"""What verbs share: the `--json` option, output, and progress bars."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click
from tqdm import tqdm

from gfactor.escaping import visible, visible_json

T = TypeVar("T")

json_option: Callable[[Any], Any] = click.option(
    "--json", "as_json", is_flag=True, help="Print the result as JSON, for machines."
)


def say(text: str) -> None:
    """A line of the result, to standard output; what a terminal would obey is escaped."""
    click.echo(visible(text))


def put_json(value: Any) -> None:
    """The result for machines: one JSON document on standard output."""
    document = json.dumps(value, indent=2, sort_keys=False, allow_nan=False, ensure_ascii=False)
    click.echo(visible_json(document))


def progress(things: Iterable[T], total: int, what: str, unit: str = "item") -> Iterable[T]:
    """A bar with time left on standard error, after a second; off when it is not a terminal."""
    return tqdm(
        things,
        total=total,
        desc=what,
        unit=unit,
        delay=1.0,
        file=sys.stderr,
        disable=not sys.stderr.isatty(),
        smoothing=0.1,
    )


def counter(total: int, what: str, unit: str = "item") -> tqdm[Any]:
    """A bar like `progress`, for work that reports itself: call `update(n)`, close at the end."""
    return tqdm(
        total=total,
        desc=what,
        unit=unit,
        delay=1.0,
        file=sys.stderr,
        disable=not sys.stderr.isatty(),
        smoothing=0.1,
    )


def tell(sentence: str) -> None:
    """A sentence about work that is going on, to standard error, above a bar if there is one."""
    tqdm.write(visible(sentence), file=sys.stderr)
