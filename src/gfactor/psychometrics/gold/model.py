"""Tasks, constructs and anchors of a PLS model, as GOLD's diagnostics and pruning use them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.pls.design import Design
from gfactor.psychometrics.pls.iteration import Scheme
from gfactor.psychometrics.pls.model import Construct, PLSModel

GENERAL = "General"
_TOTALS = ("overall", "all", "total", "average", "avg", "overall_mean_of_tasks")
"""Last parts of column names that are sums of the others, not tasks."""


def anchors(model: PLSModel) -> dict[str, str]:
    """Return the constructs with one indicator (such as a human rating), with that indicator.

    An anchor is part of the estimation, is never pruned, and is left out of all diagnostics: a
    single indicator has neither HTMT nor VIF, and its loading is 1.
    """
    firsts = (c for c in model.constructs if not c.second_order)
    return {c.name: c.indicators[0] for c in firsts if len(c.indicators) == 1}


def measured(model: PLSModel) -> dict[str, tuple[str, ...]]:
    """Return the first-order constructs that have two tasks or more, with their tasks."""
    firsts = (c for c in model.constructs if not c.second_order)
    return {c.name: c.indicators for c in firsts if len(c.indicators) > 1}


def tasks(model: PLSModel) -> tuple[str, ...]:
    """Return the tasks of the constructs with two tasks or more, in order, without anchors."""
    return tuple(task for block in measured(model).values() for task in block)


def without(model: PLSModel, removed: Iterable[str]) -> PLSModel:
    """Return the model without some tasks; every construct must keep one."""
    gone = set(removed)
    constructs = []
    for c in model.constructs:
        remaining = (
            c.indicators if c.second_order else tuple(t for t in c.indicators if t not in gone)
        )
        if not remaining:
            raise ParameterError(
                f"construct {c.name!r} would have no task left; raise the smallest number of "
                "tasks per construct (floor)"
            )
        constructs.append(Construct(c.name, remaining, c.mode, c.second_order))
    return PLSModel(tuple(constructs), model.paths)


@dataclass(frozen=True, eq=False)
class TaskPool:
    """The tasks of a model, as indices.

    Parameters
    ----------
    design, scheme: the model for the estimator, and its inner weights.
    columns: the column of the data behind every column of the design; a column that also measures a
    second-order construct is repeated after all others.
    owner: the first-order construct of every column of the data.
    constructs: indices of the constructs that have two tasks or more.
    prunable: tasks of these constructs, which may be removed; an anchor's indicator may not.
    """

    design: Design
    scheme: Scheme
    columns: NDArray[np.intp]
    owner: NDArray[np.intp]
    constructs: NDArray[np.intp]
    prunable: NDArray[np.bool_]


def pool_of(model: PLSModel, scheme: Scheme = "path") -> TaskPool:
    """Return the model as indices into `model.columns`.

    A second-order construct with paths is the first stage of a two-stage estimation: its paths go
    to its parts, as in the authors' "anchor" structure. One without paths is measured by all tasks
    of its parts again (repeated indicators).

    Raises ParameterError for a construct of mode B, whose loadings do not determine its weights,
    for interactions, and if no construct has two tasks.
    """
    for c in model.constructs:
        if c.mode != "A":
            raise ParameterError(
                f"construct {c.name!r} is of mode B (<~), but GOLD selects tasks by loadings, "
                "which need mode A: write =~"
            )
    if model.interactions:
        raise ParameterError(
            "the model has interactions, which have no tasks of their own; leave them out"
        )
    if not measured(model):
        raise ParameterError("no construct has two tasks, so VIF and HTMT do not exist; add tasks")
    blocks = {c.name: c.indicators for c in model.constructs if not c.second_order}
    index = {task: number for number, task in enumerate(model.columns)}
    ends = {end for path in model.paths for end in path}
    parts = {c.name: c.indicators for c in model.constructs if c.second_order and c.name in ends}
    arrows = [
        (source, target)
        for s, t in model.paths
        for source in parts.get(s, (s,))
        for target in parts.get(t, (t,))
    ]
    owner = np.repeat(np.arange(len(blocks)), [len(t) for t in blocks.values()])
    several = np.array([i for i, t in enumerate(blocks.values()) if len(t) > 1], int)
    for c in model.constructs:
        if c.second_order and c.name not in parts:
            arrows += [(c.name, part) for part in c.indicators]
            blocks[c.name] = tuple(task for part in c.indicators for task in blocks[part])
    design = Design.of_blocks({name: len(t) for name, t in blocks.items()}, arrows)
    columns = np.array([index[task] for own_tasks in blocks.values() for task in own_tasks])
    return TaskPool(design, scheme, columns, owner, several, np.isin(owner, several))


def model_from_columns(columns: Sequence[str]) -> PLSModel:
    """Return the model that column names like `Benchmark.Category.task` define.

    Tasks of a category form a construct, with a general second-order construct above all, as in
    figure 2 of GOLD. Names of two parts (`Benchmark.task`) form one construct per benchmark.
    Totals (`Benchmark.Overall`) and categories of one task are left out.

    Raises ParameterError if no name has two parts, or no category two tasks.
    """
    parts = {name: name.split(".") for name in columns if "." in name}
    parts = {name: p for name, p in parts.items() if p[-1].casefold() not in _TOTALS}
    if not parts:
        raise ParameterError(
            "no column is called Benchmark.Category.task or Benchmark.task, from which a model "
            "could be read; name a file of a model with --model (in Python: model=...), which says "
            "which task belongs to which construct"
        )
    several = len({p[0] for p in parts.values()}) > 1
    constructs: dict[str, list[str]] = {}
    for name, (benchmark, *rest) in parts.items():
        category = ".".join(rest[:-1])
        whole = f"{benchmark}.{category}" if category else benchmark
        constructs.setdefault(whole if several or not category else category, []).append(name)
    return with_general(constructs)


def with_general(constructs: Mapping[str, Sequence[str]]) -> PLSModel:
    """Return constructs (those with two tasks or more) under a general second-order construct.

    Over a single construct this gives the weights of its first principal component.
    """
    several = {name: tuple(block) for name, block in constructs.items() if len(block) > 1}
    if not several:
        raise ParameterError("no construct has two tasks, so none can be estimated; add tasks")
    return PLSModel.of({**several, GENERAL: tuple(several)}, ())


def gold_weights(
    loadings: Mapping[str, float],
    constructs: Mapping[str, tuple[str, ...]],
    paths: Mapping[str, float],
) -> pd.Series:
    """Return the weight of every task: its loading times the path of its construct to the top.

    The paper states "weighting capability-level scores according to task contributions". We infer
    loading x path from its table IX: these weights reproduce 19 of its 20 rows. The sum of weighted
    tasks counts a construct once per task, so that five tasks of Reasoning have more weight than
    its path alone.

    Raises ParameterError for a task without a loading or a construct without a path.
    """
    weights: dict[str, float] = {}
    for construct, tasks in constructs.items():
        if construct not in paths:
            raise ParameterError(
                f"construct {construct!r} has no path to the top construct; add one"
            )
        for task in tasks:
            if task not in loadings:
                raise ParameterError(f"task {task!r} of {construct!r} has no loading; give one")
            weights[task] = loadings[task] * paths[construct]
    return pd.Series(weights, name="weight")


def gold_scores(scores: pd.DataFrame, weights: pd.Series) -> pd.Series:
    """Return the weighted sum of every model's scores (models x tasks), in the scores' unit.

    It is not a mean: with GOLD's weights, scores of 100 in all eleven tasks give 274. A model with
    a missing score gets NaN. Raises UnknownNameError for a task that is not a column.
    """
    for task in weights.index:
        if task not in scores.columns:
            raise UnknownNameError("column", str(task), map(str, scores.columns))
    part = cast(pd.DataFrame, scores[list(weights.index)]).astype(float)
    return cast(pd.Series, (part * weights).sum(axis=1, skipna=False)).rename("overall")
