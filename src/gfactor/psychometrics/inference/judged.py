"""Scores that a judge marked, corrected by the people who marked a part of the same answers.

The mean of the judge's marks of all answers is corrected by the mean difference between people and
judge on answers that both marked (prediction-powered inference). The weight of the judge's marks is
chosen so that the interval is as narrow as these data allow; a judge whose marks do not predict
people's gets weight 0.

References
----------
Angelopoulos, A. N., Bates, S., Fannjiang, C., Jordan, M. I., Zrnic, T. (2023). Prediction-powered
    inference. Science 382, 669-674.
Angelopoulos, A. N., Duchi, J. C., Zrnic, T. (2023). PPI++: efficient prediction-powered inference.
    arXiv:2311.01453.
Franco, C., Little, R. J. A., Louis, T. A., Slud, E. V. (2019). Comparative study of confidence
    intervals for proportions in complex sample surveys. Journal of Survey Statistics and
    Methodology 7, 334-364.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.intervals import checked_level, wilson

Floats = NDArray[np.float64]

MIN_MARKS = 20
"""Smallest number of a model's answers that people have to mark."""
_DISAGREEING = 0.25
"""Weight of an artificial disagreement in each direction, added for variances alone.

If people and judge agree on all the answers that both marked, their disagreement has a variance of
0 in the data but not in truth.
"""


@dataclass(frozen=True)
class Corrected:
    """A score corrected by people's marks.

    Parameters
    ----------
    n, marked : int
        Numbers of answers that the judge marked, and those that people marked as well.
    estimate, ci_lower, ci_upper : float
        The corrected score; NaN with fewer than 20 marks of people.
    judge : float
        The score by the judge's marks alone.
    people, people_lower, people_upper : float
        The score by people's marks alone.
    weight : float
        Weight of the judge's marks, 0 (not used) to 1.
    sensitivity, specificity : tuple of float
        Share of right answers that the judge marks right, and of wrong ones that it marks wrong,
        each with its interval. An answer counts as right if its mark is above one half.
    bias : tuple of float
        Mean of the judge's marks less people's, with its interval.
    """

    n: int
    marked: int
    estimate: float
    ci_lower: float
    ci_upper: float
    judge: float
    people: float
    people_lower: float
    people_upper: float
    weight: float
    sensitivity: tuple[float, float, float]
    specificity: tuple[float, float, float]
    bias: tuple[float, float, float]


def corrected_score(
    judge: ArrayLike, people: ArrayLike, *, these_items: bool = False, level: float = 0.95
) -> Corrected:
    """Estimate the mean mark that people would give, from a judge's marks of all answers and
    people's marks of some.

    Parameters
    ----------
    judge : array (answers,)
        The judge's marks, 0 to 1.
    people : array (answers,)
        People's marks of the same answers; NaN for answers that people did not mark. Which ones
        they marked must have been drawn at random.
    these_items : bool
        True if the interval is about exactly these answers; False if they are a sample.
    level : float
        Confidence level of the intervals (default .95).

    Returns
    -------
    Corrected
        The corrected mean with its interval, and the judge's errors.

    Raises
    ------
    ParameterError
        If marks lie outside 0 to 1 or a mark of the judge is missing.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> right = (rng.random(400) < 0.6) * 1.0
    >>> judge = np.where(rng.random(400) < 0.85, right, 1 - right)
    >>> people = np.where(np.arange(400) < 100, right, np.nan)
    >>> found = corrected_score(judge, people)
    >>> bool(found.ci_upper - found.ci_lower < found.people_upper - found.people_lower)
    True
    """
    checked_level(level)
    marks, truth = np.asarray(judge, float), np.asarray(people, float)
    if marks.shape != truth.shape or marks.ndim != 1:
        raise ParameterError(
            "the lists of the judge's and of people's marks must have the same length"
        )
    if np.isnan(marks).any():
        raise ParameterError("the judge's mark of an answer is missing; leave out such answers")
    for who, given in (("the judge", marks), ("people", truth[~np.isnan(truth)])):
        if ((given < 0) | (given > 1)).any():
            raise ParameterError(f"a mark of {who} lies outside 0 to 1")
    both = ~np.isnan(truth)
    y, f, rest = truth[both], marks[both], marks[~both]
    alone = _score_interval(_mean(y), _variance(y), len(y), level)
    few = len(y) < MIN_MARKS
    estimate, low, high, weight = (np.nan,) * 4 if few else _powered(y, f, rest, these_items, level)
    right = y > 0.5
    return Corrected(
        n=len(marks), marked=len(y),
        estimate=estimate, ci_lower=low, ci_upper=high,
        judge=_mean(marks), people=_mean(y), people_lower=alone[0], people_upper=alone[1],
        weight=weight,
        sensitivity=_share(f[right] > 0.5, level), specificity=_share(f[~right] <= 0.5, level),
        bias=mean_difference(f - y, level),
    )  # fmt: skip


