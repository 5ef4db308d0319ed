"""One list of paired differences: its mean, interval and p, by three methods.

exact: right or wrong on independent items. McNemar's exact p, and Tango's score interval, which
    keeps its coverage for few items and few disagreements, where mean and standard error do not.
t: any scores. The cluster-robust t of `uncertainty.cluster_t`; without clusters the paired t.
bootstrap: any scores. Percentiles of means over resampled clusters; for 20 clusters or more, if the
differences between clusters are too skewed for t.

The exact p never falls below its nominal rate of false alarms and so is conservative for few
disagreements, while the interval aims at its level on average: it may exclude 0 if p is 0.06.

References
----------
McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions or
    percentages. Psychometrika 12, 153-157.
Tango, T. (1998). Equivalence test and confidence interval for the difference in proportions for
    the paired-sample design. Statistics in Medicine 17, 891-908.
Fagerland, M. W., Lydersen, S., Laake, P. (2014). Recommended tests and confidence intervals for
    paired binomial proportions. Statistics in Medicine 33, 2850-2875.
Efron, B., Tibshirani, R. J. (1993). An Introduction to the Bootstrap, chapters 13 and 15.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.claim import Sampling
from gfactor.psychometrics.inference.intervals import checked_level, cluster_t, wilson
from gfactor.psychometrics.inference.resampling import bootstrap_weights

Floats = NDArray[np.float64]
Method = Literal["auto", "exact", "t", "bootstrap"]
METHODS: tuple[Method, ...] = ("auto", "exact", "t", "bootstrap")

ROUNDING = 1e-9
"""Share of the largest score below which a difference or standard error is a rounded zero: scores
are known to fewer digits, and such a small true spread would need 10**9 items."""


@dataclass(frozen=True)
class ComparisonSettings:
    """Settings by which differences are tested.

    Parameters
    ----------
    method: test and interval; "auto" is "exact" for scores of 0 and 1 without clusters, else "t".
    level: confidence level of the interval, in (0, 1).
    draws, seed: number of bootstrap samples, and their seed; 2,000 determine an end to within a
        tenth of the width.

    Raises ParameterError for anything else.
    """

    method: Method = "auto"
    level: float = 0.95
    draws: int = 2000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise ParameterError(f"method must be one of {', '.join(METHODS)}, not {self.method!r}")
        checked_level(self.level)
        if self.draws < 1:
            raise ParameterError(f"a bootstrap needs at least 1 draw, got {self.draws}")


@dataclass(frozen=True)
class Inference:
    """A mean difference with interval, standard error and two-sided p; NaN if unknown."""

    estimate: float
    low: float
    high: float
    se: float
    p: float
    method: str


def subtracted(first: Floats, second: Floats) -> tuple[Floats, float]:
    """Subtract paired scores; return the differences and the size of the largest score.

    A difference that is only rounding error (0.1 + 0.2 - 0.3) becomes 0.
    """
    size = float(max(np.abs(first).max(initial=0.0), np.abs(second).max(initial=0.0)))
    d = first - second
    return np.where(np.abs(d) <= ROUNDING * size, 0.0, d), size


def infer(
    differences: Floats,
    groups: NDArray[np.intp] | None,
    settings: ComparisonSettings,
    *,
    binary: bool,
    size: float = 1.0,
) -> Inference:
    """Test paired differences, one entry per item.

    `groups` names each item's cluster, None for independent items. `binary` is True if all scores
    behind the differences are 0 or 1. `size` is the largest absolute score, the scale of rounding
    errors. Raises ParameterError if "exact" does not apply.

    If the differences do not vary between units (clusters, or items without clusters), a t test has
    no spread to use. The p is then the probability that all units have the same sign by chance, 2
    ** (1 - units), and the interval is Tango's with the units as items. It never has zero width,
    and is never significant with five units or fewer.
    """
    method = settings.method
    if not differences.size:
        return Inference(np.nan, np.nan, np.nan, np.nan, np.nan, "none")
    if method == "auto":
        method = "exact" if binary and groups is None else "t"
    if method == "exact" and (groups is not None or not binary):
        raise ParameterError(
            "the exact method needs scores of 0 and 1 and no clusters; use t or bootstrap"
        )
    d = differences
    units = np.arange(d.size) if groups is None else groups
    by_t = cluster_t(d, units, settings.level)
    if method == "exact":
        b, c = int(np.sum(d > 0)), int(np.sum(d < 0))
        low, high = tango(b, c, d.size, settings.level)
        return Inference(by_t.mean, low, high, by_t.se, mcnemar_exact(b, c), method)
    if by_t.clusters < 2:
        return Inference(by_t.mean, np.nan, np.nan, np.nan, np.nan, method)
    if by_t.se <= ROUNDING * size:
        return _without_spread(d, by_t.clusters, settings.level, method, size)
    if method == "bootstrap":
        return _bootstrap(d, groups, settings, size)
    p = 2 * special.stdtr(by_t.clusters - 1, -abs(by_t.mean) / by_t.se)
    return Inference(by_t.mean, by_t.low, by_t.high, by_t.se, float(p), method)


def infer_claim(
    differences: Floats,
    sampling: Sampling,
    settings: ComparisonSettings,
    *,
    binary: bool,
    size: float = 1.0,
    answer_variance: Floats | None = None,
) -> Inference:
    """Test paired differences, one entry per item, under a claim.

    Independent right or wrong answers in one fixed domain are tested by `exact`. With several
    domains, or units of several items, McNemar's score test and Tango's interval use the stratified
    variance and Satterthwaite's degrees of freedom ("stratified"). Graded scores, and domains that
    are a sample, are tested by t. `size` is the largest absolute score, the scale of rounding
    errors.

    A difference that generalizes to other domains also generalizes to other items of the same
    domains, so its uncertainty is never smaller (`not_surer`).
    """
    wider = _infer_claim(
        differences, sampling, settings, binary=binary, size=size, answer_variance=answer_variance
    )
    if sampling.within is None:
        return wider
    narrower = infer_claim(differences, sampling.within, settings, binary=binary, size=size)
    return not_surer(wider, narrower)


def not_surer(wider: Inference, narrower: Inference) -> Inference:
    """Return the inference under a wider claim, made at least as uncertain as that under the
    narrower one.

    The interval contains both intervals, and p is the larger one. Values that are unknown under the
    wider claim stay unknown; its standard error is already the larger one (`Sampling.means`).
    """
    return replace(
        wider,
        low=_larger(wider.low, narrower.low, np.minimum),
        high=_larger(wider.high, narrower.high, np.maximum),
        p=_larger(wider.p, narrower.p, np.maximum),
    )


def _larger(wider: float, narrower: float, extreme: Callable[[float, float], float]) -> float:
    """Return the more extreme value of both, if that under the narrower claim is known."""
    return wider if np.isnan(narrower) else float(extreme(wider, narrower))


def _infer_claim(
    differences: Floats,
    sampling: Sampling,
    settings: ComparisonSettings,
    *,
    binary: bool,
    size: float,
    answer_variance: Floats | None,
) -> Inference:
    """Test under the claim itself, without regard to narrower claims."""
    d = differences
    if not d.size:
        return Inference(np.nan, np.nan, np.nan, np.nan, np.nan, "none")
    means = sampling.means(np.zeros(d.size, int), d, answer_variance)
    estimate, se, df = float(means.value[0]), float(means.se[0]), float(means.df[0])
    units, trials = int(means.units[0]), float(means.trials[0])
    if sampling.claim == "these-items":
        method = "occasions"
    elif sampling.claim == "same-domains" and binary:
        if means.strata[0] == 1 and units == d.size:
            return infer(d, None, replace(settings, method="exact"), binary=True)
        method = "stratified"
    else:
        method = "t"
    if not np.isfinite(se) or df <= 0:
        return Inference(estimate, np.nan, np.nan, np.nan, np.nan, method)
    if method == "stratified":
        return Inference(*stratified_score(estimate, se, df, trials, settings.level), method)
    if se <= ROUNDING * size:
        if method == "occasions":
            p = 1.0 if abs(estimate) <= ROUNDING * size else 0.0
            return Inference(estimate, estimate, estimate, 0.0, p, method)
        return _without_spread(d, units, settings.level, method, size)
    half = float(special.stdtrit(df, 0.5 + settings.level / 2)) * se
    p = float(2 * special.stdtr(df, -abs(estimate) / se))
    return Inference(estimate, estimate - half, estimate + half, se, p, method)


def stratified_score(
    estimate: float, se: float, df: float, trials: float, level: float
) -> tuple[float, float, float, float, float]:
    """Return estimate, ends, standard error and p of a paired difference of right and wrong.

    The interval is Tango's for `trials` independent items, with the number of disagreements that
    gives the standard error; p is that of the same score test at 0, so that both agree.
    """
    disagreeing = max(trials * (trials * se**2 + estimate**2), trials * abs(estimate))
    b, c = (disagreeing + trials * estimate) / 2, (disagreeing - trials * estimate) / 2
    t = float(special.stdtrit(df, 0.5 + level / 2))
    low, high = tango_at(max(b, 0.0), max(c, 0.0), trials, t)
    return estimate, low, high, se, float(score_p(estimate, disagreeing / trials**2, df))


def score_p(estimate: ArrayLike, variance: ArrayLike, df: ArrayLike) -> Floats:
    """Return the two-sided p of a difference, from its standard error under the null hypothesis; 1
    for a difference of 0."""
    d = np.abs(np.asarray(estimate, float))
    with np.errstate(invalid="ignore", divide="ignore"):
        p = 2 * special.stdtr(df, -d / np.sqrt(variance))
    return np.where(d < ROUNDING, 1.0, p)


def mcnemar_p(b: ArrayLike, c: ArrayLike, *, mid: bool = False) -> Floats:
    """Return McNemar's two-sided p from discordant items, exact or mid-p.

    The exact p is twice the smaller binomial tail of b + c fair coins, at most 1. The mid-p
    subtracts half the probability of the observed table on both sides; if `b` equals `c`, it is 1 -
    P(b) / 2 (Fagerland et al., 2014). Without discordant items p is 1.

    Parameters
    ----------
    b, c : array-like of int
        Items that only the first and only the second solved.
    mid : bool
        Mid-p in place of the exact p.

    Returns
    -------
    array of float
        Values of p, of the broadcast shape of `b` and `c`.

    Examples
    --------
    >>> mcnemar_p([12, 0], [2, 0], mid=True).round(6)
    array([0.007385, 1.      ])
    """
    b, c = np.asarray(b), np.asarray(c)
    smaller, pairs = np.minimum(b, c), b + c
    tail = special.bdtr(smaller, pairs, 0.5)
    if not mid:
        return np.minimum(1.0, 2 * tail)
    at = tail - np.where(smaller > 0, special.bdtr(np.maximum(smaller - 1, 0), pairs, 0.5), 0.0)
    seen_both_ways = np.where(b == c, 1 - at / 2, 2 * tail - at)
    return np.where(pairs == 0, 1.0, seen_both_ways)


def mcnemar_exact(b: int, c: int) -> float:
    """Return McNemar's exact two-sided p for `b` items that only one solved and `c` that only the
    other.

    See `mcnemar_p`; 1 if nothing differs.
    """
    return float(mcnemar_p(b, c))


def mcnemar_mid_p(b: int, c: int) -> float:
    """Return McNemar's mid-p, the exact p minus half the probability of the observed table, on both
    sides.

    Parameters
    ----------
    b, c : int
        Numbers of items that only the first and only the second solved.

    Returns
    -------
    float
        The two-sided mid-p value.

    Examples
    --------
    >>> round(mcnemar_mid_p(12, 2), 6)
    0.007385
    """
    return float(mcnemar_p(b, c, mid=True))


def newcombe(
    a: float, b: float, c: float, d: float, level: float = 0.95, *, corrected: bool = True
) -> tuple[float, float]:
    """Return Newcombe's score interval of (b - c) / n, the difference of two paired proportions.

    It combines Wilson's intervals of both proportions with the correlation of the answers.

    Parameters
    ----------
    a, b, c, d : float
        Numbers of items that both, only the first, only the second and neither solved.
    level : float
        Confidence level.
    corrected : bool
        Newcombe's method 10, which corrects a positive correlation for continuity; False is his
        method 8, what many programs call "Newcombe".

    Returns
    -------
    lower, upper : float
        NaN if there are no items.

    Examples
    --------
    >>> low, high = newcombe(20, 12, 2, 16)
    >>> round(low, 3), round(high, 3)
    (0.056, 0.329)

    References
    ----------
    Newcombe, R. G. (1998). Improved confidence intervals for the difference between binomial
    proportions based on paired data. Statistics in Medicine 17, 2635-2650.
    """
    n = a + b + c + d
    if not n:
        return np.nan, np.nan
    first, second = (a + b) / n, (a + c) / n
    low, high = wilson([a + b, a + c], [n, n], level)
    margins = float(np.sqrt((a + b) * (c + d)) * np.sqrt((a + c) * (b + d)))
    product = a * d - b * c
    if corrected and product >= 0:
        product = max(product - n / 2, 0.0)
    phi = product / margins if margins else 0.0
    down, up = first - low[0], high[0] - first
    less, more = second - low[1], high[1] - second
    below = np.sqrt(down**2 - 2 * phi * down * more + more**2)
    above = np.sqrt(up**2 - 2 * phi * up * less + less**2)
    return float(first - second - below), float(first - second + above)


def tango(b: float, c: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Return Tango's score interval of (b - c) / n, the difference of two paired proportions.

    The first examinee alone solved `b` of the `n` items, the second alone `c`. The ends are the
    differences that McNemar's score test would just not reject. NaN if n is 0.
    """
    return tango_at(b, c, n, float(special.ndtri(0.5 + level / 2)))


