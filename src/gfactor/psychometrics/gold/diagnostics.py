"""GOLD's three diagnostics of a benchmark: separation, information and redundancy.

D_div = 1 / (2 max HTMT): dimensional diversity. TC: the mean absolute loading, task contribution.
D_valid: the inverse geometric mean of the VIFs, indicator validity. Equations 2, 3 and 5 of Xiong
et al. (2025). None of them is a property of the benchmark alone: all three depend on the spread of
ability among the models (see `gfactor.psychometrics.gold.checks`), so they are given with an
interval over models, and again over the best and the worst models.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.frames import pick
from gfactor.psychometrics.alignment import ranges, standardized_mean
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.gold.checks import (
    data_checks,
    family_labels,
    one_per_family,
    range_check,
)
from gfactor.psychometrics.gold.data import named, prepared, resampled, said_of
from gfactor.psychometrics.gold.model import TaskPool, measured, pool_of
from gfactor.psychometrics.gold.model import tasks as tasks_of
from gfactor.psychometrics.gold.precision import (
    TaskItems,
    crossed,
    disattenuated,
    precision_findings,
    reliabilities,
)
from gfactor.psychometrics.gold.stack import (
    ROUGH,
    Floats,
    own_inflation,
    own_loadings,
    separation,
    three,
)
from gfactor.psychometrics.pls.data import Missing, ModelColumns, table_of
from gfactor.psychometrics.pls.iteration import Scheme
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.psychometrics.rounding import first_largest
from gfactor.results import Result, by_row

NAMES = ("D_div", "TC", "D_valid")

Families = Literal["all", "one", "clusters"]
FAMILIES: tuple[Families, ...] = ("all", "one", "clusters")


@dataclass(frozen=True, repr=False)
class BenchmarkDiagnostics(Result):
    """The three diagnostics of a benchmark, and their components.

    Parameters
    ----------
    table: one row per diagnostic: estimate, low, high, se, n. The interval is normal on the
        logarithm (D_div, D_valid) or on Fisher's z (TC) with the bootstrap's standard error;
        percentiles would be shifted, since resampled models raise both a maximum and a VIF.
    by_range: the same for all models, the best and the worst: range, diagnostic, estimate, low,
        high, n.
    htmt: constructs x constructs.
    tasks: one row per task: construct, task, loading, vif.
    reliability: one row per task: task, items, reliability, method; empty if neither items nor
        counts are known.
    disattenuated: the same as `table`, without the error of the task scores; empty if no
        reliability is known.
    families: models per family of near-copies were drawn as a whole ("clusters"), only the first
        was used ("one"), or all count ("all").
    n, draws, seed, level: models, bootstrap draws and seed, level of the intervals.
    model: the tasks and constructs.
    diagnostics: limits to the use of the numbers, errors first.
    """

    table: pd.DataFrame
    by_range: pd.DataFrame
    htmt: pd.DataFrame
    tasks: pd.DataFrame
    n: int
    draws: int
    seed: int
    level: float
    model: PLSModel
    diagnostics: tuple[Diagnostic, ...]
    reliability: pd.DataFrame = field(default_factory=pd.DataFrame)
    disattenuated: pd.DataFrame = field(default_factory=pd.DataFrame)
    families: Families = "all"

    def __getitem__(self, name: str) -> float:
        """The estimate of "D_div", "TC" or "D_valid"."""
        return float(self.table.set_index("diagnostic").loc[name, "estimate"])

    @property
    def overall(self) -> float:
        """Sum of the three, by which the paper orders benchmarks; it mixes quantities of different
        kinds and has no interpretation."""
        return float(np.nansum(self.table["estimate"].to_numpy(float)))

    @property
    def largest_htmt(self) -> tuple[str, str, float]:
        """The two constructs that are hardest to distinguish; names are "" with one construct."""
        values = self.htmt.to_numpy(float)
        if np.isnan(values).all():
            return "", "", float("nan")
        # Both halves are equal up to rounding: the upper one comes first.
        i, j = np.unravel_index(first_largest(values.ravel()), values.shape)
        return str(self.htmt.index[i]), str(self.htmt.columns[j]), float(values[i, j])

    @property
    def title(self) -> str:
        return (
            f"{len(self.tasks)} tasks, {self.tasks['construct'].nunique()} constructs, "
            f"{self.n} models"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("n", "draws", "seed", "level", "families")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {
            "three": self.table,
            "by_range": self.by_range,
            "htmt": self.htmt,
            "tasks": self.tasks,
            "reliability": self.reliability,
            "disattenuated": self.disattenuated,
        }

    def _document(self) -> Mapping[str, Any]:
        tables = self.tables
        return {
            **{name: getattr(self, name) for name in ("n", "draws", "seed", "level")},
            "three": self.table,
            "overall": self.overall,
            "by_range": self.by_range,
            "htmt": by_row(self.htmt),
            **{name: tables[name] for name in ("tasks", "reliability", "disattenuated")},
            "families": self.families,
            "diagnostics": self.diagnostics,
        }

    def _lines(self) -> list[str]:
        lines = [self.title]
        for table, what in (
            (self.table, ""),
            (self.disattenuated, " without the error of task scores"),
        ):
            lines += [
                f"{row['diagnostic']}{what}: {row['estimate']:.3f} "
                f"[{row['low']:z.3f}, {row['high']:z.3f}]"
                for row in table.to_dict("records")
            ]
        first, second, value = self.largest_htmt
        return [*lines, *([f"largest HTMT: {value:.3f} ({first}, {second})"] if first else [])]


def benchmark_diagnostics(
    data: pd.DataFrame,
    model: PLSModel,
    *,
    scheme: Scheme = "path",
    missing: Missing = "error",
    chance: Mapping[str, float] | None = None,
    size: int | None = None,
    n_bootstrap: int = 500,
    seed: int = 0,
    level: float = 0.95,
    items: TaskItems | None = None,
    families: Families = "all",
) -> BenchmarkDiagnostics:
    """Return D_div, TC and D_valid of the tasks of `model` in `data` (models x tasks).

    Parameters
    ----------
    scheme: scheme of the inner weights.
    missing: treatment of missing cells (`gfactor.psychometrics.pls.table_of`).
    chance: score of a guess, by task, to find tasks at or below it.
    size: models in the top and bottom groups; half of them if None. GOLD takes 50.
    n_bootstrap: bootstrap resamples of models; 500 determine a standard error to within 3 %.
    items: the answers behind the scores, or the numbers of items. They add reliabilities, and the
        three diagnostics corrected for the error of task scores. With answers, the bootstrap draws
        items as well as models.
    families: treatment of families of near-copies (found by
        `gfactor.psychometrics.respondents.clustering`): count all as independent models ("all"),
        use only the first of each ("one"), or resample whole families ("clusters").

    Raises ParameterError and UnknownNameError for data that cannot be analyzed.
    """
    data = named(data)
    if families not in FAMILIES:
        raise ParameterError(f"families {families!r} is none of {', '.join(FAMILIES)}")
    used_tasks = list(tasks_of(model))
    if families == "one":
        data = data.loc[one_per_family(pick(data, used_tasks).astype(float))]
    table, pool = prepared(data, model, missing), pool_of(model, scheme)
    every = np.ones((1, len(model.columns)), bool)
    r = table.r[None]
    complete = data.loc[list(table.rows)]
    diagnostics = [*said_of(table), *data_checks(complete, model, chance)]
    clusters = None
    if families == "clusters":
        clusters = family_labels(pick(complete, used_tasks).astype(float))
    reliability = pd.DataFrame(columns=["task", "items", "reliability", "method"])
    if items is not None:
        reliability = reliabilities(pick(complete, used_tasks).astype(float), items)
        diagnostics += precision_findings(reliability)
    if items is not None and not items.covers(model.columns):
        items = TaskItems(counts=items.counts)
    values, corrected = _with_intervals(
        table, pool, n_bootstrap, seed, level, items, clusters, reliability
    )
    by_range = [values.assign(range="all")]
    scores = pd.DataFrame(table.x, table.rows, list(table.columns))
    spread = standardized_mean(scores.loc[:, pool.prunable])
    if table.n >= 2 * _SMALLEST_GROUP:
        groups = ranges(spread, size)
        for name in ("top", "bottom"):
            part = _part(complete.loc[groups[name]], model, missing)
            if part is not None:
                own_range = _with_intervals(part, pool, n_bootstrap, seed, level)[0]
                by_range.append(own_range.assign(range=name))
    ranged = pick(
        pd.concat(by_range, ignore_index=True),
        ["range", "diagnostic", "estimate", "low", "high", "n"],
    )
    diagnostics += range_check(ranged)
    used = np.flatnonzero(pool.prunable)
    names = list(measured(model))
    tasks = pd.DataFrame(
        {
            "construct": [pool.design.constructs[pool.owner[i]] for i in used],
            "task": [model.columns[i] for i in used],
            "loading": own_loadings(r, every, pool)[0, used],
            "vif": own_inflation(r, every, pool)[0, used],
        }
    )
    htmt = pd.DataFrame(separation(r, every, pool)[0], index=names, columns=names)
    return BenchmarkDiagnostics(
        values, ranged, htmt, tasks, table.n, n_bootstrap, seed, level, model,
        by_severity(diagnostics), reliability, corrected, families,
    )  # fmt: skip


_SMALLEST_GROUP = 10
"""Smallest number of models in a range; with fewer, correlations of tasks are noise."""


def _part(data: pd.DataFrame, model: PLSModel, missing: Missing) -> ModelColumns | None:
    """The table of some models; None if they are too few or a task does not vary."""
    largest = max(len(tasks) for tasks in measured(model).values())
    if len(data) < max(_SMALLEST_GROUP, 1.5 * largest):
        return None
    try:
        return table_of(data, model.columns, missing)
    except ParameterError:
        return None


def _with_intervals(
    table: ModelColumns,
    pool: TaskPool,
    n_bootstrap: int,
    seed: int,
    level: float,
    items: TaskItems | None = None,
    clusters: NDArray[np.intp] | None = None,
    reliability: pd.DataFrame | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The three diagnostics with intervals, uncorrected and corrected for the error of task
    scores."""
    every = np.ones((1, len(table.columns)), bool)
    r = table.r[None]
    coefficients = np.full(len(table.columns), np.nan)
    if reliability is not None and len(reliability):
        by_task = dict(zip(reliability["task"], reliability["reliability"], strict=True))
        coefficients = np.array([by_task.get(c, np.nan) for c in table.columns], float)
    correct = bool(np.isfinite(coefficients).any())
    if items is not None and items.answers is not None:
        stacks = crossed(
            items, table.columns, list(map(str, table.rows)), clusters, n_bootstrap, seed
        )
    else:
        stacks = resampled(table, pool, n_bootstrap, seed, clusters=clusters)
    plain_draws, true_draws = [np.empty((0, 3))], [np.empty((0, 3))]
    for stack in stacks:
        on = np.ones(stack.shape[:2], bool)
        plain_draws.append(three(stack, on, pool, ROUGH))
        if correct:
            true_draws.append(three(disattenuated(stack, coefficients), on, pool, ROUGH))
    z = float(stats.norm.ppf(0.5 + level / 2))
    plain = _table(three(r, every, pool)[0], np.concatenate(plain_draws), z, table.n)
    if not correct:
        return plain, plain.iloc[:0]
    point = three(disattenuated(r, coefficients), every, pool)[0]
    return plain, _table(point, np.concatenate(true_draws), z, table.n)