def mean_difference(differences: Floats, level: float) -> tuple[float, float, float]:
    """Return a mean with its t interval; NaN if there are fewer than two differences."""
    n = len(differences)
    if n < 2:
        return (_mean(differences), np.nan, np.nan)
    mean, sd = float(differences.mean()), float(differences.std(ddof=1))
    half = float(stats.t.ppf(0.5 + level / 2, n - 1)) * sd / np.sqrt(n)
    return mean, mean - half, mean + half


def _powered(
    y: Floats, f: Floats, rest: Floats, these_items: bool, level: float
) -> tuple[float, float, float, float]:
    """Return estimate, interval and weight of the judge's marks (PPI++)."""
    n, others = len(y), len(rest)
    if not others:
        low, high = _score_interval(_mean(y), 0.0 if these_items else _variance(y), n, level)
        return _mean(y), low, high, 0.0
    var_y, var_f, both = _moments(y, f)
    weight = both / var_f if var_f > 0 else 0.0
    if not these_items:
        weight /= 1 + n / others
    weight = float(np.clip(weight, 0, 1))
    spread = (var_y - 2 * weight * both + weight**2 * var_f) * n / (n - 2)
    if these_items:
        whole = np.concatenate([f, rest])
        estimate = _mean(y) + weight * (_mean(whole) - _mean(f))
        variance = (1 - n / (n + others)) * spread / n
    else:
        estimate = _mean(y) + weight * (_mean(rest) - _mean(f))
        variance = spread / n + weight**2 * float(rest.var()) / others
    estimate = float(np.clip(estimate, 0, 1))
    low, high = _score_interval(estimate, variance * n, n, level)
    return estimate, low, high, weight


def _moments(y: Floats, f: Floats) -> tuple[float, float, float]:
    """Return variances and covariance, with a little disagreement in both directions added."""
    y, f = np.append(y, [1.0, 0.0]), np.append(f, [0.0, 1.0])
    weights = np.append(np.ones(len(y) - 2), [_DISAGREEING, _DISAGREEING])
    matrix = np.cov(y, f, aweights=weights, ddof=0)
    return float(matrix[0, 0]), float(matrix[1, 1]), float(matrix[0, 1])


def _score_interval(mean: float, variance: float, n: int, level: float) -> tuple[float, float]:
    """Return Wilson's interval with the number of answers that gives this variance of the mean.
    `variance` is that of one of `n` answers; the quantile is that of t with n - 2 degrees of
    freedom.
    """
    if n < 3 or not np.isfinite(mean):
        return np.nan, np.nan
    if variance <= 0 and 0 < mean < 1:
        return mean, mean
    binomial = mean * (1 - mean)
    size = n if binomial <= 0 or variance <= 0 else n * binomial / variance
    t = float(stats.t.ppf(0.5 + level / 2, n - 2))
    center = (mean + t * t / (2 * size)) / (1 + t * t / size)
    half = t / (1 + t * t / size) * np.sqrt(binomial / size + t * t / (4 * size * size))
    return float(max(center - half, 0.0)), float(min(center + half, 1.0))


def _share(hits: NDArray[np.bool_], level: float) -> tuple[float, float, float]:
    if not len(hits):
        return np.nan, np.nan, np.nan
    low, high = wilson(hits.sum(), len(hits), level)
    return float(hits.mean()), float(low), float(high)


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else np.nan


def _variance(values: Floats) -> float:
    return float(values.var(ddof=1)) if len(values) > 1 else np.nan
