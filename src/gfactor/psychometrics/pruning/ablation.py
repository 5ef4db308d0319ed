"""The same pruning under other thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pandas as pd

from gfactor.psychometrics.gold.diagnostics import NAMES
from gfactor.psychometrics.pls.data import Missing
from gfactor.psychometrics.pls.estimate import Scheme
from gfactor.psychometrics.pls.model import PLSModel
from gfactor.psychometrics.pruning.prune import prune
from gfactor.psychometrics.pruning.stack import Order, PruningRules


def ablation(
    data: pd.DataFrame,
    model: PLSModel,
    rules: PruningRules | None = None,
    *,
    vif: Iterable[float] = (3.0, 5.0, 7.0),
    loading: Iterable[float] = (0.7, 0.75, 0.8),
    orders: Iterable[Order] = ("one", "all"),
    scheme: Scheme = "path",
    missing: Missing = "error",
    watch: Callable[[int], object] = lambda _: None,
) -> pd.DataFrame:
    """One row per combination: order, vif, loading, tasks, D_div, TC, D_valid, shared, changed.

    The default thresholds are those of the authors' ablation. `shared` is the Jaccard index of the
    retained set with that of `rules`. The diagnostics are of the models that chose the set: they
    must not choose the thresholds, because a higher loading limit raises TC by construction.
    `watch` is told 1 after every combination.
    """
    rules = rules or PruningRules()
    reference = set(prune(data, model, rules, scheme=scheme, missing=missing).tasks_left)
    lines = []
    limits = [(order, v, limit) for order in orders for v in vif for limit in loading]
    for order, v, limit in limits:
        own = replace(rules, order=order, vif=v, loading=limit)
        made = prune(data, model, own, scheme=scheme, missing=missing)
        kept = set(made.tasks_left)
        after = made.three.iloc[1]
        lines.append(
            {"order": order, "vif": v, "loading": limit, "tasks": len(kept)}
            | {name: float(after[name]) for name in NAMES}
            | {"shared": len(kept & reference) / len(kept | reference)}
        )
        watch(1)
    return pd.DataFrame(lines)
