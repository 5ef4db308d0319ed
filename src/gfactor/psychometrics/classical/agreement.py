"""Agreement of raters: Krippendorff's alpha, Cohen's and Fleiss' kappa, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.inference.resampling import bootstrap_weights
from gfactor.results import Result

DRAWS = 2_000
"""Bootstrap draws: the ends of a 95 % interval then move by about a twentieth of its width."""


@dataclass(frozen=True)
class Ratings:
    """Units x raters, as counts of values per unit.

    Parameters
    ----------
    values: the values given, sorted; numbers where all are numbers.
    counts: units x values, how many raters gave which value; only units with two ratings or more,
        since a single one agrees with nobody.
    units, raters: how many units and raters had any rating.
    """

    values: tuple[Any, ...]
    counts: NDArray[np.int64]
    units: int
    raters: int

    @classmethod
    def of(cls, table: pd.DataFrame) -> Ratings:
        """From a table, a row per unit and a column per rater; missing ratings are NaN or None.

        Raises ParameterError where fewer than two raters rated a common unit.
        """
        held = table.to_numpy(object)
        known = ~pd.isna(table).to_numpy(bool)
        values = _sorted(set(held[known]))
        place = {value: k for k, value in enumerate(values)}
        counts = np.zeros((len(table), len(values)), np.int64)
        for row, column in zip(*np.nonzero(known), strict=True):
            counts[row, place[held[row, column]]] += 1
        paired = counts.sum(axis=1) >= 2
        if not paired.any():
            raise ParameterError(
                "no unit was rated twice, so that there is no agreement to compute; give tables "
                "with a row per unit and a column per rater"
            )
        return cls(
            tuple(values),
            counts[paired],
            int(known.any(axis=1).sum()),
            int(known.any(axis=0).sum()),
        )

    @property
    def n(self) -> int:
        """Units that two raters or more have rated."""
        return len(self.counts)


@dataclass(frozen=True, repr=False)
class Agreement(Result):
    """A coefficient of agreement.

    `estimate` is None where it is not defined (all ratings alike), with the reason in `note`;
    `low` and `high` end the percentile interval from `draws` resamples of units; `n` counts units
    with two ratings or more, `observed` is the share of pairs of ratings that agree.
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
        """The lower end of the interval (`low`)."""
        return self.low

    @property
    def ci_upper(self) -> float | None:
        """The upper end of the interval (`high`)."""
        return self.high

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Why the coefficient is not defined, where it is not."""
        if self.estimate is not None:
            return ()
        said = f"{self.coefficient} is not defined: {self.note}."
        remedy = "Have units rated that differ, or report the share of pairs alike."
        return (Diagnostic("agreement_undefined", "warning", said, remedy),)

    @property
    def title(self) -> str:
        if self.estimate is None:
            return f"{self.coefficient}: not defined ({self.note}), n = {self.n}"
        interval = f" [{self.low:.3f}, {self.high:.3f}]" if self.low is not None else ""
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
    draws: int,
    seed: int,
) -> Agreement:
    """A coefficient of the ratings, and its interval by resampling units.

    `coefficient` takes weights, resamples x units (how often each unit was drawn), and returns one
    value per resample, NaN where it is not defined. Resamples in which it is not defined are left
    out of the interval.
    """
    estimate = float(coefficient(np.ones((1, ratings.n)))[0])
    low = high = None
    if draws and not np.isnan(estimate):
        blocks = bootstrap_weights(ratings.n, draws, seed)
        kept = np.concatenate([coefficient(block) for block in blocks])
        kept = kept[~np.isnan(kept)]
        if len(kept):
            low, high = (float(end) for end in np.percentile(kept, (2.5, 97.5)))
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
        draws,
        "every rating has the same value" if undefined else "",
    )


def _sorted(values: set[Any]) -> list[Any]:
    numbers = all(isinstance(v, int | float | np.number) for v in values)
    return sorted(values) if numbers else sorted(values, key=str)


Floats = NDArray[np.float64]
WEIGHTS = ("none", "linear", "quadratic")


def cohen_kappa(
    ratings: pd.DataFrame, weights: str = "none", *, draws: int = DRAWS, seed: int = 0
) -> Agreement:
    """Cohen's kappa of two raters on the units that both rated.

    Parameters
    ----------
    ratings: two columns, one per rater.
    weights: `none` (Cohen, 1960), or `linear` or `quadratic` in the distance of ranks (Cohen,
        1968); quadratic is the usual one for ordered categories.
    draws, seed: of the bootstrap over units.

    Raises ParameterError where there are not two raters or no common units.
    """
    if weights not in WEIGHTS:
        raise UnknownNameError("weighting", weights, WEIGHTS)
    if ratings.shape[1] != 2:
        raise ParameterError(
            f"Cohen's kappa is of two raters, the table has {ratings.shape[1]}; choose two "
            "columns, or use fleiss_kappa or krippendorff_alpha"
        )
    both = ratings.dropna()
    made = Ratings.of(both)
    place = {value: k for k, value in enumerate(made.values)}
    first, second = (np.array([place[v] for v in both.iloc[:, k]]) for k in (0, 1))
    size = len(made.values)
    ones, others = np.eye(size)[first], np.eye(size)[second]
    ranks = np.arange(size, dtype=float)
    apart = np.abs(ranks[:, None] - ranks[None])
    apart = {"none": (apart > 0).astype(float), "linear": apart, "quadratic": apart**2}[weights]
    each = apart[first, second]

    def kappa(drawn: Floats) -> Floats:
        n = drawn.sum(axis=1)
        observed = drawn @ each / n
        expected = np.einsum("dc,dk,ck->d", drawn @ ones, drawn @ others, apart) / n**2
        out = np.full(len(drawn), np.nan)
        np.divide(observed, expected, where=expected > 0, out=out)
        return 1 - out

    name = "Cohen's kappa" + ("" if weights == "none" else f" ({weights} weights)")
    return with_interval(name, made, kappa, draws, seed)


def fleiss_kappa(ratings: pd.DataFrame, *, draws: int = DRAWS, seed: int = 0) -> Agreement:
    """Fleiss' kappa of equally many ratings per unit, by whomever (Fleiss, 1971).

    Parameters
    ----------
    ratings: a row per unit; missing cells are left out, but each unit must have equally many
        ratings.
    draws, seed: of the bootstrap over units.

    Raises ParameterError where units have unequal numbers of ratings.
    """
    made = Ratings.of(ratings)
    counts = made.counts.astype(float)
    each = counts.sum(axis=1)
    if len(set(each)) > 1 or made.n < made.units:
        raise ParameterError(
            "Fleiss' kappa needs equally many ratings of every unit; use krippendorff_alpha, which "
            "does not"
        )
    m = each[0]
    agreed = ((counts**2).sum(axis=1) - m) / (m * (m - 1))

    def kappa(drawn: Floats) -> Floats:
        n = drawn.sum(axis=1)
        observed = drawn @ agreed / n
        shares = drawn @ counts / (n * m)[:, None]
        expected = (shares**2).sum(axis=1)
        out = np.full(len(drawn), np.nan)
        np.divide(observed - expected, 1 - expected, where=expected < 1 - 1e-12, out=out)
        return out

    return with_interval("Fleiss' kappa", made, kappa, draws, seed)


def _nominal(values: Floats, totals: Floats) -> Floats:
    return np.broadcast_to(1.0 - np.eye(len(values)), (*totals.shape, len(values)))


def _ordinal(values: Floats, totals: Floats) -> Floats:
    """Squared number of ratings from the one rank to the other, half of each end."""
    below = np.cumsum(totals, axis=1) - totals / 2
    return (below[:, :, None] - below[:, None, :]) ** 2


def _interval(values: Floats, totals: Floats) -> Floats:
    return np.broadcast_to((values[:, None] - values[None]) ** 2, (*totals.shape, len(values)))


def _ratio(values: Floats, totals: Floats) -> Floats:
    sums = values[:, None] + values[None]
    share = np.divide(
        values[:, None] - values[None], sums, where=sums != 0, out=np.zeros_like(sums)
    )
    return np.broadcast_to(share**2, (*totals.shape, len(values)))


LEVELS: Mapping[str, Callable[[Floats, Floats], Floats]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
}
"""Levels of measurement: (values, totals per resample) -> squared differences of values."""


def krippendorff_alpha(
    ratings: pd.DataFrame, level: str = "nominal", *, draws: int = DRAWS, seed: int = 0
) -> Agreement:
    """Krippendorff's alpha: 1 - observed / expected disagreement.

    Parameters
    ----------
    ratings: a row per unit, a column per rater; missing ratings are NaN or None.
    level: of measurement, one of `LEVELS`. For `ordinal` the values' own order counts; for
        `interval` and `ratio` they are numbers.
    draws, seed: of the bootstrap over units.

    Source: Krippendorff, Content Analysis (2004), chapter 11, and his paper on computing alpha
    (2011), whose example is a test. His own bootstrap draws disagreements of pairs; drawing units
    keeps together what belongs together.

    Raises UnknownNameError for an unknown level, ParameterError where no unit was rated twice or a
    level needs numbers.
    """
    if level not in LEVELS:
        raise UnknownNameError("level of measurement", level, LEVELS)
    made = Ratings.of(ratings)
    if level in ("interval", "ratio") and not all(
        isinstance(value, int | float | np.number) for value in made.values
    ):
        raise ParameterError(
            f"ratings at the {level} level are numbers, found {made.values[0]!r}; use nominal or "
            "ordinal"
        )
    numbers = level in ("interval", "ratio")
    values = np.array(made.values if numbers else range(len(made.values)), float)
    counts = made.counts.astype(float)
    each = counts.sum(axis=1)
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs[:, range(len(values)), range(len(values))] -= counts
    coincidences = (pairs / (each - 1)[:, None, None]).reshape(made.n, -1)

    def alpha(weights: Floats) -> Floats:
        together = (weights @ coincidences).reshape(len(weights), len(values), len(values))
        totals = together.sum(axis=2)
        n = totals.sum(axis=1)
        apart = LEVELS[level](values, totals)
        observed = (together * apart).sum(axis=(1, 2))
        expected = np.einsum("dc,dk,dck->d", totals, totals, apart) / (n - 1)
        made = np.full(len(weights), np.nan)
        np.divide(observed, expected, where=expected > 0, out=made)
        return 1 - made

    return with_interval(f"Krippendorff's alpha ({level})", made, alpha, draws, seed)
