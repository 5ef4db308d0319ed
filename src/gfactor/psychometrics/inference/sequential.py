"""Sequential inference: intervals and tests that are valid however often one looks.

A fixed 95 % interval that is looked at after every item misses the truth at some look far more
often than in 5 % of runs (`false_alarm`). A confidence sequence covers at all looks together, and
an e-process may be compared with 1 / alpha at any item: asking may stop as soon as it decides.

References
----------
Waudby-Smith, I., Ramdas, A. (2024). Estimating means of bounded random variables by betting.
    Journal of the Royal Statistical Society B 86, 1-27.
Robbins, H. (1970). Statistical methods related to the law of the iterated logarithm. Annals of
    Mathematical Statistics 41, 1397-1409.
Ramdas, A., Gruenwald, P., Vovk, V., Shafer, G. (2023). Game-theoretic statistics and safe anytime-
    valid inference. Statistical Science 38, 576-601.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.intervals import checked_level

Floats = NDArray[np.float64]

_GRID = 1001
_BISECTIONS = 44
"""Number of bisections of a grid cell; the ends then are within 1e-16 of the root."""
_TRUNCATION = 0.5
"""Largest share of the capital that a bet may lose."""


def confidence_sequence(
    values: ArrayLike,
    *,
    level: float = 0.95,
    method: Literal["betting", "mixture"] = "betting",
    bounds: tuple[float, float] = (0.0, 1.0),
    prior: tuple[float, float] = (1.0, 1.0),
    running_intersection: bool = True,
) -> pd.DataFrame:
    """Return a confidence sequence: intervals of the mean after every value that have simultaneous
    coverage.

    Parameters
    ----------
    values : array-like of float, shape (n,)
        Scores in the order in which they came, each in `bounds`. Their mean given the past must be
        constant: a random order of items has this.
    level : float
        Probability with which no interval of the sequence misses the mean.
    method : {"betting", "mixture"}
        "betting": capital process with predictable plug-in bets, for any bounded values.
        "mixture": Beta mixture of likelihood ratios, for values of 0 and 1 only.
    bounds : tuple of float
        Smallest and largest possible value; (-1, 1) for paired differences of 0/1 scores.
    prior : tuple of float
        Parameters of the Beta mixture.
    running_intersection : bool
        True to exclude what earlier intervals have excluded: the interval covers as well, and is
        never wider.

    Returns
    -------
    DataFrame
        A row per value, index `n`: `estimate` (running mean), `ci_lower`, `ci_upper`.

    Raises
    ------
    ParameterError
        For values outside the bounds or missing, values other than 0 and 1 with "mixture", or a
        level outside (0, 1).

    Examples
    --------
    >>> confidence_sequence([1] * 60).iloc[-1].round(3).to_dict()
    {'estimate': 1.0, 'ci_lower': 0.887, 'ci_upper': 1.0}

    References
    ----------
    Waudby-Smith and Ramdas (2024), theorem 3 with hedged capital, maximum of both halves.
    """
    low, high = bounds
    x = _checked_values(values, low, high)
    alpha = 1 - checked_level(level)
    n = np.arange(1, x.size + 1)
    mean = np.cumsum(x) / n
    if method == "mixture":
        if not np.isin(x, (0.0, 1.0)).all():
            raise ParameterError("method 'mixture' needs scores of 0 and 1; use 'betting'")
        lower, upper = _mixture_bounds(x, alpha, prior)
    elif method == "betting":
        lower, upper = _betting_bounds(x, alpha)
    else:
        raise ParameterError(f"method must be 'betting' or 'mixture', not {method!r}")
    if running_intersection:
        lower, upper = np.maximum.accumulate(lower), np.minimum.accumulate(upper)
    table = {"estimate": mean, "ci_lower": lower, "ci_upper": upper}
    return pd.DataFrame(
        {name: low + (high - low) * column for name, column in table.items()},
        index=pd.Index(n, name="n"),
    )


def interval_so_far(
    values: ArrayLike, *, level: float = 0.95, bounds: tuple[float, float] = (0.0, 1.0)
) -> tuple[float, float]:
    """Return the last interval of `confidence_sequence` (betting, running intersection) alone.

    For some thousand values it takes a thousandth of the time, so that it can be computed after
    every answer.

    Parameters
    ----------
    values : array-like of float, shape (n,)
        Values, as in `confidence_sequence`; without values the interval is that of `bounds`.
    level : float
        Confidence level, as in `confidence_sequence`.
    bounds : tuple of float
        Smallest and largest possible value.

    Returns
    -------
    lower, upper : float
        Limits of the interval after the last value.

    Raises
    ------
    ParameterError
        As `confidence_sequence` does.

    Examples
    --------
    >>> [round(end, 3) for end in interval_so_far([1] * 60)]
    [0.887, 1.0]
    """
    low, high = bounds
    alpha = 1 - checked_level(level)
    if not np.size(values):
        return low, high
    x = _checked_values(values, low, high)
    bets = _bets(x, alpha)
    threshold = np.log(1 / alpha) - np.log(0.5)

    def excluded(mean: float) -> bool:
        up = np.cumsum(np.log1p(np.minimum(bets, _TRUNCATION / mean) * (x - mean)))
        down = np.cumsum(np.log1p(-np.minimum(bets, _TRUNCATION / (1 - mean)) * (x - mean)))
        return bool(max(up.max(), down.max()) >= threshold)

    center = float(np.clip(x.mean(), 1e-4, 1 - 1e-4))
    ends = []
    for end, limit in ((1e-4, 0.0), (1 - 1e-4, 1.0)):
        outside, inside = end, center
        if not excluded(outside):
            ends.append(limit)
            continue
        for _ in range(_BISECTIONS):
            middle = (outside + inside) / 2
            if excluded(middle):
                outside = middle
            else:
                inside = middle
        ends.append(inside)
    return low + (high - low) * ends[0], low + (high - low) * ends[1]


def _bets(x: Floats, alpha: float) -> Floats:
    """The bet on every value, from those before it."""
    t = np.arange(1, x.size + 1)
    centers = (0.5 + np.cumsum(x)) / (t + 1)
    spread = (0.25 + np.cumsum((x - centers) ** 2)) / (t + 1)
    variance = np.concatenate([[0.25], spread[:-1]])
    return np.sqrt(2 * np.log(2 / alpha) / (t * np.log(1 + t) * variance))


def betting_log_capital(values: ArrayLike, mean: ArrayLike, *, alpha: float = 0.05) -> Floats:
    """Return the log capital of bets against given means after every value.

    Under the true mean the capital ever exceeds 1 / alpha with probability at most alpha.

    Parameters
    ----------
    values : array-like of float, shape (n,)
        Values in [0, 1].
    mean : array-like of float, shape (m,)
        Candidate means in [0, 1].
    alpha : float
        Error probability for which the bets are tuned.

    Returns
    -------
    array, shape (n, m)
        Logarithm of the larger half of the hedged capital.

    Examples
    --------
    >>> betting_log_capital([1, 1, 1], [0.5]).round(3).ravel()
    array([-0.288,  0.118,  0.523])
    """
    x = _checked_values(values, 0.0, 1.0)
    m = np.atleast_1d(np.asarray(mean, float))
    out = np.empty((x.size, m.size))
    for t, capital in enumerate(_capitals(x, m, alpha)):
        out[t] = capital
    return out


def _capitals(x: Floats, m: Floats, alpha: float):
    """Log capital against each mean, after each value in turn."""
    up, down = np.zeros(m.size), np.zeros(m.size)
    with np.errstate(divide="ignore"):
        most_up, most_down = _TRUNCATION / m, _TRUNCATION / (1 - m)
    for value, bet in zip(x, _bets(x, alpha), strict=True):
        up += np.log1p(np.minimum(bet, most_up) * (value - m))
        down += np.log1p(-np.minimum(bet, most_down) * (value - m))
        yield np.maximum(up, down) + np.log(0.5)


def _betting_bounds(x: Floats, alpha: float) -> tuple[Floats, Floats]:
    threshold = np.log(1 / alpha)
    inner = np.linspace(1e-4, 1 - 1e-4, _GRID)
    lower_cell, upper_cell = np.empty(x.size, int), np.empty(x.size, int)
    for t, capital in enumerate(_capitals(x, inner, alpha)):
        inside = np.flatnonzero(capital < threshold)
        # If the interval is shorter than a cell, no grid point is inside: the search starts at the
        # mean.
        around = int(np.searchsorted(inner, x[: t + 1].mean()))
        lower_cell[t] = inside[0] if inside.size else min(max(around, 0), _GRID - 1)
        upper_cell[t] = inside[-1] if inside.size else min(max(around - 1, 0), _GRID - 1)

    def ends(excluded: Floats, inside: Floats) -> Floats:
        for _ in range(_BISECTIONS):
            middle = (excluded + inside) / 2
            out = _capital_each(x, middle, alpha) >= threshold
            excluded, inside = np.where(out, middle, excluded), np.where(out, inside, middle)
        return inside

    lower = ends(inner[np.maximum(lower_cell - 1, 0)], inner[lower_cell])
    upper = ends(inner[np.minimum(upper_cell + 1, _GRID - 1)], inner[upper_cell])
    lower[lower_cell == 0] = 0.0
    upper[upper_cell == _GRID - 1] = 1.0
    return lower, upper


def _capital_each(x: Floats, m: Floats, alpha: float) -> Floats:
    """Log capital after value t against the mean m[t], for every t."""
    return np.array([capital[t] for t, capital in enumerate(_capitals(x, m, alpha))])


def _mixture_bounds(x: Floats, alpha: float, prior: tuple[float, float]) -> tuple[Floats, Floats]:
    a, b = prior
    right = np.cumsum(x)
    wrong = np.arange(1, x.size + 1) - right
    log_mixture = special.betaln(a + right, b + wrong) - special.betaln(a, b)

    def excluded(p: Floats) -> NDArray[np.bool_]:
        ratio = log_mixture - special.xlogy(right, p) - special.xlog1py(wrong, -p)
        return ratio >= np.log(1 / alpha)

    def end(outside: Floats) -> Floats:
        inside = right / (right + wrong)
        for _ in range(60):
            middle = (outside + inside) / 2
            out = excluded(middle)
            outside, inside = np.where(out, middle, outside), np.where(out, inside, middle)
        return inside

    lower = np.where(right == 0, 0.0, end(np.zeros(x.size)))
    upper = np.where(wrong == 0, 1.0, end(np.ones(x.size)))
    return lower, upper


def mcnemar_log_e(
    b: ArrayLike,
    c: ArrayLike,
    *,
    prior: float = 1.0,
    alternative: Literal["two-sided", "greater"] = "two-sided",
) -> Floats:
    """Return the log e-value against the hypothesis that both examinees are equally able, from
    discordant pairs.

    It is an e-process in the order of the items, which may be examined after every item. If the
    examinees are equal, it reaches 1 / alpha with probability at most alpha. Items that both solve
    or both miss do not change it.

    Parameters
    ----------
    b, c : array-like of int
        Items so far that only the first and only the second examinee solved.
    prior : float
        Both parameters of the Beta mixture over P(only first | discordant).
    alternative : {"two-sided", "greater"}
        "greater" mixes uniformly over probabilities above one half.

    Returns
    -------
    array of float
        Natural logarithm of the e-values, shape of `b` and `c`.

    Examples
    --------
    >>> float(mcnemar_log_e(10, 1).round(3))
    2.742

    References
    ----------
    Mixture over a Beta distribution: Robbins (1970); e-processes: Ramdas et al. (2023).
    """
    b, c = np.asarray(b, float), np.asarray(c, float)
    if alternative == "greater":
        if prior != 1.0:
            raise ParameterError(
                "the alternative 'greater' always uses a uniform mixture; leave prior at 1"
            )
        upper_half = special.betainc(1 + c, 1 + b, 0.5)
        return (b + c) * np.log(2) + special.betaln(1 + b, 1 + c) + np.log(2 * upper_half)
    if alternative != "two-sided":
        raise ParameterError(f"alternative must be 'two-sided' or 'greater', not {alternative!r}")
    mixture = special.betaln(prior + b, prior + c) - special.betaln(prior, prior)
    return (b + c) * np.log(2) + mixture


def anytime_p(log_e: ArrayLike) -> Floats:
    """Return anytime-valid p values: 1 / the largest e-value so far, at most 1.

    Parameters
    ----------
    log_e : array-like of float, shape (n,)
        Log e-values in the order of time.

    Returns
    -------
    array of float, shape (n,)
        P-value after each value.

    Examples
    --------
    >>> anytime_p([-1.0, 3.0, 2.0]).round(4)
    array([1.    , 0.0498, 0.0498])
    """
    best = np.maximum.accumulate(np.asarray(log_e, float))
    return np.exp(np.minimum(0.0, -best))


@dataclass(frozen=True)
class SequentialComparison:
    """State of a sequential comparison of two examinees after the items so far.

    Parameters
    ----------
    decision : {"first", "second", "undecided"}
        Better examinee, at error probability 1 - level over all looks together.
    n : int
        Number of items that both answered.
    decided_at : int or None
        Number of the item at which the decision was made.
    estimate, ci_lower, ci_upper : float
        Difference of proportions, first minus second, with the interval of the confidence sequence.
    e_value, p : float
        E-value and p of the e-process, at the last item; `p` holds at all looks.
    level : float
        Confidence level of interval and decision.
    path : DataFrame
        A row per item: `estimate`, `ci_lower`, `ci_upper`, `log_e`, `p`.
    """

    decision: Literal["first", "second", "undecided"]
    n: int
    decided_at: int | None
    estimate: float
    ci_lower: float
    ci_upper: float
    e_value: float
    p: float
    level: float
    path: pd.DataFrame


def compare_sequentially(
    first: ArrayLike, second: ArrayLike, *, level: float = 0.95, graded: bool = False
) -> SequentialComparison:
    """Test sequentially whether two examinees differ on the same items, with a valid test after
    every item.

    Parameters
    ----------
    first, second : array-like of {0, 1}, shape (n,)
        Scores of the same items in the same (random) order.
    level : float
        One minus the probability of ever calling equal examinees different.
    graded : bool
        True if scores may lie anywhere from 0 to 1. The e-process is then the capital of bets
        against a mean difference of 0, not McNemar's.

    Returns
    -------
    SequentialComparison
        Interval, p-value and decision after all answers so far.

    Raises
    ------
    ParameterError
        For arrays of different length, empty ones, or values other than 0 and 1 (or outside of
        0 to 1 if `graded`).

    Examples
    --------
    >>> verdict = compare_sequentially([1] * 40, [0, 1] * 20)
    >>> verdict.decision, verdict.decided_at
    ('first', 15)
    """
    x, y = np.asarray(first, float), np.asarray(second, float)
    if x.shape != y.shape or x.ndim != 1 or not x.size:
        raise ParameterError(
            f"both examinees need scores of the same items, got {x.size} and {y.size}"
        )
    path = confidence_sequence(x - y, level=level, bounds=(-1.0, 1.0))
    if graded:
        _checked_values(np.concatenate([x, y]), 0.0, 1.0)
        path["log_e"] = betting_log_capital((x - y + 1) / 2, [0.5], alpha=1 - level)[:, 0]
    elif np.isin(x, (0, 1)).all() and np.isin(y, (0, 1)).all():
        path["log_e"] = mcnemar_log_e(np.cumsum(x > y), np.cumsum(y > x))
    else:
        raise ParameterError(
            "a sequential McNemar test needs scores of 0 and 1; set graded to True for other scores"
        )
    path["p"] = anytime_p(path["log_e"].to_numpy())
    sure = np.flatnonzero(path["p"].to_numpy() <= 1 - level + 1e-15)
    decided = int(sure[0]) if sure.size else None
    decision = "undecided"
    if decided is not None:
        decision = "first" if path["estimate"].iloc[decided] > 0 else "second"
    last = path.iloc[-1]
    return SequentialComparison(
        decision,
        x.size,
        None if decided is None else decided + 1,
        float(last["estimate"]),
        float(last["ci_lower"]),
        float(last["ci_upper"]),
        float(np.exp(min(last["log_e"], 700.0))),
        float(last["p"]),
        level,
        path,
    )


def _checked_values(values: ArrayLike, low: float, high: float) -> Floats:
    x = np.asarray(values, float).ravel()
    if not x.size or not np.isfinite(x).all():
        raise ParameterError("a confidence sequence needs one value or more, none of them missing")
    if x.min() < low or x.max() > high:
        raise ParameterError(
            f"values lie between {x.min():g} and {x.max():g}, outside the bounds {low:g} to "
            f"{high:g}; give the bounds of the score"
        )
    return (x - low) / (high - low)
