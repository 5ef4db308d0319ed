"""gfactor prune: choose the tasks of a battery that are worth keeping (GOLD, Algorithm 1)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.backends import jobs_option
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.criterion import criterion_options, without_option
from gfactor.cli.options import DRAWS, data_argument, model_option, page_option, seed_option
from gfactor.cli.path_models import missing_option, scheme_option
from gfactor.cli.task_tables import journal_condition_option, tasks_option
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.pruning import PrunedTasks
    from gfactor.api.score_tables import Rated
    from gfactor.psychometrics import Diagnostic
    from gfactor.psychometrics.pruning import Pruning, PruningStability, PruningValidation

HEADING = "Statistics"


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
    "n_bootstrap",
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
@jobs_option("Processes for --stability; the result does not depend on it.", handed_on=False)
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
    n_bootstrap: int | None,
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

    Python: gfactor.prune(model, data, n_bootstrap=500, folds=5)
    """
    from gfactor.api.pruning import prune
    from gfactor.api.score_tables import naming_of
    from gfactor.scoring.tables import format_of

    if rated.criterion is not None and not folds:
        raise ParameterError("a criterion is for the validation; give --validate K")
    _ = naming_of({"condition": condition}, [format_of(data)])
    matches = prune(
        model_given,
        data,
        vif=vif,
        loading=loading,
        floor=floor,
        order=order,
        scope=scope,
        scheme=scheme,
        missing=missing,
        without=without,
        tasks=tasks,
        condition=condition,
        n_bootstrap=n_bootstrap or 0,
        ablation=with_ablation,
        folds=folds or 0,
        size=size,
        seed=seed,
        **rated.given,
    )
    page = matches.report(output).path if output else None
    if as_json:
        put_json(matches.to_dict())
        return
    _say(matches)
    if page:
        say(f"\n{page}: the page")


def _say(matches: PrunedTasks) -> None:
    pruning, steady, held = matches.pruning, matches.stability, matches.validation
    said = matches.diagnostics
    for diagnostic in said:
        say(str(diagnostic))
    say("\n" + _body(pruning, said))
    say("\n" + pruning.tasks.to_string(index=False, float_format="{:.3f}".format))
    say("\n" + pruning.three.to_string(index=False, float_format="{:.3f}".format))
    if steady is not None:
        say("\n" + _body(steady, said))
        say(steady.tasks.to_string(index=False, float_format="{:.2f}".format))
    if matches.ablation is not None:
        say("\n" + matches.ablation.to_string(index=False, float_format="{:.3f}".format))
    if held is not None:
        say("\n" + _body(held, said))
        say(held.three.to_string(index=False, float_format="{:.3f}".format, na_rep="-"))


def _body(
    result: Pruning | PruningStability | PruningValidation, said: tuple[Diagnostic, ...]
) -> str:
    """The summary without the diagnostics, which were said before."""
    known = set(map(str, said))
    return "\n".join(line for line in result.summary().splitlines() if line not in known)
