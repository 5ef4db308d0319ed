"""Every measure of fit, declared once: its name, formula, source, and the models that have it.

A further measure is a function beside those of its family, under `@family` with its `Measure`. The
results of all estimators, their JSON and texts, and docs/evidence/fit-measures.md then have it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import get_args

from gfactor.psychometrics.sem.measures.context import Context, Kind, Measures


@dataclass(frozen=True)
class Measure:
    """Declaration of a measure.

    Parameters
    ----------
    name: in results; lavaan's, unless `in_lavaan` is False.
    formula: over T (chi-square), df, n, groups, moments, npar and, of the independence model, T_b
        and df_b.
    source: author and year; "" if the measure needs no source.
    variants: "scaled" and "robust", where the measure has them; their names end with them.
    needs_df: the measure compares T with df, so that a model with more parameters than moments has
        none.
    lacks: kinds of models without it, and why.
    given: condition for a fit to have the measure, besides its kind; "" if every fit has it.
    text: name in a line of fit indices, after CFI, TLI, RMSEA and SRMR; "" to leave it out.
    """

    name: str
    formula: str
    source: str = ""
    variants: tuple[str, ...] = ()
    needs_df: bool = True
    lacks: Mapping[Kind, str] = field(default_factory=dict)
    given: str = ""
    text: str = ""
    in_lavaan: bool = True

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the name, and those of its variants."""
        return (self.name, *(f"{self.name}.{variant}" for variant in self.variants))


Function = Callable[[Context], Measures | float]


@dataclass(frozen=True)
class _Family:
    order: int
    declared: tuple[Measure, ...]
    function: Function

    def values(self, context: Context) -> Measures:
        """Return the values of those of its measures that the kind of model has."""
        wanted = self._named[context.kind]
        if not wanted:
            return {}
        values = self.function(context)
        if not isinstance(values, dict):
            values = {self.declared[0].name: values}
        testable = context.exact.df >= 0
        return {
            name: value if testable or not wanted[name].needs_df else None
            for name, value in values.items()
            if name in wanted
        }

    @cached_property
    def _named(self) -> dict[Kind, dict[str, Measure]]:
        """The measures that each kind of model has, by their names and those of variants."""
        kinds: tuple[Kind, ...] = get_args(Kind)
        return {
            kind: {
                name: one for one in self.declared if kind not in one.lacks for name in one.names
            }
            for kind in kinds
        }


_FAMILIES: list[_Family] = []


def family(*declared: Measure, order: int) -> Callable[[Function], Function]:
    """Register the function of a measure, or of several that are computed together.

    Parameters
    ----------
    declared: the measures. The function returns their values by name; of one, the value.
    order: place of the family in lavaan's order.
    """

    def register(function: Function) -> Function:
        _FAMILIES.append(_Family(order, declared, function))
        return function

    return register


def _in_order() -> list[_Family]:
    return sorted(_FAMILIES, key=lambda one: one.order)


def declared_measures() -> Iterator[Measure]:
    """Return every measure, in lavaan's order."""
    for one in _in_order():
        yield from one.declared


def all_measures(context: Context) -> Measures:
    """Return every measure that a model has, under lavaan's names and in its order.

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
    for one in _in_order():
        measures |= one.values(context)
    return measures
