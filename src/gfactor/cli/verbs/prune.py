"""gfactor prune: fewer tasks, by redundancy and contribution (GOLD's Algorithm 1)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pandas as pd

from gfactor.api.progress import counter
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.criterion import (
    Rated,
    check_numbers,
    criterion_options,
    kept,
    without_option,
)
from gfactor.cli.options import DRAWS, data_argument, model_option, page_option, seed_option
from gfactor.cli.path_models import missing_option, read_model, scheme_option
from gfactor.cli.task_tables import (
    journal_condition_option,
    naming_of,
    table_of_tasks,
    tasks_option,
)
from gfactor.errors import GfactorError, ParameterError
from gfactor.psychometrics import Diagnostic, by_severity
from gfactor.psychometrics.pruning import (
    Pruning,
    PruningRules,
    PruningStability,
    PruningValidation,
    ablation,
    prune,
    stability,
    validate,
)
from gfactor.results import plain
from gfactor.scoring.tables import format_of

_COMBINATIONS = 18
"""Thresholds and orders of an ablation."""


@click.command("prune")
@data_argument
@model_option(
    "Lines such as  A =~ x1 + x2,  B ~ A  and  G =~ A + B, in a file or here; a construct of one "
    "indicator is an anchor. By default columns called Benchmark.Category.task say what belongs "
    "together.",
    required=False,
)
@click.option(
    "--vif", default=5.0, show_default=True, help="Tasks with a larger VIF are redundant."
)
@click.option(
    "--loading", default=0.75, show_default=True, help="Tasks with a smaller loading are weak."
)
@click.option("--floor", default=2, show_default=True, help="Tasks that each construct keeps.")
@click.option(
    "--order",
    type=click.Choice(["one", "all"]),
    default="one",
    show_default=True,
    help="One task per refit (the authors' tool), or all at once (the paper's text).",
)
@click.option(
    "--scope",
    type=click.Choice(["construct", "all"]),
    default="construct",
    show_default=True,
    help="Against which tasks a VIF is taken.",
)
@journal_condition_option
@tasks_option
@scheme_option
@missing_option("error")
@click.option(
    "--stability",
    "draws",
    type=DRAWS,
    metavar="N",
    help="Repeat the whole pruning on N resamples of the models: how often is each task kept?",
)
@click.option("--ablation", "with_ablation", is_flag=True, help="Also under other thresholds.")
@click.option(
    "--validate",
    "folds",
    type=click.IntRange(min=2),
    metavar="K",
    help="Judge the retained tasks by models that did not choose them, in K folds; with "
    "--criterion, also their alignment with it.",
)
@click.option("--size", type=click.IntRange(min=5), metavar="N", help="Models in top and bottom.")
@seed_option("Of resamples and folds.")
@page_option
@without_option
@json_option
@criterion_options
def command(
    data: Path,
    model_given: str | None,
    vif: float,
    loading: float,
    floor: int,
    order: Any,
    scope: Any,
    condition: str | None,
    tasks: str | None,
    scheme: Any,
    missing: Any,
    draws: int | None,
    with_ablation: bool,
    folds: int | None,
    size: int | None,
    seed: int,
    output: Path | None,
    without: tuple[str, ...],
    as_json: bool,
    rated: Rated,
) -> None:
    """Remove redundant tasks, then weak ones, and say why each went.

    DATA.csv has a row per model and a column per task (any format of gfactor import-scores). One
    task goes per refit of the PLS model: the one with the largest VIF while any is above --vif,
    then the one with the smallest loading while any is below --loading; ties in VIF within 5 % go
    to the smaller loading, and no construct keeps fewer than --floor.

    \b
    Example:
      gfactor prune scores.csv --model gold.pls --stability 500 --validate 5 -o pruned/
    """
    if rated.criterion is not None and not folds:
        raise ParameterError("a criterion is for the validation; give --validate K")
    rules = PruningRules(vif, loading, floor, order, scope=scope)
    naming = naming_of({"condition": condition}, [format_of(data)])
    table_read = table_of_tasks(data, tasks, naming)
    scores = kept(table_read.scores, without, str(data))
    model = read_model(model_given, list(scores.columns))
    check_numbers(table_read, model)
    settings = {"scheme": scheme, "missing": missing}
    try:
        pruning = prune(scores, model, rules, **settings)
        steady = table = held = None
        if draws:
            with counter(draws, "resamples", "pruning") as bar:
                steady = stability(
                    scores, pruning, missing=missing, draws=draws, seed=seed, watch=bar.update
                )
        if with_ablation:
            with counter(_COMBINATIONS, "ablation", "pruning") as bar:
                table = ablation(scores, model, rules, watch=bar.update, **settings)
        if folds:
            with counter(folds, "validation", "fold") as bar:
                held = validate(
                    scores, pruning, criterion=rated.criterion, names=rated.names.names,
                    folds=folds, size=size, missing=missing, seed=seed, watch=bar.update,
                )  # fmt: skip
    except GfactorError as error:
        raise ParameterError(f"{data}: {error}") from error
    page = None
    if output:
        from gfactor.reports.analysis import write_analysis  # noqa: PLC0415  (needs an extra)
        from gfactor.reports.pruning import pruning_report  # noqa: PLC0415

        page = write_analysis(pruning_report(pruning, steady, table, held, data.name), output).path
    if as_json:
        put_json(_document(pruning, steady, table, held))
        return
    _say(pruning, steady, table, held)
    if page:
        say(f"\n{page}: the page")


def _document(
    pruning: Pruning,
    steady: PruningStability | None,
    table: pd.DataFrame | None,
    held: PruningValidation | None,
) -> dict[str, Any]:
    document = pruning.to_dict()
    if steady is not None:
        document["stability"] = steady.to_dict()
    if table is not None:
        document["ablation"] = plain(table)
    if held is not None:
        document["validation"] = held.to_dict()
    return document


def _say(
    pruning: Pruning,
    steady: PruningStability | None,
    table: pd.DataFrame | None,
    held: PruningValidation | None,
) -> None:
    results = [result for result in (pruning, steady, held) if result is not None]
    said = by_severity(d for result in results for d in result.diagnostics)
    for diagnostic in said:
        say(str(diagnostic))
    say("\n" + _body(pruning, said))
    say("\n" + pruning.tasks.to_string(index=False, float_format="{:.3f}".format))
    say("\n" + pruning.three.to_string(index=False, float_format="{:.3f}".format))
    if steady is not None:
        say("\n" + _body(steady, said))
        say(steady.tasks.to_string(index=False, float_format="{:.2f}".format))
    if table is not None:
        say("\n" + table.to_string(index=False, float_format="{:.3f}".format))
    if held is not None:
        say("\n" + _body(held, said))
        say(held.three.to_string(index=False, float_format="{:.3f}".format, na_rep="-"))


def _body(
    result: Pruning | PruningStability | PruningValidation, said: tuple[Diagnostic, ...]
) -> str:
    """The summary without the diagnostics, which were said before."""
    known = set(map(str, said))
    return "\n".join(line for line in result.summary().splitlines() if line not in known)
