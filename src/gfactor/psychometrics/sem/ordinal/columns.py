"""Variables of a mixed table, one by one: thresholds of the ordinal, moments of the others.

The first step of Muthen's (1984) estimator: every variable alone, with casewise scores.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.ordinal.bivariate import FAR

Array = NDArray[np.float64]


def _density(z: Array) -> Array:
    return np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)


@dataclass(frozen=True)
class OrdinalColumn:
    """An ordered categorical variable: a standard normal response cut at thresholds.

    Parameters
    ----------
    name: of the variable. codes: category of every case, from 0. thresholds: increasing.
    """

    name: str
    codes: NDArray[np.intp]
    thresholds: Array

    @property
    def categories(self) -> int:
        return len(self.thresholds) + 1

    @cached_property
    def edges(self) -> Array:
        """Thresholds between minus and plus (nearly) infinity."""
        return np.concatenate([[-FAR], self.thresholds, [FAR]])

    @cached_property
    def scores(self) -> Array:
        """Derivatives of every case's log likelihood by the thresholds, shape (n, thresholds)."""
        share = np.bincount(self.codes, minlength=self.categories) / len(self.codes)
        density = _density(self.thresholds)
        table = np.zeros((self.categories, len(density)))
        place = np.arange(len(density))
        table[place, place] = density / share[:-1]
        table[place + 1, place] = -density / share[1:]
        return table[self.codes]


@dataclass(frozen=True)
class NumericColumn:
    """A continuous variable; mean and variance with divisor n."""

    name: str
    values: Array
    mean: float
    variance: float

    @cached_property
    def z(self) -> Array:
        return (self.values - self.mean) / np.sqrt(self.variance)

    @cached_property
    def scores(self) -> Array:
        """Derivatives by mean and variance, shape (n, 2)."""
        sd = np.sqrt(self.variance)
        return np.column_stack([self.z / sd, (self.z**2 - 1) / (2 * self.variance)])


Column = OrdinalColumn | NumericColumn


def ordinal_column(
    name: str, values: Array, levels: NDArray[np.float64], where: str = ""
) -> OrdinalColumn:
    """Thresholds at the normal quantiles of the cumulated shares.

    Parameters
    ----------
    levels: the categories in order, over all groups; `where` names the group for messages.

    Raises ParameterError where a category is empty in this group.
    """
    codes = np.searchsorted(levels, values)
    counts = np.bincount(codes, minlength=len(levels))
    if len(levels) < 2:
        raise ParameterError(f"ordinal variable {name!r} has one category only; leave it out")
    if (counts == 0).any():
        empty = ", ".join(f"{level:g}" for level in levels[counts == 0])
        raise ParameterError(
            f"ordinal variable {name!r} has no case in category {empty}{where}; join it with a "
            "neighbor in all groups"
        )
    return OrdinalColumn(name, codes, ndtri(counts.cumsum()[:-1] / len(codes)))


def numeric_column(name: str, values: Array) -> NumericColumn:
    """Raises ParameterError where the variable does not vary."""
    variance = float(values.var())
    if variance <= 0:
        raise ParameterError(f"variable {name!r} does not vary; leave it out")
    return NumericColumn(name, values, float(values.mean()), variance)
