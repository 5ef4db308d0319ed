"""Scores of the tasks of a model: checked by `pls.table_of`, resampled, and split into ranges."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.gold.model import TaskPool, measured
from gfactor.psychometrics.gold.precision import model_counts
from gfactor.psychometrics.pls.data import Missing, ModelColumns, table_of
from gfactor.psychometrics.pls.model import PLSModel

Floats = NDArray[np.float64]

_STACK = 300_000
"""Number of cells of the matrices that go through a step together: few enough to stay in the
processor's cache (2.4 MB), which makes steps three times as fast."""


def prepared(data: pd.DataFrame, model: PLSModel, missing: Missing = "error") -> ModelColumns:
    """Return the checked columns of `model` in `data` (models x tasks, a row per model).

    Raises what `table_of` raises, and ParameterError if a model has two rows, or if the
    pairwise correlations of a construct's tasks contradict each other.
    """
    table = table_of(named(data), model.columns, missing)
    if missing == "pairwise" and table.n_missing:
        _check_definite(table.r, model)
    return table


def named(data: pd.DataFrame) -> pd.DataFrame:
    """Return the table with models' names as text; raise ParameterError if a model occurs twice."""
    index = pd.Index([str(name) for name in data.index], name=data.index.name)
    if index.has_duplicates:
        name = index[index.duplicated()][0]
        raise ParameterError(
            f"model {name!r} has {int(np.sum(index == name))} rows; keep one row per model"
        )
    return data.set_axis(index, axis=0)


def resampled(
    table: ModelColumns,
    pool: TaskPool,
    n_bootstrap: int,
    seed: int,
    stacks: int = 1,
    clusters: NDArray[np.intp] | None = None,
) -> Iterator[Floats]:
    """Yield stacks of correlation matrices of resampled models, of a size that suits `pool`.

    A column that is constant in a resample has correlations of zero there. The draws are divided
    into at least `stacks` stacks (at most one per draw), so that progress can be reported after
    each. `clusters` are numbers of the clusters of models, which are drawn as a whole.
    """
    step = max(1, min(_STACK // len(pool.columns) ** 2, -(-n_bootstrap // stacks)))
    for counts in model_counts(table.n, clusters, n_bootstrap, seed):
        for start in range(0, len(counts), step):
            r = np.nan_to_num(table.correlations(counts[start : start + step]))
            diagonal = np.arange(r.shape[1])
            r[:, diagonal, diagonal] = 1.0
            yield np.clip(r, -1.0, 1.0)


def said_of(table: ModelColumns) -> list[Diagnostic]:
    """Return diagnostics of the table: missing cells, copies of columns."""
    return [*_missing(table), *_copies(table)]


def _missing(table: ModelColumns) -> list[Diagnostic]:
    if not table.n_missing:
        return []
    share = table.n_missing / ((table.n + table.n_dropped) * len(table.columns))
    what = {
        "listwise": f"{table.n_dropped} of {table.n + table.n_dropped} models were dropped",
        "pairwise": "each correlation rests on the models that have both scores, the fewest being "
        f"{table.n_pair}",
        "mean": "they were filled with the mean of their column, which lowers correlations",
        "em": "means and covariances were estimated by maximum likelihood under normality",
    }[table.missing]
    return [
        Diagnostic(
            "missing_cells",
            "warning" if share > 0.05 or table.missing == "mean" else "note",
            f"{table.n_missing} cells ({share:.1%}) are missing; {what}.",
            "Compare with another treatment of missing cells before you rely on the result.",
            values={"cells": table.n_missing, "share": share, "treatment": table.missing},
        )
    ]


def _copies(table: ModelColumns) -> list[Diagnostic]:
    names = table.columns
    first, second = np.nonzero(np.triu(np.abs(table.r) > 1 - 1e-10, 1))
    return [
        Diagnostic(
            "duplicated_column",
            "warning",
            f"Columns {names[i]!r} and {names[j]!r} are the same up to scale "
            f"(r = {table.r[i, j]:+z.0f}): their VIF is infinite.",
            "Keep one of them.",
            where=(names[i], names[j]),
            values={"r": float(table.r[i, j])},
        )
        for i, j in zip(first.tolist(), second.tolist(), strict=True)
    ]


def _check_definite(r: Floats, model: PLSModel) -> None:
    index = {task: number for number, task in enumerate(model.columns)}
    for construct, own_tasks in measured(model).items():
        rows = [index[task] for task in own_tasks]
        smallest = float(eigvalsh(r[np.ix_(rows, rows)])[0])
        if smallest < -1e-8:
            raise ParameterError(
                f"the pairwise correlations of the tasks of {construct!r} contradict each other "
                f"(smallest eigenvalue {smallest:.3g}), so that no VIF exists; treat missing cells "
                "by em or listwise"
            )
