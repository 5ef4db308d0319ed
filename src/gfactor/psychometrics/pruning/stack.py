"""GOLD's algorithm 1 for a stack of correlation matrices: of the data, or of many resamples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.gold.model import TaskPool
from gfactor.psychometrics.gold.stack import Bools, Floats, own_inflation, own_loadings
from gfactor.psychometrics.pls.iteration import TOLERANCE

Order = Literal["one", "all"]
Scope = Literal["construct", "all"]


@dataclass(frozen=True)
class PruningRules:
    """Settings that Algorithm 1 of GOLD (Xiong et al. 2025, section IV-D) leaves to the user.

    Parameters
    ----------
    vif: tasks whose variance inflation factor is larger are redundant (paper: 5).
    loading: tasks whose absolute outer loading is smaller contribute too little (paper: 0.75 for
        the pool, 0.8 in its case study).
    floor: smallest number of tasks of a construct; VIFs and loadings need two.
    order: "one" removes one task per refit, redundant tasks first, as the authors' tool does.
        "all" is the paper's text: in every round all tasks above the VIF limit are removed, then
        all below the loading limit, by the same estimate. This removes both of two tasks that are
        redundant only with each other, so that fewer are kept.
    near: with "one", redundant tasks whose VIF is within this share of the largest are a tie, and
        the one with the smallest loading goes (authors' tool: 0.05).
    scope: a VIF is taken against the other tasks of its own construct ("construct", the authors'
        default, and what the equal pairs of the paper's table III imply), or against all tasks
        ("all", as equation 4 can be read).
    """

    vif: float = 5.0
    loading: float = 0.75
    floor: int = 2
    order: Order = "one"
    near: float = 0.05
    scope: Scope = "construct"

    def __post_init__(self) -> None:
        if not self.vif > 1:
            raise ParameterError(
                f"the VIF limit must be above 1, since every VIF is at least 1; got {self.vif}"
            )
        if not 0 <= self.loading < 1:
            raise ParameterError(f"the loading limit must be from 0 to below 1, not {self.loading}")
        if self.floor < 1:
            raise ParameterError(
                f"a construct keeps at least 1 task (2 for a VIF), got floor {self.floor}; a "
                "construct without survivors would leave the model"
            )
        if not 0 <= self.near < 1:
            raise ParameterError(f"a tie must be a share from 0 to below 1, not {self.near}")
        if self.order not in ("one", "all"):
            raise ParameterError(f"the order must be 'one' or 'all', not {self.order!r}")
        if self.scope not in ("construct", "all"):
            raise ParameterError(f"the scope must be 'construct' or 'all', not {self.scope!r}")

    def sentence(self) -> str:
        """Return a sentence about how these rules remove tasks, compared with their counterpart."""
        limits = f"VIF above {self.vif:g}, then loading below {self.loading:g}, at least "
        floor = f"{self.floor} tasks kept per construct"
        if self.order == "one":
            return (
                f"One task per refit: {limits}{floor}; the paper's text removes all at once, "
                "which throws out both of two tasks that are redundant only with each other."
            )
        return (
            f"All at once per refit: {limits}{floor}; the authors' tool removes one task per "
            "refit, which keeps one of two tasks that are redundant only with each other."
        )


@dataclass(frozen=True)
class Removal:
    """A task removed from one matrix of the stack, with the reason and the deciding value."""

    member: int
    task: int
    reason: str
    value: float
    round: int


def prune_stack(
    r: Floats,
    pool: TaskPool,
    rules: PruningRules,
    watch: Callable[[int], object] = lambda _: None,
    tolerance: float = TOLERANCE,
) -> tuple[Bools, list[Removal]]:
    """Prune every matrix; return the tasks left (stack x tasks) and the removals in order.

    `watch` is called with the number of matrices that were finished since the last call.
    `tolerance` is the tolerance of the loadings.
    """
    step = _one if rules.order == "one" else _all_at_once
    alive = np.ones(r.shape[:2], bool)
    redundant = np.ones(len(r), bool)
    open_, removals, number = np.arange(len(r)), [], 0
    while open_.size:
        r_open, alive_open = r[open_], alive[open_]
        loading = own_loadings(r_open, alive_open, pool, tolerance)
        # Removing a task lowers every other VIF: if none is above the limit now, none will be
        # later.
        vif = np.ones_like(loading)
        check = redundant[open_]
        if check.any():
            every = own_inflation(r_open[check], alive_open[check], pool, rules.scope == "all")
            vif[check] = np.where(np.isnan(every), 1.0, every)
        removed = step(vif, loading, alive_open, pool, rules)
        number += 1
        for member, task, reason, value in removed:
            alive[open_[member], task] = False
            removals.append(Removal(int(open_[member]), task, reason, value, number))
        redundant[open_] = np.any((vif > rules.vif) & alive_open, axis=1)
        changed = np.zeros(len(open_), bool)
        changed[[member for member, *_ in removed]] = True
        watch(int((~changed).sum()))
        open_ = open_[changed]
    return alive, removals


_Removals = list[tuple[int, int, str, float]]


def _one(
    vif: Floats, loading: Floats, alive: Bools, pool: TaskPool, rules: PruningRules
) -> _Removals:
    """The worst task of every matrix: redundancy first, then contribution."""
    free = alive & pool.prunable & (_sizes(alive, pool)[:, pool.owner] > rules.floor)
    copies, weak = free & (vif > rules.vif), free & (loading < rules.loading)
    worst = np.where(copies, vif, -np.inf).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        tied = copies & (vif >= (1 - rules.near) * worst)
    removals: _Removals = []
    for member in range(len(alive)):
        which, reason, value = tied[member], "vif", vif
        if not which.any():
            which, reason, value = weak[member], "loading", loading
        if which.any():
            task = int(np.argmin(np.where(which, loading[member], np.inf)))
            removals.append((member, task, reason, float(value[member, task])))
    return removals


def _all_at_once(
    vif: Floats, loading: Floats, alive: Bools, pool: TaskPool, rules: PruningRules
) -> _Removals:
    """Remove all tasks beyond a limit at once.

    If too few tasks would be left in a construct, those closest to the limit stay.
    """
    removals: _Removals = []
    for member in range(len(alive)):
        left = alive[member].copy()
        stages = (
            ("vif", vif[member], vif[member] > rules.vif, -vif[member]),
            ("loading", loading[member], loading[member] < rules.loading, loading[member]),
        )
        for reason, value, over, goodness in stages:
            for construct in pool.constructs:
                block = np.flatnonzero(left & pool.prunable & (pool.owner == construct))
                doomed = block[over[block]]
                doomed = doomed[np.argsort(goodness[doomed], kind="stable")]
                for task in doomed[: max(0, block.size - rules.floor)]:
                    left[task] = False
                    removals.append((member, int(task), reason, float(value[task])))
    return removals


def _sizes(alive: Bools, pool: TaskPool) -> NDArray[np.intp]:
    """Stack x constructs: tasks left."""
    sizes = np.zeros((len(alive), len(pool.design.constructs)), int)
    for construct in pool.constructs:
        sizes[:, construct] = alive[:, pool.owner == construct].sum(axis=1)
    return sizes
