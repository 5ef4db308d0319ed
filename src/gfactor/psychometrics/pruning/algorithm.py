"""Algorithm 1 of GOLD on a table of scores: the tasks retained, and the reason for each removal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.listing import first_few
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.given import model_and_data_in_either_order
from gfactor.psychometrics.gold.checks import data_checks
from gfactor.psychometrics.gold.data import named, prepared, said_of
from gfactor.psychometrics.gold.diagnostics import NAMES
from gfactor.psychometrics.gold.model import TaskPool, measured, pool_of, without
from gfactor.psychometrics.gold.stack import own_inflation, own_loadings, separation, three
from gfactor.psychometrics.pls.data import Missing, ModelColumns
from gfactor.psychometrics.pls.iteration import Scheme
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.psychometrics.pruning.stack import PruningRules, prune_stack
from gfactor.results import Result, by_row


@dataclass(frozen=True, repr=False)
class Pruning(Result):
    """Result of Algorithm 1, and the steps to it.

    Parameters
    ----------
    retained: the tasks left, by construct.
    trace: one row per removal, in order: step, round (of refits), task, construct, reason ("vif"
        or "loading"), value (the VIF or the absolute loading that decided), limit.
    tasks: the tasks left: construct, task, loading, vif; and over_limit, the limit that a task
    exceeds that stays only because of the floor ("" for none).
    three: D_div, TC, D_valid before and after, and the number of tasks: one row each.
    htmt: HTMT of the constructs after pruning.
    rules, scheme: settings as they were applied.
    model, pruned: the model before and after.
    n: models behind every number.
    diagnostics: limits to the use of the result, errors first.
    """

    retained: Mapping[str, tuple[str, ...]]
    trace: pd.DataFrame
    tasks: pd.DataFrame
    three: pd.DataFrame
    htmt: pd.DataFrame
    rules: PruningRules
    scheme: Scheme
    model: PLSModel
    pruned: PLSModel
    n: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def tasks_left(self) -> tuple[str, ...]:
        return tuple(task for tasks in self.retained.values() for task in tasks)

    @property
    def title(self) -> str:
        total = len(self.tasks_left) + len(self.trace)
        return f"{len(self.tasks_left)} of {total} tasks retained, {self.n} models"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"n": self.n, "rule": self.rules.sentence(), "scheme": self.scheme}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"tasks": self.tasks, "three": self.three, "trace": self.trace, "htmt": self.htmt}

    def _document(self) -> Mapping[str, Any]:
        return {
            "n": self.n,
            "rules": self.rules,
            "rule": self.rules.sentence(),
            "scheme": self.scheme,
            "retained": self.tasks_left,
            "constructs": self.retained,
            "trace": self.trace,
            "tasks": self.tasks,
            "three": self.three,
            "htmt": by_row(self.htmt),
            "diagnostics": self.diagnostics,
        }

    def _lines(self) -> list[str]:
        return [
            self.title,
            self.rules.sentence(),
            *(
                f"{row['step']:3d}. {row['task']} ({row['construct']}): {row['reason']} "
                f"{row['value']:.3f}"
                for row in self.trace.to_dict("records")
            ),
            *(f"{construct}: {', '.join(tasks)}" for construct, tasks in self.retained.items()),
        ]


@model_and_data_in_either_order
def prune(
    model: PLSModel,
    data: pd.DataFrame,
    rules: PruningRules | None = None,
    *,
    scheme: Scheme = "path",
    missing: Missing = "error",
) -> Pruning:
    """Remove redundant tasks, then weak ones, from the constructs of `model`.

    Parameters
    ----------
    model: constructs of mode A. Constructs with one indicator are anchors (such as a human
        rating): they are part of every refit and are never removed. Model and data may also be
        given in the other order.
    data: models x tasks, one row per model.
    rules: thresholds and order; the paper's thresholds and its tool's order by default.
    scheme, missing: settings of `gfactor.psychometrics.pls`.

    Raises ParameterError and UnknownNameError for data that cannot be analyzed. An example is a
    construct with as many tasks as there are models, in which every VIF is infinite.
    """
    rules = rules or PruningRules()
    table, pool = prepared(data, model, missing), pool_of(model, scheme)
    check_enough(table, model)
    r = table.r[None]
    alive, removals = prune_stack(r, pool, rules)
    trace = pd.DataFrame(
        [
            {
                "step": step,
                "round": removal.round,
                "task": table.columns[removal.task],
                "construct": pool.design.constructs[pool.owner[removal.task]],
                "reason": removal.reason,
                "value": removal.value,
                "limit": rules.vif if removal.reason == "vif" else rules.loading,
            }
            for step, removal in enumerate(removals, 1)
        ],
        columns=["step", "round", "task", "construct", "reason", "value", "limit"],
    )
    pruned = without(model, trace["task"])
    # A construct may be left with one task (floor 1); that does not make it an anchor.
    names = list(measured(model))
    gone = set(trace["task"])
    retained = {
        c: tuple(t for t in scores if t not in gone) for c, scores in measured(model).items()
    }
    every = np.ones_like(alive)
    before_after = np.concatenate([three(r, every, pool), three(r, alive, pool)])
    counts = [(every & pool.prunable).sum(), (alive & pool.prunable).sum()]
    values = pd.DataFrame(before_after, columns=list(NAMES))
    values = values.assign(tasks=[int(c) for c in counts])
    values.insert(0, "when", ["before", "after"])
    htmt = pd.DataFrame(separation(r, alive, pool)[0], index=names, columns=names)
    left = _tasks_left(table, pool, alive, rules)
    scores = named(data).loc[list(table.rows)]
    diagnostics = [
        *said_of(table),
        *data_checks(scores, model),
        *_diagnostics(left, rules, retained, table.n),
    ]
    return Pruning(
        retained, trace, left, values, htmt, rules, scheme, model, pruned, table.n,
        by_severity(diagnostics),
    )  # fmt: skip


def check_enough(table: ModelColumns, model: PLSModel) -> None:
    """Raise ParameterError if a construct has as many tasks as there are models."""
    for construct, block in measured(model).items():
        if len(block) >= table.n:
            raise ParameterError(
                f"construct {construct!r} has {len(block)} tasks, but there are {table.n} models: "
                "every VIF is infinite; add models, or split the construct"
            )


def _tasks_left(
    table: ModelColumns, pool: TaskPool, alive: np.ndarray, rules: PruningRules
) -> pd.DataFrame:
    r = table.r[None]
    loading = own_loadings(r, alive, pool)[0]
    vif = own_inflation(r, alive, pool, rules.scope == "all")[0]
    remaining = np.flatnonzero(alive[0] & pool.prunable)
    over = ["vif" if vif[i] > rules.vif else "loading" if loading[i] < rules.loading else ""
            for i in remaining]  # fmt: skip
    return pd.DataFrame(
        {
            "construct": [pool.design.constructs[pool.owner[i]] for i in remaining],
            "task": [table.columns[i] for i in remaining],
            "loading": loading[remaining],
            "vif": vif[remaining],
            "over_limit": over,
        }
    )


def _diagnostics(
    left: pd.DataFrame, rules: PruningRules, retained: Mapping[str, tuple[str, ...]], n: int
) -> list[Diagnostic]:
    diagnostics = [
        Diagnostic(
            "selected_on_the_same_data",
            "note",
            f"The {len(left)} tasks were chosen by the {n} models that also give their loadings, "
            "VIFs and HTMT: these look better than they are.",
            "Judge the retained tasks by cross-validation.",
            values={"n": n},
        )
    ]
    saved = left[left["over_limit"] != ""]
    if len(saved):
        names = [str(t) for t in saved["task"]]
        diagnostics.append(
            Diagnostic(
                "kept_by_the_floor",
                "warning",
                f"{len(saved)} tasks break a limit and stay only because each construct keeps "
                f"{rules.floor}: {first_few(names, 6)}.",
                "A construct that consists of such tasks does not survive the rules; drop it or "
                "write other tasks for it.",
                where=tuple(names),
            )
        )
    dead = [c for c, block in retained.items()
            if block and left.loc[left["construct"] == c, "over_limit"].ne("").all()]  # fmt: skip
    if dead:
        diagnostics.append(
            Diagnostic(
                "no_survivors",
                "warning",
                f"No task of {', '.join(dead)} meets the limits: without the floor the construct "
                "would be gone.",
                "Do not report it as measured.",
                where=tuple(dead),
            )
        )
    return diagnostics
