"""Stability of a pruning: the tasks that stay in bootstrap samples of the models.

References
----------
Nogueira, S., Sechidis, K., Brown, G. (2018). On the stability of feature selection algorithms.
    Journal of Machine Learning Research 18 (174), 1-54.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gfactor.computing import each
from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.given import model_and_data_in_either_order
from gfactor.psychometrics.gold.data import prepared, resampled
from gfactor.psychometrics.gold.diagnostics import NAMES
from gfactor.psychometrics.gold.model import TaskPool, pool_of
from gfactor.psychometrics.gold.stack import ROUGH, Bools, Floats
from gfactor.psychometrics.inference.intervals import wilson
from gfactor.psychometrics.pls.data import Missing
from gfactor.psychometrics.pls.iteration import Scheme
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.psychometrics.pruning.algorithm import Pruning, prune
from gfactor.psychometrics.pruning.stack import Order, PruningRules, prune_stack
from gfactor.results import Result

_REPORTS = 20
"""Smallest number of reports of progress."""


@dataclass(frozen=True, repr=False)
class PruningStability(Result):
    """The pruning repeated on resampled models.

    Parameters
    ----------
    tasks: one row per task: construct, task, retained (in the data's own pruning), kept (share of
        resamples that keep it) with its Wilson interval kept_low, kept_high.
    sizes: number of tasks kept, 2.5 %, 50 % and 97.5 % of resamples.
    same: share of resamples that end with exactly the data's own set.
    stability: Nogueira's measure (2018, definition 4): 1 if all resamples agree, 0 if they
        agree no more than random sets of the same sizes; with its interval low, high.
    draws, seed: number and seed of the bootstrap.
    diagnostics: findings against the pruning.
    """

    tasks: pd.DataFrame
    sizes: tuple[float, float, float]
    same: float
    stability: float
    low: float
    high: float
    draws: int
    seed: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        return (
            f"stability {self.stability:.2f} [{self.low:z.2f}, {self.high:z.2f}] over {self.draws} "
            f"resamples of the models; {self.same:.0%} end with the same set; they keep "
            f"{self.sizes[0]:.0f} to {self.sizes[2]:.0f} tasks"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("draws", "seed", "stability", "low", "high", "same", "sizes")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"tasks": self.tasks}

    def _lines(self) -> list[str]:
        return [self.title]


def stability(
    data: pd.DataFrame,
    pruning: Pruning,
    *,
    missing: Missing = "error",
    n_bootstrap: int = 500,
    seed: int = 0,
    watch: Callable[[int], object] = lambda _: None,
) -> PruningStability:
    """Repeat the whole of `pruning` on `n_bootstrap` resamples of the models of `data`.

    `n_bootstrap` = 500 determines a share to within 0.04. `watch` is called with the number of
    resamples that were finished since the last call. A resample contains some models several times,
    which raises VIFs a little, so that a task near the limit is kept somewhat less often than in
    new samples.

    Raises ParameterError for fewer than 2 resamples, and the errors of `prune`.
    """
    if n_bootstrap < 2:
        raise ParameterError(f"stability needs at least 2 resamples, got {n_bootstrap}")
    model = pruning.model
    table, pool = prepared(data, model, missing), pool_of(model, pruning.scheme)
    stacks = resampled(table, pool, n_bootstrap, seed, _REPORTS)
    parts = []
    for part in each(_tasks_left, ((r, pool, pruning.rules) for r in stacks)):
        parts.append(part)
        watch(len(part))
    selected = np.concatenate(parts)
    names = [table.columns[i] for i in np.flatnonzero(pool.prunable)]
    retained = np.isin(names, pruning.tasks_left)
    low, high = wilson(selected.sum(axis=0), n_bootstrap)
    tasks = pd.DataFrame(
        {
            "construct": [pool.design.constructs[j] for j in pool.owner[pool.prunable]],
            "task": names,
            "retained": retained,
            "kept": selected.mean(axis=0),
            "kept_low": low,
            "kept_high": high,
        }
    )
    sizes = np.quantile(selected.sum(axis=1), [0.025, 0.5, 0.975])
    value, first, last = _nogueira(selected.astype(float))
    unsure = [str(t) for t in tasks.loc[tasks["kept"].between(0.2, 0.8), "task"]]
    diagnostics = ()
    if value < 0.75 or len(unsure) > len(names) / 4:
        diagnostics = (
            Diagnostic(
                "unstable_selection",
                "warning",
                f"The stability of the retained set is {value:.2f}; {len(unsure)} of {len(names)} "
                "tasks are kept in 20 to 80 % of resamples of the models.",
                "Do not read meaning into a single task's survival; report how often it is kept.",
                where=tuple(unsure[:20]),
                values={"stability": value, "unsure": len(unsure)},
            ),
        )
    return PruningStability(
        tasks, (float(sizes[0]), float(sizes[1]), float(sizes[2])),
        float((selected == retained).all(axis=1).mean()), value, first, last,
        n_bootstrap, seed, diagnostics,
    )  # fmt: skip


def _tasks_left(r: Floats, pool: TaskPool, rules: PruningRules) -> Bools:
    """Return, for every matrix of a stack, True for the prunable tasks that are left."""
    return prune_stack(r, pool, rules, tolerance=ROUGH)[0][:, pool.prunable]


def _nogueira(selected: np.ndarray) -> tuple[float, float, float]:
    """Return stability with a 95 % interval (Nogueira et al. 2018, theorem 7); NaN if all stay."""
    m, d = selected.shape
    share, k = selected.mean(axis=0), selected.sum(axis=1)
    spread = m / (m - 1) * share * (1 - share)
    middle = k.mean()
    by_chance = middle / d * (1 - middle / d)
    if by_chance == 0:
        return 1.0, 1.0, 1.0
    value = 1 - spread.mean() / by_chance
    each = (
        selected @ share / d - k * middle / d**2
        + value / 2 * (2 * middle * k / d**2 - k / d - middle / d + 1)
    ) / by_chance  # fmt: skip
    half = float(stats.norm.ppf(0.975)) * np.sqrt(4 / m**2 * ((each - each.mean()) ** 2).sum())
    return float(value), float(value - half), float(value + half)


@model_and_data_in_either_order
def ablation(
    model: PLSModel,
    data: pd.DataFrame,
    rules: PruningRules | None = None,
    *,
    vif: Iterable[float] = (3.0, 5.0, 7.0),
    loading: Iterable[float] = (0.7, 0.75, 0.8),
    orders: Iterable[Order] = ("one", "all"),
    scheme: Scheme = "path",
    missing: Missing = "error",
    watch: Callable[[int], object] = lambda _: None,
) -> pd.DataFrame:
    """Return one row per combination: order, vif, loading, tasks, D_div, TC, D_valid, shared,
    changed.

    The default thresholds are those of the authors' ablation. `shared` is the Jaccard index of the
    retained set with that of `rules`. The diagnostics are computed from the models that chose the
    set. Do not choose thresholds by them, because a higher loading limit raises TC by construction.
    `watch` is called with 1 after every combination.
    """
    rules = rules or PruningRules()
    reference = set(prune(model, data, rules, scheme=scheme, missing=missing).tasks_left)
    lines = []
    limits = [(order, v, limit) for order in orders for v in vif for limit in loading]
    for order, v, limit in limits:
        varied = replace(rules, order=order, vif=v, loading=limit)
        pruned = prune(model, data, varied, scheme=scheme, missing=missing)
        tasks = set(pruned.tasks_left)
        after = pruned.three.iloc[1]
        lines.append(
            {"order": order, "vif": v, "loading": limit, "tasks": len(tasks)}
            | {name: float(after[name]) for name in NAMES}
            | {"shared": len(tasks & reference) / len(tasks | reference)}
        )
        watch(1)
    return pd.DataFrame(lines)
