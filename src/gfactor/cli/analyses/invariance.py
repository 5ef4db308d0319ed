"""gfactor analyze invariance: does the model measure the same in all groups?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import click

from gfactor.cli.cfa_files import read_model
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.options import data_argument, lavaan_missing_option, lavaan_option
from gfactor.cli.tables import table_options
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.table_selection import TableSelection
    from gfactor.psychometrics.sem.measurement_invariance import Invariance

METHODS = declared("gfactor.psychometrics.sem.comparison", "METHODS")


@click.command("invariance")
@data_argument
@lavaan_option
@click.option("--group", required=True, metavar="COLUMN", help="What separates the groups.")
@click.option("--estimator", metavar="NAME", help="By default MLR, or WLSMV with --ordered.")
@click.option("--ordered", metavar="NAMES", help="Ordinal variables, by commas; 'all' for all.")
@lavaan_missing_option
@click.option("--method", type=click.Choice(METHODS), help="How differences are scaled.")
@click.option(
    "--criterion",
    type=click.Choice(["p", "fit"]),
    default="p",
    show_default=True,
    help="What keeps a level: the difference test, or changes of CFI, RMSEA and SRMR.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Of the test.")
@click.option("--partial", is_flag=True, help="Search for what breaks a level, and release it.")
@click.option("--marker", is_flag=True, help="Take every factor's first loading as invariant.")
@table_options
@json_option
def command(
    data: Path,
    selection: TableSelection,
    model_given: str,
    group: str,
    estimator: str | None,
    ordered: str | None,
    missing: str | None,
    method: str | None,
    criterion: str,
    alpha: float,
    partial: bool,
    marker: bool,
    as_json: bool,
) -> None:
    """Configural, metric, scalar and strict invariance of a model over groups: languages, or people
    against models.

    \b
    Example:
      gfactor analyze invariance scores.csv --model m.lav --group language
      gfactor analyze invariance scores.csv --model m.lav --group kind --partial --json

    Python: gfactor.invariance(model, data, group="lab")
    """
    from gfactor.api.matrix_files import read_table
    from gfactor.api.progress_bars import counter, ticks
    from gfactor.psychometrics.sem.measurement_invariance import invariance

    frame = selection.of(read_table(data), str(data), [group])
    text = read_model(model_given)
    names = [str(name) for name in frame.columns if str(name) != group]
    chosen = names if ordered == "all" else [n.strip() for n in (ordered or "").split(",") if n]
    unknown = [name for name in chosen if name not in names]
    if unknown:
        raise ParameterError(f"--ordered names {unknown[0]!r}, which is no column of {data}")
    if ordered == "all":
        chosen = [name for name in names if name in text]
    bar = counter(5 if chosen else 4, "invariance", "level")
    result = invariance(
        text,
        frame,
        group,
        estimator=estimator,
        ordered=chosen,
        missing=missing or "listwise",
        method=method,
        criterion=cast(Literal["p", "fit"], criterion),
        alpha=alpha,
        partial=partial,
        std_lv=not marker,
        progress=ticks(bar),
    )
    bar.close()
    _print(result, data, as_json)


def _print(result: Invariance, data: Path, as_json: bool) -> None:
    if as_json:
        put_json({"data": str(data), **result.to_dict()})
    else:
        say(result.summary())
