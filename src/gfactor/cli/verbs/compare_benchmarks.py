"""gfactor compare-benchmarks: set benchmarks side by side, by their tasks and by people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd

from gfactor.api.progress import counter
from gfactor.cli.common import json_option, put_json, say
from gfactor.cli.criterion import Rated, criterion_options, kept, without_option
from gfactor.cli.options import DRAWS, NAME, page_option, seed_option
from gfactor.cli.path_models import missing_option, read_model, scheme_option
from gfactor.cli.scores import read_table
from gfactor.cli.task_tables import (
    journal_condition_option,
    naming_of,
    table_of_tasks,
    tasks_option,
)
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.psychometrics.gold import (
    BenchmarkScores,
    TaskItems,
    compare_benchmarks,
    model_from_columns,
)
from gfactor.psychometrics.gold.diagnostics import FAMILIES
from gfactor.psychometrics.gold.model import tasks as tasks_of
from gfactor.scoring.frames import pick
from gfactor.scoring.tables import ScoreTable, format_of


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
    draws: int,
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
    """
    given = _models(models)
    benchmarks: dict[str, BenchmarkScores] = {}
    known: dict[str, float] = {}
    naming = naming_of({"condition": condition}, [format_of(file) for file in files])
    for file in files:
        table = table_of_tasks(file, tasks, naming)
        table = _with_benchmark(table, file) if tasks else table
        known |= _known_chance(table)
        for name, scores in _of_table(table, given, wanted, file).items():
            if name in benchmarks:
                raise ParameterError(
                    f"{name!r} is in {file!r} and in a file before it; join them with gfactor "
                    "import-scores first"
                )
            benchmarks[name] = scores
    benchmarks = _without(benchmarks, without, ", ".join(files))
    for name in given:
        if name not in benchmarks:
            raise ParameterError(
                f"no file has all columns of the model of {name!r}; a column of the model may be "
                "misspelled"
            )
    unknown = next((n for n in wanted if n not in benchmarks), None)
    if unknown is not None:
        raise UnknownNameError("benchmark", unknown, benchmarks)
    if above is not None:
        benchmarks = {name: _above(name, b, above) for name, b in benchmarks.items()}
    if common:
        benchmarks = _common(benchmarks)
    levels = _chance(chance, benchmarks) if chance is not None else known
    if item_counts is not None:
        benchmarks = _counted(benchmarks, item_counts)
    try:
        with counter(len(benchmarks), "benchmarks", "benchmark") as bar:
            comparison = compare_benchmarks(
                benchmarks, criterion=rated.criterion, names=rated.names.names,
                approximate=rated.names.approximate, chance=levels,
                scheme=scheme, missing=missing, size=size, draws=draws, seed=seed,
                families=families, watch=bar.update,
            )  # fmt: skip
    except GfactorError as error:
        raise ParameterError(f"{', '.join(files)}: {error}") from error
    page = None
    if output:
        from gfactor.reports.analysis import write_analysis  # noqa: PLC0415  (needs an extra)
        from gfactor.reports.benchmark_comparison import comparison_report  # noqa: PLC0415

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


def _with_benchmark(table: ScoreTable, file: str) -> ScoreTable:
    """Tasks without a benchmark in their names belong to one that is called like the file."""
    items = table.items
    if items is None or any("." in task for task in items.tasks.values()):
        return table
    stem = Path(file).stem.replace(".", "_")
    named = replace(items, tasks={item: f"{stem}.{task}" for item, task in items.tasks.items()})
    return replace(table, scores=named.scores, items=named)


def _known_chance(table: ScoreTable) -> dict[str, float]:
    """What guessing earns by column, where the format tells."""
    return {} if table.items is None else table.items.chance_of_tasks


def _counted(benchmarks: dict[str, BenchmarkScores], given: str) -> dict[str, BenchmarkScores]:
    """The benchmarks with the numbers of items behind their columns."""
    if all(b.items for b in benchmarks.values()):
        raise ParameterError(
            "--items is for scores alone; the answers to items are known here, leave it out"
        )
    columns = [str(c) for b in benchmarks.values() for c in b.data.columns]
    counts = _by_column(given, "items", columns)
    for column, n in counts.items():
        if n < 2 or n != int(n):
            raise ParameterError(f"--items: {column!r} has {n:g}; it is a whole number from 2 on")
    items = TaskItems(counts={c: int(n) for c, n in counts.items()})
    return {name: b if b.items else replace(b, items=items) for name, b in benchmarks.items()}


