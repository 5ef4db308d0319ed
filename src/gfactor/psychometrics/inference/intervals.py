"""Uncertainty of an accuracy: intervals for one proportion, and for means over groups of items.

One cell (one examinee, one domain) is a proportion of independent answers: `wilson` or `jeffreys`.
A mean over several domains is not: answers to items of the same domain are related. Its interval
therefore comes from the spread between the domains: `cluster_t`, or `cluster_bootstrap` if the t
distribution is in doubt. Two examinees who answered the same items are compared on those items:
`paired_bootstrap`.

References
----------
Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal
    of the American Statistical Association 22, 209-212.
Brown, L. D., Cai, T. T., DasGupta, A. (2001). Interval estimation for a binomial proportion.
    Statistical Science 16, 101-133.
Cameron, A. C., Miller, D. L. (2015). A practitioner's guide to cluster-robust inference. Journal of
    Human Resources 50, 317-372.
Field, C. A., Welsh, A. H. (2007). Bootstrapping clustered data. Journal of the Royal Statistical
    Society B 69, 369-390.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from gfactor.errors import ParameterError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A mean with its interval.

    Parameters
    ----------
    mean, low, high : float
        The estimate and the ends of its interval; NaN if they do not exist.
    se : float
        Its standard error.
    n : int
        Number of observations.
    clusters : int
        Number of groups among which the observations are not independent.

    Examples
    --------
    >>> from gfactor.psychometrics import cluster_t
    >>> cluster_t([1, 0, 1, 1], ["a", "a", "b", "b"]).n
    4
    """

    mean: float
    low: float
    high: float
    se: float
    n: int
    clusters: int


