"""gfactor analyze efa: how many factors, and which indicators belong together."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from gfactor.cli.common import by_group, json_option, put_json, say, say_group
from gfactor.cli.constants import declared
from gfactor.cli.options import (
    data_argument,
    group_option,
    persons_option,
    seed_option,
    table_options,
)
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.table_selection import TableSelection
    from gfactor.psychometrics.factor.exploratory import Efa

METHODS = declared("gfactor.psychometrics.factor.exploratory", "METHODS")
ROTATIONS = declared("gfactor.psychometrics.factor.exploratory", "ROTATIONS")


@click.command("efa")
@data_argument
@click.option(
    "--factors", default="parallel", show_default=True, help="A number, or parallel analysis."
)
@click.option("--method", default="ml", show_default=True, help=f"One of {', '.join(METHODS)}.")
@click.option(
    "--rotation",
    default="oblimin",
    show_default=True,
    help=f"One of none, {', '.join(ROTATIONS)}.",
)
@click.option("--starts", type=click.IntRange(1), default=30, show_default=True)
@seed_option("Of starts and random tables.")
@click.option("--general", is_flag=True, help="Also Schmid-Leiman's general factor and omega.")
@persons_option
@table_options
@group_option
@json_option
def command(
    data: Path,
    selection: TableSelection,
    group: str | None,
    factors: str,
    method: str,
    rotation: str,
    starts: int,
    seed: int,
    general: bool,
    n: int | None,
    as_json: bool,
) -> None:
    """Exploratory factor analysis of a table of scores (rows persons, columns indicators).

    \b
    Example:
      gfactor analyze efa scores.csv
      gfactor analyze efa scores.csv --factors 3 --method minres --rotation geomin --general

    Python: gfactor.efa(data)
    """
    from gfactor.api.table_selection import scores_by_group
    from gfactor.psychometrics.factor.exploratory import efa, schmid_leiman

    documents: list[tuple[str | None, dict[str, Any]]] = []
    for name, scores in scores_by_group(data, selection, group):
        result = efa(
            scores, _number(factors), n=n, method=method, rotation=rotation, starts=starts,
            seed=seed,
        )  # fmt: skip
        omega = schmid_leiman(result) if general else None
        if as_json:
            more = {} if omega is None else {"general": omega.to_dict()}
            documents.append((name, result.to_dict() | more))
            continue
        say_group(group, name)
        _say(result)
        if omega is not None:
            say("\nSchmid-Leiman solution")
            printed = set(map(str, result.diagnostics))
            say("\n".join(line for line in omega.summary().splitlines() if line not in printed))
    if as_json:
        put_json(by_group(data, documents))


def _number(factors: str) -> int | Literal["parallel"]:
    if factors == "parallel":
        return "parallel"
    if not factors.isdigit():
        raise ParameterError(f"--factors is a number or 'parallel', not {factors!r}")
    return int(factors)


def _say(result: Efa) -> None:
    say(result.summary())
    if result.parallel is not None:
        say("\n" + result.parallel.summary())
