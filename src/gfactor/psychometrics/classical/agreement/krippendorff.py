"""Krippendorff's alpha for nominal, ordinal, interval and ratio data, with missing ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.classical.agreement.ratings import (
    DRAWS,
    Agreement,
    Ratings,
    with_interval,
)
from gfactor.psychometrics.float_arrays import einsum

Floats = NDArray[np.float64]


def _nominal(values: Floats, totals: Floats) -> Floats:
    return np.broadcast_to(1.0 - np.eye(len(values)), (*totals.shape, len(values)))


def _ordinal(values: Floats, totals: Floats) -> Floats:
    """Squared number of ratings from one rank to the other, counting half of those at the ends."""
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
    ratings: pd.DataFrame, level: str = "nominal", *, n_bootstrap: int = DRAWS, seed: int = 0
) -> Agreement:
    """Return Krippendorff's alpha: 1 - observed / expected disagreement.

    Parameters
    ----------
    ratings : DataFrame
        Table with a row per rated unit and a column per rater; missing ratings are NaN or None.
    level : str
        Level of measurement, one of `LEVELS`. For `ordinal` the order of the values counts; for
        `interval` and `ratio` the values are numbers.
    n_bootstrap, seed : int
        Number of bootstrap samples of units, and the seed of the random number generator.

    Returns
    -------
    Agreement
        The coefficient with its interval, n and raters.

    Raises
    ------
    UnknownNameError
        For an unknown level.
    ParameterError
        If no unit was rated twice, or the level needs numbers.

    Examples
    --------
    >>> import pandas as pd
    >>> from gfactor.psychometrics.classical.agreement import krippendorff_alpha
    >>> ratings = pd.DataFrame({"Ada": [1, 2, 3, 3, 2], "Ben": [1, 2, None, 3, 1]})
    >>> 0 < krippendorff_alpha(ratings, "ordinal").estimate < 1
    True
    """
    if level not in LEVELS:
        raise UnknownNameError("level of measurement", level, LEVELS)
    table = Ratings.of(ratings)
    if level in ("interval", "ratio") and not all(
        isinstance(value, int | float | np.number) for value in table.values
    ):
        raise ParameterError(
            f"ratings at the {level} level must be numbers, not {table.values[0]!r}; use nominal "
            "or ordinal"
        )
    numbers = level in ("interval", "ratio")
    values = np.array(table.values if numbers else range(len(table.values)), float)
    counts = table.counts.astype(float)
    each = counts.sum(axis=1)
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs[:, range(len(values)), range(len(values))] -= counts
    coincidences = (pairs / (each - 1)[:, None, None]).reshape(table.n, -1)

    def alpha(weights: Floats) -> Floats:
        together = (weights @ coincidences).reshape(len(weights), len(values), len(values))
        totals = together.sum(axis=2)
        n = totals.sum(axis=1)
        apart = LEVELS[level](values, totals)
        observed = (together * apart).sum(axis=(1, 2))
        expected = einsum("dc,dk,dck->d", totals, totals, apart) / (n - 1)
        table = np.full(len(weights), np.nan)
        np.divide(observed, expected, where=expected > 0, out=table)
        return 1 - table

    return with_interval(f"Krippendorff's alpha ({level})", table, alpha, n_bootstrap, seed)
