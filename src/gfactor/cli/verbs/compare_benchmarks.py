"""gfactor compare-benchmarks: compare benchmarks by their tasks and by the people who took them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.constants import declared
from gfactor.cli.criterion import criterion_options, without_option
from gfactor.cli.options import DRAWS, NAME, page_option, seed_option
from gfactor.cli.path_models import missing_option, scheme_option
from gfactor.cli.task_tables import journal_condition_option, tasks_option
from gfactor.errors import ParameterError

if TYPE_CHECKING:
    from gfactor.api.score_tables import Rated

HEADING = "Results"

FAMILIES = declared("gfactor.psychometrics.gold.diagnostics", "FAMILIES")


@click.command("compare-benchmarks")
@click.argument("files", nargs=-1, required=True, metavar="DATA.csv...", type=NAME)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME=FILE",
    help="The constructs of a benchmark, as for gfactor analyze pls; by default columns called "
    "Benchmark.Category.task say what belongs together.",
)
@click.option(
    "--benchmark",
    "wanted",
    multiple=True,
    metavar="NAME",
    help="Only these: the first part of columns, or a column that is a benchmark's total.",
)
@click.option(
    "--chance",
    metavar="LEVEL|FILE",
    help="Score of a guess: a number for all columns, or a CSV with the columns column and chance. "
    "Known without it where items say how many options they offer (journals, --tasks).",
)
@journal_condition_option
@tasks_option
@click.option(
    "--items",
    "item_counts",
    metavar="N|FILE",
    help="Items behind each score, where only scores are known: a number for all columns, or a CSV "
    "with the columns column and items. Scores are then shares of right answers, 0 to 1.",
)
@click.option(
    "--families",
    type=click.Choice(FAMILIES),
    default="all",
    show_default=True,
    help="Families of near-copies: all models count, one of each does, or they are clusters of the "
    "bootstrap.",
)
@click.option(
    "--above",
    type=float,
    metavar="SCORE",
    help="Only models whose mean over a benchmark's tasks is above this (the chance level, say).",
)
@click.option("--common", is_flag=True, help="Only models that have all benchmarks.")
@missing_option("listwise", "What to do about missing cells within a benchmark.")
@scheme_option
@click.option("--size", type=click.IntRange(min=10), metavar="N", help="Models in top and bottom.")
@click.option(
    "--draws",
    "n_bootstrap",
    type=DRAWS,
    default=500,
    show_default=True,
    metavar="N",
    help="Bootstrap resamples of the models.",
)
@seed_option("Of the resamples.")
@page_option
@without_option
@json_option
@criterion_options
def command(
    files: tuple[str, ...],
    models: tuple[str, ...],
    wanted: tuple[str, ...],
    chance: str | None,
    condition: str | None,
    tasks: str | None,
    item_counts: str | None,
    families: Any,
    above: float | None,
    common: bool,
    missing: Any,
    scheme: Any,
    size: int | None,
    n_bootstrap: int,
    seed: int,
    output: Path | None,
    without: tuple[str, ...],
    as_json: bool,
    rated: Rated,
) -> None:
    """Set benchmarks side by side by GOLD's three diagnostics, and by a human criterion.

    D_div (dimensional diversity), TC (task contribution) and D_valid (indicator validity) with 95 %
    intervals; Pearson's r with --criterion; and, said first, what decides whether they mean
    anything: the range of ability, families of near-copies, tasks at chance, too few models. Files
    are of any format of gfactor import-scores; a benchmark is the first part of its columns'
    names, or the column itself.

    \b
    Example:
      gfactor compare-benchmarks scores.csv --criterion arena.csv --chance 0.25 -o compared/

    Python: gfactor.compare_benchmarks(scores, criterion=ratings, chance=0.25)
    """
    from gfactor.api.benchmark_comparison import compare_benchmarks
    from gfactor.api.score_tables import naming_of
    from gfactor.scoring.tables import format_of

    _ = naming_of({"condition": condition}, [format_of(file) for file in files])
    comparison = compare_benchmarks(
        list(files),
        models=_models(models),
        benchmarks=wanted,
        chance=chance,
        items=item_counts,
        tasks=tasks,
        condition=condition,
        families=families,
        above=above,
        common=common,
        without=without,
        missing=missing,
        scheme=scheme,
        size=size,
        n_bootstrap=n_bootstrap,
        seed=seed,
        **rated.given,
    )
    page = None
    if output:
        from gfactor.reports.analysis import write_analysis
        from gfactor.reports.benchmark_comparison import comparison_report

        page = write_analysis(comparison_report(comparison, ", ".join(files)), output).path
    if as_json:
        put_json(comparison.to_dict())
        return
    say(comparison.summary())
    if page:
        say(f"\n{page}: the page")


def _models(models: tuple[str, ...]) -> dict[str, str]:
    model_texts = {}
    for pair in models:
        name, sign, file = pair.partition("=")
        if not sign:
            raise ParameterError(f"--model is NAME=FILE (the benchmark it is of), not {pair!r}")
        model_texts[name] = file
    return model_texts