def _table(point: Floats, values: Floats, z: float, n: int) -> pd.DataFrame:
    ends = [_ends(point[k], values[:, k], name, z) for k, name in enumerate(NAMES)]
    return pd.DataFrame(
        {
            "diagnostic": NAMES,
            "estimate": point,
            "low": [e[0] for e in ends],
            "high": [e[1] for e in ends],
            "se": [e[2] for e in ends],
            "n": n,
        }
    )


def _ends(point: float, drawn: Floats, name: str, z: float) -> tuple[float, float, float]:
    """Interval and standard error, computed on a scale without bounds."""
    drawn = drawn[np.isfinite(drawn) & (drawn > 0)]
    if len(drawn) < 2 or not np.isfinite(point) or point <= 0:
        return np.nan, np.nan, np.nan
    se = float(drawn.std(ddof=1))
    if name == "TC":
        eps = 1 - 1e-9
        scale = float(np.arctanh(np.minimum(drawn, eps)).std(ddof=1))
        middle = np.arctanh(min(point, eps))
        return float(np.tanh(middle - z * scale)), float(np.tanh(middle + z * scale)), se
    scale = float(np.log(drawn).std(ddof=1))
    return point * float(np.exp(-z * scale)), min(1.0, point * float(np.exp(z * scale))), se
