"""Ratings as counts, and an agreement with its bootstrap interval."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.resampling import bootstrap_weights
from gfactor.results import Result

DRAWS = 2_000
"""Bootstrap draws: between seeds, the ends of a 95 % interval then move by about 1/20 of its
width."""


@dataclass(frozen=True)
class Ratings:
    """Units x raters, as counts of values per unit.

    Parameters
    ----------
    values : list of Any
        The values given, sorted; numbers if all are numbers.
    counts : NDArray[int64]
        Number of raters by unit and value; only units with two ratings or more, since a single
        rating cannot agree with another.
    units, raters : int
        Numbers of units and of raters with at least one rating.
    """

    values: tuple[Any, ...]
    counts: NDArray[np.int64]
    units: int
    raters: int

    @classmethod
    def of(cls, table: pd.DataFrame) -> Ratings:
        """Read a table with a row per unit and a column per rater; None and NaN are missing.

        Raises ParameterError if fewer than two raters rated a common unit.
        """
        cells = table.to_numpy(object)
        rated = ~pd.isna(table).to_numpy(bool)
        values = sorted_values(set(cells[rated]))
        column_of = {value: k for k, value in enumerate(values)}
        counts = np.zeros((len(table), len(values)), np.int64)
        for row, column in zip(*np.nonzero(rated), strict=True):
            counts[row, column_of[cells[row, column]]] += 1
        paired = counts.sum(axis=1) >= 2
        if not paired.any():
            raise ParameterError(
                "no unit was rated twice, so that there is no agreement to compute; give tables "
                "with a row per unit and a column per rater"
            )
        return cls(
            tuple(values),
            counts[paired],
            int(rated.any(axis=1).sum()),
            int(rated.any(axis=0).sum()),
        )

    @property
    def n(self) -> int:
        """Return the number of units with at least two ratings."""
        return len(self.counts)


@dataclass(frozen=True, repr=False)
class Agreement(Result):
    """A coefficient of agreement.

    `estimate` is None if the coefficient is not defined (all ratings are equal); `note` then gives
    the reason. `low` and `high` are the ends of the percentile interval from `draws` bootstrap
    samples of the units. `n` is the number of units with at least two ratings, `observed` the
    share of pairs of ratings that agree.
    """

    coefficient: str
    estimate: float | None
    low: float | None
    high: float | None
    n: int
    raters: int
    observed: float
    draws: int
    note: str = ""

    @property
    def ci_lower(self) -> float | None:
        """Return the lower end of the interval (`low`)."""
        return self.low

    @property
    def ci_upper(self) -> float | None:
        """Return the upper end of the interval (`high`)."""
        return self.high

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Return the reason if the coefficient is not defined; empty if it is defined."""
        if self.estimate is not None:
            return ()
        message = f"{self.coefficient} is not defined: {self.note}."
        remedy = "Have units rated that differ, or report the share of pairs alike."
        return (Diagnostic("agreement_undefined", "warning", message, remedy),)

    @property
    def title(self) -> str:
        if self.estimate is None:
            return f"{self.coefficient}: not defined ({self.note}), n = {self.n}"
        interval = f" [{self.low:z.3f}, {self.high:z.3f}]" if self.low is not None else ""
        return (
            f"{self.coefficient} = {self.estimate:.3f}{interval}, {self.n} units, {self.raters} "
            f"raters, {self.observed:.0%} of pairs alike"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return vars(self)

    def _lines(self) -> list[str]:
        return [self.title]


def with_interval(
    name: str,
    ratings: Ratings,
    coefficient: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    n_bootstrap: int,
    seed: int,
) -> Agreement:
    """Return a coefficient of the ratings, with an interval from resampled units.

    `coefficient` takes weights, resamples x units (how often each unit was drawn), and returns one
    value per resample, NaN if it is not defined. Resamples in which it is not defined are left
    out of the interval.
    """
    estimate = float(coefficient(np.ones((1, ratings.n)))[0])
    low = high = None
    if n_bootstrap and not np.isnan(estimate):
        blocks = bootstrap_weights(ratings.n, n_bootstrap, seed)
        draws = np.concatenate([coefficient(block) for block in blocks])
        draws = draws[~np.isnan(draws)]
        if len(draws):
            low, high = (float(end) for end in np.percentile(draws, (2.5, 97.5)))
    each = ratings.counts.sum(axis=1)
    pairs = (ratings.counts * (ratings.counts - 1)).sum() / (each * (each - 1)).sum()
    undefined = np.isnan(estimate)
    return Agreement(
        name,
        None if undefined else estimate,
        low,
        high,
        ratings.n,
        ratings.raters,
        float(pairs),
        n_bootstrap,
        "every rating has the same value" if undefined else "",
    )


def sorted_values(values: set[Any]) -> list[Any]:
    numbers = all(isinstance(v, int | float | np.number) for v in values)
    return sorted(values) if numbers else sorted(values, key=str)