def wilson(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return Wilson's score interval for `k` right of `n`: (low, high), each of the broadcast
    shape.

    It keeps its coverage near 0 and 1 and for small n, where the coverage of the normal (Wald)
    interval is far below its level (Brown, Cai and DasGupta 2001). NaN if n is 0.

    Parameters
    ----------
    k : ArrayLike
        Right answers.
    n : ArrayLike
        Answers.
    level : float
        Confidence level of the interval, 0 to 1.

    Returns
    -------
    tuple[array of float, array of float]
        Lower and upper ends, each of the broadcast shape; NaN if n is 0.

    Raises
    ------
    ParameterError
        For k outside 0..n or a level outside (0, 1).

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
    Journal of the American Statistical Association 22, 209-212.

    Examples
    --------
    >>> from gfactor.psychometrics import wilson
    >>> low, high = wilson(9, 10)
    >>> round(float(low), 3), round(float(high), 3)
    (0.596, 0.982)
    """
    right, trials = _counts(k, n)
    z = float(special.ndtri(0.5 + checked_level(level) / 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        p = right / trials
        center = (p + z**2 / (2 * trials)) / (1 + z**2 / trials)
        half = z / (1 + z**2 / trials) * np.sqrt(p * (1 - p) / trials + z**2 / (4 * trials**2))
    # If p is 0 or 1, the end is exactly 0 or 1; rounding must not push it beyond.
    low = np.where(right == 0, 0.0, np.clip(center - half, 0, 1))
    high = np.where(right == trials, 1.0, np.clip(center + half, 0, 1))
    empty = trials == 0
    return np.where(empty, np.nan, low), np.where(empty, np.nan, high)


def jeffreys(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return Jeffreys' equal-tailed interval (prior Beta(1/2, 1/2)): (low, high), broadcast.

    The lower end is 0 if k is 0 and the upper end 1 if k is n (Brown, Cai and DasGupta 2001,
    section 4.1). NaN if n is 0. Raises like `wilson`.

    Parameters
    ----------
    k : ArrayLike
        Right answers.
    n : ArrayLike
        Answers.
    level : float
        Confidence level of the interval, 0 to 1.

    Returns
    -------
    tuple[array of float, array of float]
        Lower and upper ends, each of the broadcast shape; NaN if n is 0.

    Raises
    ------
    ParameterError
        For k outside 0..n or a level outside (0, 1).

    References
    ----------
    Brown, L. D., Cai, T. T., DasGupta, A. (2001). Interval estimation for a binomial
    proportion. Statistical Science 16, 101-133.

    Examples
    --------
    >>> from gfactor.psychometrics import jeffreys
    >>> low, high = jeffreys(9, 10)
    >>> round(float(low), 3), round(float(high), 3)
    (0.619, 0.989)
    """
    right, trials = _counts(k, n)
    tail = (1 - checked_level(level)) / 2
    low = special.betaincinv(right + 0.5, trials - right + 0.5, tail)
    high = special.betaincinv(right + 0.5, trials - right + 0.5, 1 - tail)
    empty = trials == 0
    low = np.where(right == 0, 0.0, low)
    high = np.where(right == trials, 1.0, high)
    return np.where(empty, np.nan, low), np.where(empty, np.nan, high)


def cluster_t(values: ArrayLike, clusters: ArrayLike, level: float = 0.95) -> Estimate:
    """Return the mean of `values` with a cluster-robust t interval (Cameron and Miller 2015, II.B).

    The variance is the sum over clusters of squared summed residuals, over n squared, times G / (G
    - 1) for G clusters; t has G - 1 degrees of freedom. Both arguments have one entry per
    observation; NaN values are left out. With fewer than two clusters the interval is NaN. The
    interval is not cut at 0 and 1, and its width is zero if all clusters agree (all answers right);
    use `wilson` in this case.

    Parameters
    ----------
    values : ArrayLike
        One entry per observation; NaN is left out.
    clusters : ArrayLike
        The label of every observation.
    level : float
        Confidence level of the interval, 0 to 1.

    Returns
    -------
    Estimate
        Mean, interval, standard error, n and number of clusters.

    Raises
    ------
    ParameterError
        If lengths differ, or the level is not between 0 and 1.

    References
    ----------
    Cameron, A. C., Miller, D. L. (2015). A practitioner's guide to cluster-robust inference.
    Journal of Human Resources 50, 317-372.

    Examples
    --------
    >>> from gfactor.psychometrics import cluster_t
    >>> interval = cluster_t([1, 1, 0, 0, 1, 0], ["a", "a", "b", "b", "c", "c"])
    >>> interval.n, interval.clusters
    (6, 3)
    """
    observed, codes, count = _clustered(values, clusters)
    n = observed.size
    if n == 0:
        return Estimate(np.nan, np.nan, np.nan, np.nan, 0, 0)
    mean = float(observed.mean())
    if count < 2:
        return Estimate(mean, np.nan, np.nan, np.nan, n, count)
    sums = np.bincount(codes, observed - mean, count)
    se = float(np.sqrt(count / (count - 1) * np.sum(sums**2)) / n)
    half = se * float(special.stdtrit(count - 1, 0.5 + checked_level(level) / 2))
    return Estimate(mean, mean - half, mean + half, se, n, count)


def cluster_t_counts(k: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return `cluster_t` of many proportions at once, from counts: (low, high), each one entry per
    cell.

    `k` right of `n` are cells x clusters; a cluster with n = 0 does not belong to the cell. NaN
    where a cell has fewer than two clusters. Raises like `wilson`.

    Parameters
    ----------
    k : ArrayLike
        Right answers, cells x clusters.
    n : ArrayLike
        Answers, of the same shape; 0 if a cluster does not belong to the cell.
    level : float
        Confidence level of the interval, 0 to 1.

    Returns
    -------
    tuple[array of float, array of float]
        Lower and upper ends, one entry per cell.

    Raises
    ------
    ParameterError
        As `wilson` does.

    Examples
    --------
    >>> from gfactor.psychometrics import cluster_t_counts
    >>> low, high = cluster_t_counts([[8, 6, 9]], [[10, 10, 10]])
    >>> bool(low[0] < 23 / 30 < high[0])
    True
    """
    right, trials = _counts(k, n)
    total, count = trials.sum(axis=-1), (trials > 0).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = right.sum(axis=-1) / total
        sums = ((right - trials * mean[..., None]) ** 2).sum(axis=-1)
        se = np.sqrt(count / (count - 1) * sums) / total
        half = se * special.stdtrit(np.maximum(count - 1, 1), 0.5 + checked_level(level) / 2)
    single = count < 2
    return np.where(single, np.nan, mean - half), np.where(single, np.nan, mean + half)


def cluster_bootstrap(
    values: ArrayLike,
    clusters: ArrayLike,
    level: float = 0.95,
    n_bootstrap: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Return the mean of `values` with a percentile interval from resampling whole clusters.

    By default (`n_bootstrap`) the ends move by less than a tenth of the interval's width between
    seeds. NaN values are left out; with fewer than two clusters the interval is NaN (Field and
    Welsh 2007: about ten clusters are needed for nominal coverage).

    Parameters
    ----------
    values : ArrayLike
        One entry per observation; NaN is left out.
    clusters : ArrayLike
        The label of every observation.
    level : float
        Confidence level of the interval, 0 to 1.
    n_bootstrap : int
        Number of resamples of clusters.
    seed : int
        Seed of the bootstrap samples.

    Returns
    -------
    Estimate
        Mean, interval, standard error, n and number of clusters.

    Raises
    ------
    ParameterError
        If lengths differ, or the level is not between 0 and 1.

    Examples
    --------
    >>> from gfactor.psychometrics import cluster_bootstrap
    >>> interval = cluster_bootstrap([1, 1, 0, 0, 1, 0], ["a", "a", "b", "b", "c", "c"])
    >>> interval.n, interval.clusters
    (6, 3)
    """
    observed, codes, count = _clustered(values, clusters)
    if count < 2:
        mean = float(observed.mean()) if observed.size else np.nan
        return Estimate(mean, np.nan, np.nan, np.nan, observed.size, count)
    sums = np.bincount(codes, observed, count)
    sizes = np.bincount(codes, minlength=count)
    times = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), n_bootstrap)
    means = (times @ sums) / (times @ sizes)
    tail = (1 - checked_level(level)) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    se = float(means.std(ddof=1))
    return Estimate(float(observed.mean()), float(low), float(high), se, observed.size, count)


