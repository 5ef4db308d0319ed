"""gfactor analyze reliability: alpha, omega, the greatest lower bound, and what each item adds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import by_group, json_option, put_json, say, say_group
from gfactor.cli.options import DRAWS, data_argument, group_option, seed_option, table_options

if TYPE_CHECKING:
    from gfactor.api.table_selection import TableSelection


@click.command("reliability")
@data_argument
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Confidence level of the intervals.",
)
@click.option(
    "--bootstrap",
    "n_bootstrap",
    type=DRAWS,
    default=500,
    show_default=True,
    metavar="N",
    help="Number of resamples for the interval of the greatest lower bound.",
)
@seed_option("Seed of the resamples and split halves.")
@table_options
@group_option
@json_option
def command(
    data: Path,
    level: float,
    n_bootstrap: int,
    seed: int,
    selection: TableSelection,
    group: str | None,
    as_json: bool,
) -> None:
    """Reliability of the sum of a table's columns: alpha, omega, the greatest lower bound and split
    halves, item-rest correlations and alpha if an item is dropped, all with intervals.

    Rows are persons or models, columns items. Diagnostics are printed first.

    \b
    Example:
      gfactor analyze reliability answers.csv
      gfactor analyze reliability survey.dta --columns 'item*' --group country --json

    Python: gfactor.consistency(data)
    """
    from gfactor.api.internal_consistency import consistency
    from gfactor.api.table_selection import scores_by_group

    documents: list[tuple[str | None, dict[str, Any]]] = []
    for name, scores in scores_by_group(data, selection, group):
        result = consistency(scores, level=level, n_bootstrap=n_bootstrap, seed=seed)
        if as_json:
            documents.append((name, result.to_dict()))
            continue
        say_group(group, name)
        say(result.summary())
    if as_json:
        put_json(by_group(data, documents))
