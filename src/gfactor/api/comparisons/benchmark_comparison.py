"""Benchmarks side by side: GOLD's diagnostics, and how well each follows people's ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from gfactor.api.inputs.progress_bars import counter
from gfactor.api.inputs.score_tables import (
    Scores,
    as_path_model,
    as_table,
    by_column,
    rated,
    without_models,
)
from gfactor.api.inputs.taking import several
from gfactor.errors import GfactorError, ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.listing import first_few
from gfactor.parameters import Draws, GroupSize, Seed
from gfactor.psychometrics import gold
from gfactor.psychometrics.alignment import Criterion
from gfactor.psychometrics.gold import (
    BenchmarkComparison,
    BenchmarkScores,
    TaskItems,
    model_from_columns,
    with_general,
)
from gfactor.psychometrics.gold.diagnostics import Families
from gfactor.psychometrics.gold.model import tasks as tasks_of
from gfactor.psychometrics.pls import PLSModel
from gfactor.psychometrics.pls.data import Missing
from gfactor.psychometrics.pls.iteration import Scheme
from gfactor.scoring.tables import NameMap, ScoreTable

Benchmarks = dict[str, BenchmarkScores]


def compare_benchmarks(
    data: Scores | Sequence[Scores],
    *,
    models: Mapping[str, PLSModel | Path | str] | None = None,
    benchmarks: Sequence[str] = (),
    chance: float | Mapping[str, float] | Path | str | None = None,
    items: int | Mapping[str, float] | Path | str | None = None,
    tasks: Path | str | None = None,
    condition: str | None = None,
    families: Families = "all",
    above: float | None = None,
    common: bool = False,
    without: Sequence[str] = (),
    criterion: pd.DataFrame | Criterion | Path | str | None = None,
    names: Mapping[str, str] | NameMap | Path | str | None = None,
    where: Mapping[str, str] | None = None,
    missing: Missing = "listwise",
    scheme: Scheme = "path",
    size: GroupSize | None = None,
    n_bootstrap: Draws = 500,
    seed: Seed = 0,
) -> BenchmarkComparison:
    """Compare benchmarks by the three diagnostics of GOLD, and with human preferences.

    The diagnostics are D_div (dimensional diversity), TC (task contribution) and D_valid
    (indicator validity), each with a 95 % interval. Findings warn of what makes them misleading: a
    restricted range of ability, families of near-copies among the models, tasks at chance level,
    too few models.

    Parameters
    ----------
    data : DataFrame, path, or a list of these
        Table with a row per model and a column per task. The first part of a column's name is its
        benchmark ("Benchmark.Category.task"); a column without parts is a benchmark of its own.
    models : dict, optional
        PLS model of a benchmark's constructs in the syntax of `pls`, or a file that holds it, by
        the benchmark's name. By default the categories are the constructs.
    benchmarks : list of str
        Benchmarks to compare, by the first part of their columns' names or the name of their
        single column; all by default.
    chance : float, dict or path, optional
        Score that guessing gives on average: one number for all columns, or numbers by column (a
        CSV file has the columns column and chance).
    items : int, dict or path, optional
        Number of items from which each score was computed, if only the scores are known. Scores
        must then be shares from 0 to 1.
    tasks : str or path, optional
        Task of each item, if the columns of `data` are items: a CSV file with the columns item and
        task, or a regular expression whose group in an item's name is the task.
    condition : str, optional
        Condition whose answers count, if scores come from a journal.
    families : str
        Treatment of families of near-copies of a model: "all" counts every model, "one" counts one
        model of each family, and "clusters" resamples whole families.
    above : float, optional
        Smallest mean score over a benchmark's tasks; models below it are left out.
    common : bool
        Use only models that have scores on all benchmarks.
    without : list of str
        Models to leave out, by name or pattern ("*7b*").
    criterion : DataFrame or path, optional
        Table of external ratings, such as human preferences, with the columns model and rating,
        and rating_q025 and rating_q975 if 95 % intervals of the ratings are known.
    names : dict or path, optional
        Names that models have in the criterion, by their names in the scores.
    where : dict, optional
        Columns and the values that they must have, to select rows of the criterion and of the
        table of names.
    missing : str
        Treatment of missing values within a benchmark: "error" refuses data that have any,
        "listwise" leaves out their rows, "pairwise" uses all rows that have both columns, "mean"
        fills in the mean of the column, "em" fills in expected values by the EM algorithm.
    scheme : str
        Inner weighting scheme of PLS: "path", "factorial" or "centroid".
    size : int, optional
        Number of models in the top group and in the bottom group, for comparisons within them;
        half of the models if None.
    n_bootstrap : int
        Number of bootstrap samples of the models, for the intervals.
    seed : int
        Seed of the bootstrap samples.

    Returns
    -------
    BenchmarkComparison
        `table` (a row per benchmark), `parts` (the diagnostics of each benchmark), `alignments`
        (with the criterion), `diagnostics`, `summary()` and `to_dict()`.

    Raises
    ------
    ParameterError
        If no benchmark has tasks, or too few models are left to fit a model.
    UnknownNameError
        For an unknown benchmark, model or column.

    References
    ----------
    Xiong, S., Zou, T., Wang, C., Li, X. (2025). Aligning MLLM benchmark with human preferences via
    structural equation modeling.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> a, b = random.normal(size=(2, 60))
    >>> data = pd.DataFrame({f"One.A.t{k}": a + random.normal(size=60) for k in range(3)})
    >>> for k in range(3):
    ...     data[f"One.B.t{k}"] = a + b + random.normal(size=60)
    >>> comparison = gf.compare_benchmarks(data, n_bootstrap=50)
    >>> comparison.table[["benchmark", "tasks", "models"]].to_dict("records")
    [{'benchmark': 'One', 'tasks': 6, 'models': 60}]
    """
    judged = rated(criterion, names, where)
    tables = [as_table(one, tasks, condition) for one in _listed(data)]
    tables = [_with_benchmark(table) if tasks else table for table in tables]
    source = ", ".join(table.source for table in tables)
    chance_of_tasks: dict[str, float] = {}
    for table in tables:
        chance_of_tasks |= {} if table.items is None else table.items.chance_of_tasks
    by_name = _benchmarks(tables, dict(models or {}), tuple(benchmarks))
    if without:
        by_name = _without(by_name, without, source)
    if above is not None:
        by_name = {name: _above(name, one, above) for name, one in by_name.items()}
    if common:
        by_name = _common(by_name)
    columns = [c for one in by_name.values() for c in one.data.columns]
    levels = by_column(chance, "chance", columns) if chance is not None else chance_of_tasks
    if items is not None:
        by_name = _counted(by_name, items)
    try:
        with counter(len(by_name), "benchmarks", "benchmark") as bar:
            compared = gold.compare_benchmarks(
                by_name, criterion=judged.criterion, names=judged.names.names,
                approximate=judged.names.approximate, chance=levels, scheme=scheme,
                missing=missing, size=size, n_bootstrap=n_bootstrap, seed=seed, families=families,
                watch=bar.update,
            )  # fmt: skip
    except GfactorError as error:
        raise ParameterError(f"{source}: {error}") from error
    return replace(compared, source=source)


def _listed(data: Scores | Sequence[Scores]) -> list[Scores]:
    return several(data)


def _with_benchmark(table: ScoreTable) -> ScoreTable:
    """Tasks without a benchmark in their names belong to one that is called like the file."""
    items = table.items
    if items is None or any("." in task for task in items.tasks.values()):
        return table
    stem = Path(table.source).stem.replace(".", "_")
    named = replace(items, tasks={item: f"{stem}.{task}" for item, task in items.tasks.items()})
    return replace(table, scores=named.scores, items=named)


def _benchmarks(
    tables: Sequence[ScoreTable],
    models: Mapping[str, PLSModel | Path | str],
    wanted: tuple[str, ...],
) -> Benchmarks:
    """The benchmarks of all tables; every model and every name wanted has to be among them."""
    by_name: Benchmarks = {}
    for table in tables:
        for name, one in _of_table(table, models, wanted).items():
            if name in by_name:
                raise ParameterError(
                    f"{name!r} is in {table.source!r} and in a file before it; join them with "
                    "gfactor import-scores first"
                )
            by_name[name] = one
    for name in models:
        if name not in by_name:
            raise ParameterError(
                f"no file has all columns of the model of {name!r}; a column of the model may be "
                "misspelled"
            )
    unknown = next((name for name in wanted if name not in by_name), None)
    if unknown is not None:
        raise UnknownNameError("benchmark", unknown, by_name)
    return by_name


def _of_table(
    table: ScoreTable, models: Mapping[str, PLSModel | Path | str], wanted: tuple[str, ...]
) -> Benchmarks:
    """The benchmarks in a table: those of the models given, else by first parts of columns."""
    by_name: Benchmarks = {}
    scores, behind = table.scores, None
    if table.items is not None:
        behind = TaskItems(table.items.answers, table.items.tasks)
    for name, given in models.items():
        model = as_path_model(given, ())
        if set(model.columns) <= set(scores.columns):
            by_name[name] = BenchmarkScores(pick(scores, list(model.columns)), model, behind)
    used = {column for one in by_name.values() for column in _columns(one)}
    columns: dict[str, list[str]] = {}
    for column in map(str, scores.columns):
        home = table.benchmarks.get(column, column.split(".")[0])
        columns.setdefault(column if column in wanted else home, []).append(column)
    for name, parts in columns.items():
        if name in models or (wanted and name not in wanted):
            continue
        has_part = any(part in table.benchmarks for part in parts)
        if has_part and used.intersection(parts):
            continue  # A model says what the tasks of this benchmark are.
        if len(parts) > 1:
            model = with_general({name: parts}) if has_part else model_from_columns(parts)
            by_name[name] = BenchmarkScores(pick(scores, parts), model, behind)
        elif wanted:
            by_name[name] = BenchmarkScores(pick(scores, parts))
    if not by_name and wanted:
        raise UnknownNameError("benchmark", wanted[0], columns)
    if not by_name:
        raise ParameterError(_nothing_in(table))
    return by_name


def _nothing_in(table: ScoreTable) -> str:
    values = table.scores.to_numpy(float)
    if values.size and np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
        return (
            f"{table.source!r} holds 0 and 1 only in its {table.scores.shape[1]} columns, as "
            "answers to single items are; say which item belongs to which task (--tasks; in Python "
            "tasks=)"
        )
    columns = first_few(table.scores.columns)
    if table.benchmarks:
        return (
            f"no benchmark of {table.source!r} has two columns of its own (they are "
            f"{columns}), and a comparison needs two tasks; give a journal with answers to several "
            "domains of a benchmark, or choose columns that are totals (--benchmark NAME; "
            "in Python benchmarks=)"
        )
    return (
        f"{table.source!r} has no benchmark with two tasks or more (columns that begin with the "
        f"same word, as Benchmark.task); its columns are {columns}; choose "
        "columns that are totals (--benchmark NAME; in Python benchmarks=)"
    )


def _without(benchmarks: Benchmarks, without: Sequence[str], source: str) -> Benchmarks:
    everyone = pd.concat([pd.DataFrame(index=one.data.index) for one in benchmarks.values()])
    left = set(without_models(everyone, without, source).index)
    return {
        name: replace(one, data=pick(one.data, one.data.index.isin(left)))
        for name, one in benchmarks.items()
    }


def _columns(given: BenchmarkScores) -> list[str]:
    return list(given.data.columns) if given.model is None else list(tasks_of(given.model))


def _above(name: str, given: BenchmarkScores, level: float) -> BenchmarkScores:
    left = pick(given.data, pick(given.data, _columns(given)).mean(axis=1) > level)
    if not len(left):
        raise ParameterError(
            f"no model is above {level:g} in {name}; perhaps the scores are percentages"
        )
    return replace(given, data=left)


def _common(benchmarks: Benchmarks) -> Benchmarks:
    complete = [
        set(one.data.index[one.data[_columns(one)].notna().all(axis=1)])
        for one in benchmarks.values()
    ]
    shared = set.intersection(*complete)
    if len(shared) < 5:
        raise ParameterError(
            f"{len(shared)} models have scores on all of {', '.join(benchmarks)}; at least 5 are "
            "needed"
        )
    return {
        name: replace(one, data=pick(one.data, one.data.index.isin(shared)))
        for name, one in benchmarks.items()
    }


def _counted(benchmarks: Benchmarks, given: int | Mapping[str, float] | Path | str) -> Benchmarks:
    """The benchmarks with the numbers of items behind their columns."""
    if all(one.items for one in benchmarks.values()):
        raise ParameterError(
            "numbers of items (--items; in Python items=) are needed only if answers to items are "
            "unknown; they are known here, so leave the numbers out"
        )
    columns = [str(c) for one in benchmarks.values() for c in one.data.columns]
    counts = by_column(given, "items", columns)
    for column, n in counts.items():
        if n < 2 or n != int(n):
            raise ParameterError(
                f"the number of items of {column!r} is {n:g}; it must be a whole number from 2 on"
            )
    behind = TaskItems(counts={c: int(n) for c, n in counts.items()})
    return {name: one if one.items else replace(one, items=behind) for name, one in
            benchmarks.items()}  # fmt: skip
