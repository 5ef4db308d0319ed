"""When a task is removed: the thresholds, the order, and where the paper and its tool part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gfactor.errors import ParameterError

Order = Literal["one", "all"]
Scope = Literal["construct", "all"]


@dataclass(frozen=True)
class PruningRules:
    """What Algorithm 1 of GOLD (Xiong et al. 2025, section IV-D) leaves to the user.

    Parameters
    ----------
    vif: tasks whose variance inflation factor is larger are redundant (paper: 5).
    loading: tasks whose absolute outer loading is smaller contribute too little (paper: 0.75 for
        the pool, 0.8 in its case study).
    floor: no construct keeps fewer tasks; two are needed for a VIF and a loading that mean
        anything.
    order: "one" removes one task per refit, redundant tasks first, as the authors' tool does.
        "all" is the paper's text: in every round all tasks above the VIF limit go, then all below
        the loading limit, by the same estimate. Removing all at once throws out both of two tasks
        that are redundant only with each other, so that it keeps fewer.
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
                f"the VIF limit is above 1, which no task is below; got {self.vif}"
            )
        if not 0 <= self.loading < 1:
            raise ParameterError(f"the loading limit is from 0 to below 1, got {self.loading}")
        if self.floor < 1:
            raise ParameterError(
                f"a construct keeps at least 1 task (2 for a VIF), got floor {self.floor}; a "
                "construct without survivors would leave the model"
            )
        if not 0 <= self.near < 1:
            raise ParameterError(f"a tie is a share from 0 to below 1, got {self.near}")
        if self.order not in ("one", "all"):
            raise ParameterError(f"the order is 'one' or 'all', got {self.order!r}")
        if self.scope not in ("construct", "all"):
            raise ParameterError(f"the scope is 'construct' or 'all', got {self.scope!r}")

    def sentence(self) -> str:
        """How these rules remove tasks, and how they differ from their counterpart."""
        limits = f"VIF above {self.vif:g}, then loading below {self.loading:g}, at least "
        kept = f"{self.floor} tasks kept per construct"
        if self.order == "one":
            return (
                f"One task per refit: {limits}{kept}; the paper's text removes all at once, "
                "which throws out both of two tasks that are redundant only with each other."
            )
        return (
            f"All at once per refit: {limits}{kept}; the authors' tool removes one task per "
            "refit, which keeps one of two tasks that are redundant only with each other."
        )