def paired_bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
    n_bootstrap: int = 2000,
    seed: int = 0,
) -> Estimate:
    """Return the mean difference `first` - `second` on the same items, with a percentile interval.

    The entries of both belong to the same items in the same order; a pair with a NaN is left out.
    Items are resampled, or whole `clusters` of them (one entry per item) if given. Raises
    ParameterError if the lengths differ.

    Parameters
    ----------
    first : ArrayLike
        Scores by item; NaN is a missing answer.
    second : ArrayLike
        Values of the same items, in the same order.
    clusters : ArrayLike, optional
        The label of every item; None if items are independent.
    level : float
        Confidence level of the interval, 0 to 1.
    n_bootstrap : int
        Number of resamples of items or clusters.
    seed : int
        Seed of the bootstrap samples.

    Returns
    -------
    Estimate
        Mean difference, interval, standard error, n.

    Examples
    --------
    >>> from gfactor.psychometrics import paired_bootstrap
    >>> paired_bootstrap([1, 1, 0, 1], [0, 1, 0, float("nan")]).n
    3
    """
    a, b = np.asarray(first, float), np.asarray(second, float)
    if a.shape != b.shape or a.ndim != 1:
        raise ParameterError(
            f"a paired comparison needs two lists of the same items, got {a.shape} and {b.shape}; "
            "align them by item first"
        )
    groups = np.arange(a.size) if clusters is None else clusters
    return cluster_bootstrap(a - b, groups, level, n_bootstrap, seed)


def _counts(k: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats]:
    right, trials = np.broadcast_arrays(np.asarray(k, float), np.asarray(n, float))
    if np.any((right < 0) | (right > trials)):
        raise ParameterError("a count of right answers must lie between 0 and the number asked")
    return right, trials


def _clustered(values: ArrayLike, clusters: ArrayLike) -> tuple[Floats, NDArray[np.intp], int]:
    """Values without NaN, the cluster of each as a code, and the number of clusters."""
    x, groups = np.asarray(values, float), np.asarray(clusters)
    if x.ndim != 1 or x.shape != groups.shape:
        raise ParameterError(
            f"values and clusters need one entry per observation, got {x.shape} and {groups.shape}"
        )
    observed = ~np.isnan(x)
    names, codes = np.unique(groups[observed], return_inverse=True)
    return x[observed], codes, names.size


def checked_level(level: float) -> float:
    """Return the confidence level; raise ParameterError if it does not lie between 0 and 1.

    Parameters
    ----------
    level : float
        Confidence level of an interval or a test.

    Returns
    -------
    float
        The same.

    Raises
    ------
    ParameterError
        For 0, 1 and values outside.

    Examples
    --------
    >>> checked_level(0.95)
    0.95
    """
    if not 0 < level < 1:
        raise ParameterError(f"a confidence level must lie between 0 and 1, not {level}")
    return level
