"""Comparison of benchmarks: figures 8 and 9 of GOLD, with the conditions for interpreting them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.frames import pick
from gfactor.psychometrics.alignment import (
    Alignment,
    Criterion,
    align,
    correlation_difference,
    standardized_mean,
)
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.gold.data import named
from gfactor.psychometrics.gold.diagnostics import (
    NAMES,
    BenchmarkDiagnostics,
    Families,
    benchmark_diagnostics,
)
from gfactor.psychometrics.gold.model import measured, model_from_columns, pool_of, tasks
from gfactor.psychometrics.gold.precision import TaskItems
from gfactor.psychometrics.gold.stack import own_inflation, own_loadings, separation, three
from gfactor.psychometrics.pls.data import Missing
from gfactor.psychometrics.pls.iteration import Scheme
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.results import Result, plain

_COLUMNS = ("estimate", "low", "high")


@dataclass(frozen=True)
class BenchmarkScores:
    """A benchmark in a comparison.

    Parameters
    ----------
    data: models x columns. A single column is a total, which has no diagnostics but can be
        correlated with a criterion.
    model: its tasks and constructs; None reads them from names like Benchmark.Category.task.
    items: the answers, or the numbers of items, behind its columns, if they are known.
    """

    data: pd.DataFrame
    model: PLSModel | None = None
    items: TaskItems | None = None


@dataclass(frozen=True, repr=False)
class BenchmarkComparison(Result):
    """Comparison of several benchmarks, each on the models that have scores on it.

    Parameters
    ----------
    table: one row per benchmark: benchmark, tasks, constructs, models; D_div, TC, D_valid and
        human (Pearson's r with the criterion), each with _low and _high; human_n, the rated
        models.
    parts: the diagnostics of every benchmark that has two tasks.
    alignments: alignments with the criterion, if five or more models are rated.
    differences: a row per pair of benchmarks: the difference of their correlations with the
        criterion, on the models that both have (first, second, estimate, low, high, n). The
        intervals hold for all pairs together (Bonferroni).
    diagnostics: limits to the use of the numbers, errors first; each names its benchmark.
    source: name of the data, for the page.
    """

    table: pd.DataFrame
    parts: Mapping[str, BenchmarkDiagnostics]
    alignments: Mapping[str, Alignment]
    differences: pd.DataFrame
    diagnostics: tuple[Diagnostic, ...]
    source: str = ""

    @property
    def title(self) -> str:
        return f"comparison of {len(self.table)} benchmarks"

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"benchmarks": self.table, "differences": self.differences}

    def _document(self) -> Mapping[str, Any]:
        return {
            "benchmarks": self.table,
            "parts": self.parts,
            "alignments": self.alignments,
            "differences": self.differences,
            "diagnostics": self.diagnostics,
        }

    def _lines(self) -> list[str]:
        lines = [self.table.to_string(index=False, float_format="{:z.3f}".format, na_rep="-")]
        lines += [
            f"{name}, without the error of task scores: {_figures(part.disattenuated)}"
            for name, part in self.parts.items()
            if len(part.disattenuated)
        ]
        if len(self.differences):
            lines.append(self.differences.to_string(index=False, float_format="{:+z.3f}".format))
        return lines


def compare_benchmarks(
    benchmarks: Mapping[str, BenchmarkScores],
    *,
    criterion: Criterion | None = None,
    names: Mapping[str, str] | None = None,
    approximate: frozenset[str] = frozenset(),
    chance: Mapping[str, float] | None = None,
    scheme: Scheme = "path",
    missing: Missing = "listwise",
    size: int | None = None,
    n_bootstrap: int = 500,
    seed: int = 0,
    level: float = 0.95,
    families: Families = "all",
    watch: Callable[[int], object] = lambda _: None,
) -> BenchmarkComparison:
    """Return D_div, TC and D_valid of every benchmark, and its agreement with the criterion.

    Parameters
    ----------
    criterion, names, approximate: external ratings, the name map to them, and models whose
        partner in it is only nearly the same. The score of a benchmark is the
        mean of its tasks' z-scores.
    chance: score of a guess, by column.
    missing: treatment of cells that are missing within a benchmark's tasks; models are dropped by
        default, since a benchmark that a model did not take is not a value to impute.
    size, n_bootstrap, seed, level, scheme, families: settings of `benchmark_diagnostics`.
    watch: function that is called with 1 after every benchmark.

    Raises ParameterError without a benchmark, and what `benchmark_diagnostics` raises.
    """
    if not benchmarks:
        raise ParameterError("there is no benchmark to compare; name one")
    lines, parts, alignments, totals = [], {}, {}, {}
    diagnostics: list[Diagnostic] = []
    for name, given in benchmarks.items():
        data = named(given.data)
        scored = data.dropna(how="all")
        model = given.model
        if model is None and data.shape[1] > 1:
            model = model_from_columns(list(map(str, data.columns)))
        line: dict[str, Any] = {"benchmark": name, "tasks": 1, "constructs": 0}
        columns = list(map(str, data.columns)) if model is None else list(tasks(model))
        _check_columns(columns, data)
        if model is not None:
            part = benchmark_diagnostics(
                scored, model, scheme=scheme, missing=missing, chance=chance, size=size,
                n_bootstrap=n_bootstrap, seed=seed, level=level, items=given.items,
                families=families,
            )  # fmt: skip
            parts[name] = part
            diagnostics += [_about(name, d) for d in part.diagnostics]
            line |= {"tasks": len(columns), "constructs": len(part.htmt)}
        line["models"] = len(pick(scored, columns).dropna())
        line |= _three(parts.get(name))
        scores = pick(scored, columns)
        totals[name] = standardized_mean(scores.dropna() if missing == "listwise" else scores)
        line |= {"human": np.nan, "human_low": np.nan, "human_high": np.nan, "human_n": 0}
        if criterion is not None:
            try:
                aligned = align(
                    totals[name], criterion, names, approximate=approximate, level=level
                )
            except ParameterError as error:
                diagnostics.append(_about(name, _unrated(str(error))))
            else:
                alignments[name] = aligned
                r = aligned.pearson
                line |= {"human": r.estimate, "human_low": r.low, "human_high": r.high}
                line["human_n"] = r.n
                diagnostics += [_about(name, d) for d in aligned.diagnostics]
        lines.append(line)
        watch(1)
    table = pd.DataFrame(lines)
    diagnostics += _different_models(table)
    differences = _differences(totals, alignments, level)
    if len(differences) and not _any_sure(differences):
        diagnostics.append(_no_difference(differences))
    return BenchmarkComparison(table, parts, alignments, differences, by_severity(diagnostics))


def _figures(table: pd.DataFrame) -> str:
    return ", ".join(
        f"{row['diagnostic']} {row['estimate']:.3f} [{row['low']:z.3f}, {row['high']:z.3f}]"
        for row in table.to_dict("records")
    )


def _check_columns(columns: list[str], data: pd.DataFrame) -> None:
    for column in columns:
        if column not in data.columns:
            raise UnknownNameError("column", column, map(str, data.columns))


def _three(part: BenchmarkDiagnostics | None) -> dict[str, float]:
    cells: dict[str, float] = {}
    for name in NAMES:
        row = None if part is None else part.table.set_index("diagnostic").loc[name]
        for column in _COLUMNS:
            key = name if column == "estimate" else f"{name}_{column}"
            cells[key] = np.nan if row is None else float(row[column])
    return cells


def _about(benchmark: str, d: Diagnostic) -> Diagnostic:
    return replace(d, sentence=f"{benchmark}: {d.sentence}", where=(benchmark, *d.where))


def _unrated(sentence: str) -> Diagnostic:
    return Diagnostic(
        "few_shared_models",
        "warning",
        f"{sentence[0].upper()}{sentence[1:]}.",
        "No correlation with the criterion was computed.",
    )


def _different_models(table: pd.DataFrame) -> list[Diagnostic]:
    counts = cast(pd.Series, table["models"])
    if len(table) < 2 or counts.nunique() == 1:
        return []
    listed = ", ".join(f"{b} {n}" for b, n in zip(table["benchmark"], counts, strict=True))
    return [
        Diagnostic(
            "different_models",
            "warning",
            f"The benchmarks were taken by different numbers of models ({listed}): differences in "
            "the diagnostics may be differences between the models.",
            "Compare over the models that all have.",
            values={"fewest": int(counts.min()), "most": int(counts.max())},
        )
    ]


def _differences(
    totals: Mapping[str, pd.Series], alignments: Mapping[str, Alignment], level: float
) -> pd.DataFrame:
    names, lines = list(alignments), []
    pairs = max(1, len(names) * (len(names) - 1) // 2)
    level = 1 - (1 - level) / pairs
    for i, first in enumerate(names):
        for second in names[i + 1 :]:
            rated = alignments[first].pairs.set_index("model")["rating"]
            models = [m for m in rated.index if m in alignments[second].overlap.pairs]
            if len(models) < 5:
                continue
            d = correlation_difference(
                totals[first][models], totals[second][models], rated[models], level=level
            )
            lines.append(
                {"first": first, "second": second, "estimate": d.estimate, "low": d.low,
                 "high": d.high, "n": d.n}
            )  # fmt: skip
    return pd.DataFrame(lines, columns=["first", "second", "estimate", "low", "high", "n"])


def _any_sure(differences: pd.DataFrame) -> bool:
    return bool(((differences["low"] > 0) | (differences["high"] < 0)).any())


def _no_difference(differences: pd.DataFrame) -> Diagnostic:
    widest = differences.loc[differences["estimate"].abs().idxmax()]
    return Diagnostic(
        "order_not_shown",
        "warning",
        f"No two benchmarks differ in their correlation with the criterion beyond chance; the "
        f"largest difference is {plain(widest['estimate']):+z.2f} ({widest['first']} - "
        f"{widest['second']}) [{plain(widest['low']):+z.2f}, {plain(widest['high']):+z.2f}].",
        "Do not order the benchmarks by it.",
    )


@dataclass(frozen=True)
class CorrelationDiagnostics:
    """D_div, TC and D_valid without intervals, which need the models behind the correlations.

    Parameters
    ----------
    three: three diagnostics by name.
    tasks: construct, task, loading, vif.
    htmt: constructs x constructs.
    """

    three: dict[str, float]
    tasks: pd.DataFrame
    htmt: pd.DataFrame


def diagnostics_of_correlations(
    r: pd.DataFrame, model: PLSModel, scheme: Scheme = "path"
) -> CorrelationDiagnostics:
    """Return the three diagnostics of a correlation matrix (tasks x tasks, names on both axes).

    From a matrix that is rounded to two decimals, VIFs above 10 are accurate only to a factor of
    two, because 1 - R2 is then about as small as the rounding error. Raises UnknownNameError for a
    task that is not in the matrix, and ParameterError if a construct's correlations contradict each
    other.
    """
    for name in model.columns:
        if name not in r.index or name not in r.columns:
            raise UnknownNameError("task of the correlations", name, map(str, r.index))
    names = list(model.columns)
    values = r.loc[names, names].to_numpy(float)[None]
    pool = pool_of(model, scheme)
    for construct in pool.constructs:
        members = np.flatnonzero(pool.owner == construct)
        smallest = float(eigvalsh(values[0][np.ix_(members, members)])[0])
        if smallest <= 0:
            raise ParameterError(
                f"the correlations within {pool.design.constructs[construct]!r} are singular "
                f"(smallest eigenvalue {smallest:.3g}), perhaps by rounding, so no VIF exists"
            )
    every = np.ones((1, len(names)), bool)
    used = np.flatnonzero(pool.prunable)
    constructs = list(measured(model))
    return CorrelationDiagnostics(
        {name: float(v) for name, v in zip(NAMES, three(values, every, pool)[0], strict=True)},
        pd.DataFrame(
            {
                "construct": [pool.design.constructs[pool.owner[i]] for i in used],
                "task": [names[i] for i in used],
                "loading": own_loadings(values, every, pool)[0, used],
                "vif": own_inflation(values, every, pool)[0, used],
            }
        ),
        pd.DataFrame(separation(values, every, pool)[0], index=constructs, columns=constructs),
    )