def tango_at(b: float, c: float, n: float, z: float) -> tuple[float, float]:
    """Return Tango's interval for a quantile `z` of the score statistic instead of a level."""
    if n == 0:
        return np.nan, np.nan
    z2 = z**2

    def excess(delta: float) -> float:
        """The squared score statistic's numerator minus z squared times its variance."""
        linear = (2 * n - b + c) * delta - b - c
        root = np.sqrt(max(0.0, linear**2 + 8 * n * c * delta * (1 - delta)))
        only_second = (root - linear) / (4 * n)
        return (b - c - n * delta) ** 2 - z2 * n * (2 * only_second + delta * (1 - delta))

    center, inside = (b - c) / n, 1e-7
    low, high = -1.0, 1.0
    if center > low + inside:
        low = _root(excess, low, center - inside)
    if center < high - inside:
        high = _root(excess, center + inside, high)
    return low, high


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    return float(scipy.optimize.brentq(function, low, high, full_output=True)[0])


def _bootstrap(
    d: Floats, groups: NDArray[np.intp] | None, settings: ComparisonSettings, size: float
) -> Inference:
    """Percentile interval, and the level at which it would just reach 0 as p."""
    if groups is None:
        # In the order of their values, so that the result does not depend on the items' order.
        sums, sizes = np.sort(d), np.ones(d.size)
    else:
        names, codes = np.unique(groups, return_inverse=True)
        sums, sizes = np.bincount(codes, d, names.size), np.bincount(codes).astype(float)
    blocks = bootstrap_weights(sums.size, settings.draws, settings.seed)
    means = np.concatenate([(w @ sums) / (w @ sizes) for w in blocks])
    tail = (1 - settings.level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    zero = ROUNDING * size
    rarer = min(np.sum(means <= zero), np.sum(means >= -zero))
    p = min(1.0, 2 * (1 + float(rarer)) / (1 + means.size))
    se = float(means.std(ddof=1)) if means.size > 1 else np.nan
    return Inference(float(d.mean()), float(low), float(high), se, p, "bootstrap")


def _without_spread(d: Floats, units: int, level: float, method: str, size: float) -> Inference:
    mean = float(d.mean())
    mean = 0.0 if abs(mean) <= ROUNDING * size else mean
    p = 1.0 if mean == 0 else 2.0 ** (1 - units)
    low = high = np.nan
    if np.abs(d).max() <= 1 + ROUNDING:
        share = units / d.size
        better, worse = float(np.maximum(d, 0).sum()), float(np.maximum(-d, 0).sum())
        low, high = tango(better * share, worse * share, units, level)
    return Inference(mean, low, high, 0.0, p, method)
