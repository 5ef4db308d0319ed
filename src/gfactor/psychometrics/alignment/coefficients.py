"""Pearson, Spearman and Kendall with intervals, and the difference of two correlations.

References
----------
Fisher, R. A. (1921). On the probable error of a coefficient of correlation. Metron 1, 3-32.
Bonett, D. G., Wright, T. A. (2000). Sample size requirements for estimating Pearson, Kendall and
    Spearman correlations. Psychometrika 65, 23-28.
Zou, G. Y. (2007). Toward using confidence intervals to compare correlations. Psychological Methods
    12, 399-413.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from gfactor.errors import ParameterError

Floats = NDArray[np.float64]
Kind = Literal["pearson", "spearman", "kendall"]
KINDS: tuple[Kind, ...] = ("pearson", "spearman", "kendall")

FEWEST = 5
"""Number of pairs below which Kendall's interval does not exist and the others are
uninformative."""


@dataclass(frozen=True)
class Coefficient:
    """A correlation with its interval.

    Parameters
    ----------
    kind: pearson, spearman or kendall (tau-b).
    estimate, low, high: the coefficient and the ends of its interval; NaN if a side is constant.
    n: pairs.
    level: confidence level of the interval.
    """

    kind: Kind
    estimate: float
    low: float
    high: float
    n: int
    level: float

    def __str__(self) -> str:
        return f"{self.estimate:.2f} [{self.low:z.2f}, {self.high:z.2f}] (n = {self.n})"


def coefficient(
    first: ArrayLike, second: ArrayLike, kind: Kind = "pearson", level: float = 0.95
) -> Coefficient:
    """Return a correlation of two lists of equal length; pairs with a NaN are left out.

    The interval is normal on Fisher's z with variance 1 / (n - 3) for Pearson, (1 + r^2 / 2) /
    (n - 3) for Spearman and 0.437 / (n - 4) for Kendall (Bonett and Wright 2000). It assumes
    independent pairs, which models of one family are not.

    Raises ParameterError for lists of different length, and for fewer than five pairs.
    """
    x, y = _complete(first, second)
    n = len(x)
    if n < FEWEST:
        raise ParameterError(f"a correlation with an interval needs {FEWEST} pairs, got {n}")
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return Coefficient(kind, np.nan, np.nan, np.nan, n, level)
    if kind == "kendall":
        r, variance = float(cast(Any, stats.kendalltau(x, y)).statistic), 0.437 / (n - 4)
    elif kind == "spearman":
        r = _pearson(stats.rankdata(x), stats.rankdata(y))
        variance = (1 + r**2 / 2) / (n - 3)
    else:
        r, variance = _pearson(x, y), 1 / (n - 3)
    low, high = _interval(r, variance, level)
    return Coefficient(kind, r, low, high, n, level)


def _complete(*lists: ArrayLike) -> list[Floats]:
    """Remove the positions at which any list has a NaN from all lists."""
    columns = [np.asarray(one, float) for one in lists]
    if len({len(column) for column in columns}) > 1:
        lengths = ", ".join(str(len(column)) for column in columns)
        raise ParameterError(f"a correlation needs lists of one length; these have {lengths}")
    whole = ~np.isnan(columns).any(axis=0)
    return [column[whole] for column in columns]


@dataclass(frozen=True)
class CorrelationDifference:
    """Difference between two scores in their correlation with a criterion, on the same models.

    `estimate` is r(first, criterion) - r(second, criterion), with Zou's interval (2007, section 3).
    """

    first: Coefficient
    second: Coefficient
    estimate: float
    low: float
    high: float
    n: int


def correlation_difference(
    first: ArrayLike,
    second: ArrayLike,
    criterion: ArrayLike,
    kind: Kind = "pearson",
    level: float = 0.95,
) -> CorrelationDifference:
    """Compare two correlations that share the criterion and the models.

    Models with a NaN in any list are left out. Raises ParameterError for lists of different
    length, and for fewer than five models.
    """
    a, b, c = _complete(first, second, criterion)
    one, two = coefficient(a, c, kind, level), coefficient(b, c, kind, level)
    between = coefficient(a, b, kind, level).estimate
    r, s = one.estimate, two.estimate
    # Variance-covariance of two dependent correlations with a common variable (Olkin and Siotani).
    above = (between - r * s / 2) * (1 - r**2 - s**2 - between**2) + between**3
    below = (1 - r**2) * (1 - s**2)
    together = float(np.clip(above / below, -1, 1)) if below > 0 else 0.0
    d = r - s
    low = d - _root((r - one.low) ** 2 + (two.high - s) ** 2
                    - 2 * together * (r - one.low) * (two.high - s))  # fmt: skip
    high = d + _root((one.high - r) ** 2 + (s - two.low) ** 2
                     - 2 * together * (one.high - r) * (s - two.low))  # fmt: skip
    return CorrelationDifference(one, two, d, low, high, one.n)


def _root(value: float) -> float:
    return float(np.sqrt(max(value, 0.0)))


def _pearson(x: Floats, y: Floats) -> float:
    x, y = _unit(x), _unit(y)
    if not (x.any() and y.any()):
        return 0.0  # They differ by less than a floating-point number can hold.
    return float(np.clip(x @ y / np.sqrt((x @ x) * (y @ y)), -1, 1))


def _unit(x: Floats) -> Floats:
    """Return deviations from the mean, scaled to a largest size of 1 so that squares are safe."""
    x = x - x.mean()
    size = np.abs(x).max()
    return x / size if size > 0 else x


def _interval(r: float, variance: float, level: float) -> tuple[float, float]:
    if abs(r) > 1 - 1e-12:
        return r, r
    half = float(stats.norm.ppf(0.5 + level / 2)) * np.sqrt(variance)
    z = np.arctanh(r)
    return float(np.tanh(z - half)), float(np.tanh(z + half))


def ranges(scores: pd.Series, size: int | None = None) -> dict[str, pd.Index]:
    """Return three sets: all models, the `size` best and the `size` worst ones (half of them if
    None).

    GOLD uses the 50 best and the 50 worst. Raises ParameterError if fewer than five are left.
    """
    scored = cast(pd.Series, scores.dropna())
    size = len(scored) // 2 if size is None else min(size, len(scored))
    if size < FEWEST:
        raise ParameterError(
            f"groups of {size} of {len(scored)} models are too small; at least {FEWEST} are needed"
        )
    order = scored.sort_values(ascending=False, kind="stable").index
    return {"all": scored.index, "top": order[:size], "bottom": order[len(order) - size :]}


def rank_agreement(
    first: pd.Series, second: pd.Series, size: int | None = None, level: float = 0.95
) -> pd.DataFrame:
    """Return Spearman and Kendall between two scores of the same models, by range of the first.

    One row per range ("all", "top", "bottom") and coefficient: range, coefficient, estimate, low,
    high, n. Within the top and the bottom, correlations are lower because of the restricted range;
    judge them only by comparison with the value expected from the whole range.
    """
    both = pd.concat([first, second], axis=1, keys=["first", "second"]).dropna()
    kinds: tuple[Kind, ...] = ("spearman", "kendall")
    rows = []
    for name, models in ranges(cast(pd.Series, both["first"]), size).items():
        part = both.loc[models]
        for kind in kinds:
            c = coefficient(part["first"], part["second"], kind, level)
            rows.append(
                {"range": name, "coefficient": kind, "estimate": c.estimate, "low": c.low,
                 "high": c.high, "n": c.n}
            )  # fmt: skip
    return pd.DataFrame(rows)


def standardized_mean(scores: pd.DataFrame, reference: pd.DataFrame | None = None) -> pd.Series:
    """Return the mean of each model's z-scores over tasks; NaN for a model without scores.

    The mean and standard deviation of every task come from `reference` (models x tasks; default:
    the scores themselves), without its missing cells.
    """
    standard = scores if reference is None else reference
    spread = standard.std(ddof=0).replace(0.0, np.nan)
    return cast(pd.Series, ((scores - standard.mean()) / spread).mean(axis=1))
