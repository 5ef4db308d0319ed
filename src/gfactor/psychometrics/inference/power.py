"""Power and sample size: how many items, examinees or answers a question needs.

References
----------
Connor, R. J. (1987). Sample size for testing differences in proportions for the paired-sample
    design. Biometrics 43, 207-211.
MacCallum, R. C., Browne, M. W., Sugawara, H. M. (1996). Power analysis and determination of sample
    size for covariance structure modeling. Psychological Methods 1, 130-149.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.paired import mcnemar_p

_MOST = 10_000_000
"""Largest sample size that is tried."""
_NEGLIGIBLE = 1e-18
"""Probability below which a number of discordant pairs is left out of a sum."""

McNemarTest = Literal["exact", "mid_p", "asymptotic"]


def design_effect(cluster_size: float, icc: float) -> float:
    """Return the factor by which a clustered sample needs more items than an independent one.

    Parameters
    ----------
    cluster_size : float
        Mean number of items per cluster (template, scene).
    icc : float
        Intraclass correlation of the averaged values, in [0, 1].

    Returns
    -------
    float
        1 + (cluster_size - 1) * icc.

    Examples
    --------
    >>> design_effect(5, 0.2)
    1.8
    """
    if cluster_size < 1 or not 0 <= icc <= 1:
        raise ParameterError(
            f"cluster_size must be 1 or more and icc from 0 to 1, got {cluster_size} and {icc}"
        )
    return 1 + (cluster_size - 1) * icc


def mcnemar_power(
    n: int, p10: float, p01: float, *, alpha: float = 0.05, test: McNemarTest = "exact"
) -> float:
    """Return the power of McNemar's test on `n` items.

    Parameters
    ----------
    n : int
        Number of items.
    p10, p01 : float
        Probability that only the first, and only the second, examinee solves an item.
    alpha : float
        Two-sided level.
    test : {"exact", "mid_p", "asymptotic"}
        Kind of p that is compared with alpha.

    Returns
    -------
    float
        Unconditional power, averaged over the possible numbers of discordant items.

    Examples
    --------
    >>> round(mcnemar_power(100, 0.15, 0.05), 4)
    0.5444
    """
    if min(p10, p01) < 0 or not 0 < p10 + p01 <= 1:
        raise ParameterError(
            f"p10 and p01 must be shares of items from 0 to 1 with a sum of at most 1, not {p10} "
            f"and {p01}"
        )
    pairs = p10 + p01
    return _average_power(n, pairs, _power_by_discordant(n, p10 / pairs, alpha, test))


def mcnemar_n(
    p10: float,
    p01: float,
    *,
    power: float = 0.8,
    alpha: float = 0.05,
    test: McNemarTest = "exact",
) -> int:
    """Return the smallest number of items from which on McNemar's test reaches a power.

    The exact power is not monotone in n. From the returned number on, the power stays at `power` or
    above, checked up to 1.25 times the normal approximation plus 20.

    The parameters are those of `mcnemar_power`, and `power`, the power wanted.

    Returns
    -------
    int
        Smallest number of items with this power.

    Examples
    --------
    >>> mcnemar_n(0.2, 0.1), mcnemar_n(0.2, 0.1, test="mid_p")
    (249, 230)
    """
    if p10 == p01:
        raise ParameterError("p10 and p01 are equal: there is no difference to detect")
    about = connor_n(p10, p01, power=power, alpha=alpha)
    highest = max(20, math.ceil(1.25 * about) + 20)
    pairs = p10 + p01
    by_discordant = _power_by_discordant(highest, p10 / pairs, alpha, test)
    n = highest
    while n > 1 and _average_power(n - 1, pairs, by_discordant) >= power:
        n -= 1
    return n


def connor_n(p10: float, p01: float, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """Return the normal approximation to `mcnemar_n` by Connor, not rounded.

    The parameters are those of `mcnemar_n` without `test`.

    Examples
    --------
    >>> round(connor_n(0.2, 0.1), 3)
    233.095
    """
    pairs, delta = p10 + p01, p10 - p01
    alpha_z, power_z = -special.ndtri(alpha / 2), special.ndtri(power)
    return float((alpha_z * math.sqrt(pairs) + power_z * math.sqrt(pairs - delta**2)) ** 2) / (
        delta**2
    )


def rmsea_power(
    df: float, n: float, *, null: float = 0.05, alternative: float = 0.08, alpha: float = 0.05
) -> float:
    """Return the power of a test of fit by RMSEA.

    Parameters
    ----------
    df : float
        Degrees of freedom of the model.
    n : float
        Persons.
    null, alternative : float
        RMSEA under both hypotheses. (.05, .08) tests close fit, (.05, .01) not-close fit, (0, .05)
        exact fit.
    alpha : float
        Level.

    Returns
    -------
    float
        Power from 0 to 1.

    Examples
    --------
    >>> round(rmsea_power(50, 200), 3)
    0.769

    References
    ----------
    MacCallum, Browne and Sugawara (1996), equations 7 to 9; noncentrality (n - 1) df RMSEA^2.
    """
    if df <= 0 or n <= 1 or null == alternative:
        raise ParameterError(
            "power by RMSEA needs df above 0, n above 1 and two different values of RMSEA; got df "
            f"{df}, n {n}, "
            f"{null} and {alternative}"
        )
    under_null, under_alternative = ((n - 1) * df * value**2 for value in (null, alternative))
    if alternative > null:
        critical = _chi2_quantile(1 - alpha, df, under_null)
        return 1 - _chi2_probability(critical, df, under_alternative)
    return _chi2_probability(_chi2_quantile(alpha, df, under_null), df, under_alternative)


def smallest_n(holds: Callable[[int], bool], lowest: int, aim: str) -> int:
    """Return the smallest n from `lowest` on at which a monotone condition holds."""
    if holds(lowest):
        return lowest
    high = lowest
    while not holds(high):
        high *= 2
        if high > _MOST:
            raise ParameterError(f"{aim} is not reached even with n = {_MOST:,}")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _log_binomial(k, n, p: float):
    combinations = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return combinations + special.xlogy(k, p) + special.xlog1py(n - k, -p)


def _average_power(n: int, pairs: float, by_discordant: np.ndarray) -> float:
    """Return the power on n items: the mean over the numbers of discordant items by their
    probability."""
    m = np.arange(1, n + 1)
    weights = np.exp(_log_binomial(m, n, pairs))
    likely = weights >= _NEGLIGIBLE
    return float((weights * by_discordant[:n])[likely].sum())


def _power_by_discordant(most: int, share: float, alpha: float, test: McNemarTest) -> np.ndarray:
    """Return the power given 1, 2 ... `most` discordant items, `share` of them of the first.

    The p value grows with the smaller of the two counts, so that for each number of discordant
    items there is a largest count that rejects; bisection finds it for all numbers at once.
    """
    m = np.arange(1, most + 1)
    rejects, above = np.full(most, -1), m // 2
    while (searching := rejects < above).any():
        middle = (rejects + above + 1) // 2
        rejected = _mcnemar_p(middle, m, test) <= alpha + 1e-12
        rejects[:] = np.where(searching & rejected, middle, rejects)
        above[:] = np.where(searching & ~rejected, middle - 1, above)
    count = np.maximum(rejects, 0)
    tails = special.bdtr(count, m, share) + special.bdtr(count, m, 1 - share)
    return np.where(rejects < 0, 0.0, np.minimum(tails, 1.0))


def _mcnemar_p(b: np.ndarray, m: np.ndarray, test: McNemarTest) -> np.ndarray:
    if test == "asymptotic":
        return special.chdtrc(1, (2 * b - m) ** 2 / m)
    if test not in ("exact", "mid_p"):
        raise ParameterError(f"test must be exact, mid_p or asymptotic, got {test!r}")
    return mcnemar_p(b, m - b, mid=test == "mid_p")


def _chi2_quantile(q: float, df: float, noncentrality: float) -> float:
    if not noncentrality:
        return float(special.chdtri(df, 1 - q))
    return float(special.chndtrix(q, df, noncentrality))


def _chi2_probability(x: float, df: float, noncentrality: float) -> float:
    if not noncentrality:
        return float(special.chdtr(df, x))
    return float(special.chndtr(x, df, noncentrality))