def _of_table(
    table: ScoreTable, models: dict[str, str], wanted: tuple[str, ...], file: str
) -> dict[str, BenchmarkScores]:
    """The benchmarks in a table: those of the models given, else by first parts of columns."""
    benchmarks = {}
    scores, behind = table.scores, None
    if table.items is not None:
        behind = TaskItems(table.items.answers, table.items.tasks)
    for name, text in models.items():
        model = read_model(text, [])
        if set(model.columns) <= set(scores.columns):
            benchmarks[name] = BenchmarkScores(pick(scores, list(model.columns)), model, behind)
    columns: dict[str, list[str]] = {}
    for column in map(str, scores.columns):
        columns.setdefault(column.split(".")[0], []).append(column)
    for name, names in columns.items():
        if name in models or (wanted and name not in wanted):
            continue
        if len(names) > 1:
            benchmarks[name] = BenchmarkScores(
                pick(scores, names), model_from_columns(names), behind
            )
        elif wanted:
            benchmarks[name] = BenchmarkScores(pick(scores, names))
    if not benchmarks:
        values = scores.to_numpy(float)
        if values.size and np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
            raise ParameterError(
                f"{file!r} holds 0 and 1 only, the answers to {scores.shape[1]} items; say with "
                "--tasks which item belongs to which task"
            )
        raise ParameterError(
            f"{file!r} has no benchmark with tasks (columns called Benchmark.task); choose columns "
            "that are totals with --benchmark NAME"
        )
    return benchmarks


def _without(
    benchmarks: dict[str, BenchmarkScores], without: tuple[str, ...], files: str
) -> dict[str, BenchmarkScores]:
    if not without:
        return benchmarks
    everyone = pd.concat([pd.DataFrame(index=b.data.index) for b in benchmarks.values()])
    left = set(kept(everyone, without, files).index)
    return {
        name: replace(b, data=pick(b.data, b.data.index.isin(left)))
        for name, b in benchmarks.items()
    }


def _columns(given: BenchmarkScores) -> list[str]:
    return list(given.data.columns) if given.model is None else list(tasks_of(given.model))


def _above(name: str, given: BenchmarkScores, level: float) -> BenchmarkScores:
    kept = pick(given.data, pick(given.data, _columns(given)).mean(axis=1) > level)
    if not len(kept):
        raise ParameterError(f"no model is above {level:g} in {name}; scores may be in percent")
    return replace(given, data=kept)


def _common(benchmarks: dict[str, BenchmarkScores]) -> dict[str, BenchmarkScores]:
    complete = [set(b.data.index[b.data[_columns(b)].notna().all(axis=1)])
                for b in benchmarks.values()]  # fmt: skip
    shared = set.intersection(*complete)
    if len(shared) < 5:
        raise ParameterError(
            f"{len(shared)} models have all of {', '.join(benchmarks)}; at least 5 are needed"
        )
    return {
        name: replace(b, data=pick(b.data, b.data.index.isin(shared)))
        for name, b in benchmarks.items()
    }


def _chance(chance: str, benchmarks: dict[str, BenchmarkScores]) -> dict[str, float]:
    return _by_column(chance, "chance", [c for b in benchmarks.values() for c in b.data.columns])


def _by_column(given: str, what: str, columns: Iterable[object]) -> dict[str, float]:
    """One number for all columns, or those of a CSV with the columns `column` and `what`."""
    try:
        return dict.fromkeys(map(str, columns), float(given))
    except ValueError:
        table = read_table(Path(given))
    for name in ("column", what):
        if name not in table.columns:
            raise UnknownNameError(f"column of {given!r}", name, map(str, table.columns))
    return dict(zip(table["column"].astype(str), table[what].astype(float), strict=True))
