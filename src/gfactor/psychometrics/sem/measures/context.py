"""Input of the families of fit measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gfactor.psychometrics.sem.exactfit import ExactFit
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.psychometrics.sem.problem import Problem

Measures = dict[str, float | None]


@dataclass(frozen=True)
class Context:
    """A fitted model, the independence model, and their tests of exact fit."""

    estimated: Estimated
    exact: ExactFit
    baseline: Estimated
    baseline_exact: ExactFit

    @property
    def problem(self) -> Problem:
        return self.estimated.problem

    @property
    def scaled(self) -> bool:
        """Return True if the test comes with a correction."""
        return self.exact.scaled is not None

    @property
    def n(self) -> float:
        return self.problem.fit_n

    @property
    def n_groups(self) -> int:
        return self.problem.n_groups


_FAMILIES: list[tuple[int, Callable[[Context], Measures]]] = []

_NEED_DF = (
    "cfi", "tli", "nnfi", "rfi", "nfi", "pnfi", "ifi", "rni", "rmsea", "cn_", "gfi", "agfi",
    "pgfi", "mfi",
)  # fmt: skip
"""Beginnings of the names of measures that compare chi-square with its degrees of freedom; a model
with more parameters than moments has none of them."""


def family(order: int) -> Callable[[Callable[[Context], Measures]], Callable[[Context], Measures]]:
    """Register a family of measures; families are listed by `order`."""

    def register(function: Callable[[Context], Measures]) -> Callable[[Context], Measures]:
        _FAMILIES.append((order, function))
        return function

    return register


def all_measures(context: Context) -> Measures:
    """Return every measure of every family, under lavaan's names and in its order.

    Parameters
    ----------
    context : Context
        Input from which the measures are computed.

    Returns
    -------
    Measures
        Name to value, in lavaan's order.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import sem
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> fit = sem.fit("g =~ x1 + x2 + x3 + x4", data)
    >>> "rmsea" in fit.measures
    True
    """
    measures: Measures = {}
    for _, function in sorted(_FAMILIES, key=lambda pair: pair[0]):
        measures.update(function(context))
    if context.exact.df < 0:
        measures |= {name: None for name in measures if name.startswith(_NEED_DF)}
    return measures
