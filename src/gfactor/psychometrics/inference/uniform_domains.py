"""Intervals of a stratified share, some of whose domains are all right or all wrong.

A domain with all answers right has a variance of 0 in the sample, but its true share may be lower:
after 8 right answers of 8 it may well be .7. If few other domains are left to vary, an interval
from the stratified variance alone is too narrow. Here the items are divided into those of domains
that are all right, of domains that are all wrong, and of all others. The distances from the
estimates to the ends of their three intervals, each times its share of the items, are combined as
the root of the sum of their squares (the method of variance estimates recovery, MOVER). A domain
that is all right adds to the lower distance only, one that is all wrong to the upper one.

A stratified sample varies no more than an unstratified one, so that an end is not moved beyond that
of Wilson's interval without domains. It is never moved inward: over many small domains the
stratified variance is right on average, with zeros in it. Without domains that are all right or all
wrong the interval from that variance remains as it is, and a score with all answers right has
Wilson's.

References
----------
Zou, G. Y., Donner, A. (2008). Construction of confidence limits about effect measures: a general
    approach. Statistics in Medicine 27, 1693-1702.
Yan, X., Su, X. G. (2010). Stratified Wilson and Newcombe confidence intervals for multiple
    binomial proportions. Statistics in Biopharmaceutical Research 2, 329-335.
Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal
    of the American Statistical Association 22, 209-212.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.psychometrics.inference.intervals import checked_level, wilson

Floats = NDArray[np.float64]


class EstimatedShares(Protocol):
    """Means of groups, with the quantities behind their intervals: `claim.Means`."""

    @property
    def value(self) -> Floats: ...
    @property
    def se(self) -> Floats: ...
    @property
    def df(self) -> Floats: ...
    @property
    def trials(self) -> Floats: ...
    @property
    def exact(self) -> NDArray[np.bool_]: ...


@dataclass(frozen=True, eq=False)
class UniformDomains:
    """Items of every group by whether their domains are all right, all wrong, or neither.

    Parameters
    ----------
    others : claim.Means
        Means of the items in domains that are neither; NaN without such items.
    others_share, right_share, wrong_share : array, shape (groups,)
        Shares of the possible points in the three kinds of domains.
    right, wrong, units : array, shape (groups,)
        Effective numbers of independent units in domains that are all right, in those that are all
        wrong, and in all: the number of units if they weigh the same.
    """

    others: EstimatedShares
    others_share: Floats
    right_share: Floats
    wrong_share: Floats
    right: Floats
    wrong: Floats
    units: Floats

    @classmethod
    def of(
        cls,
        others: EstimatedShares,
        groups: NDArray[np.intp],
        possible: Floats,
        right: NDArray[np.bool_],
        wrong: NDArray[np.bool_],
    ) -> UniformDomains:
        """Divide units, an entry each: their group, possible points, and kind of domain."""
        count = others.value.size

        def sums(which: NDArray[np.bool_], points: Floats) -> Floats:
            return np.bincount(groups[which], points[which], count).astype(float)

        whole = np.ones(len(groups), bool)
        total, squared = sums(whole, possible), possible**2
        with np.errstate(invalid="ignore", divide="ignore"):
            effective = [
                np.nan_to_num(sums(kind, possible) ** 2 / sums(kind, squared))
                for kind in (right, wrong, whole)
            ]
            shares = [sums(kind, possible) / total for kind in (~(right | wrong), right, wrong)]
        return cls(others, *shares, *effective)

    def widened(
        self, value: Floats, low: Floats, high: Floats, level: float
    ) -> tuple[Floats, Floats]:
        """Return the ends of intervals of `value`, widened for groups that have such domains."""
        ends = score_interval(self.others, level)
        below, above = (
            np.nan_to_num(self.others_share * np.abs(end - self.others.value)) for end in ends
        )
        lower = np.nan_to_num(self.right_share * (1 - wilson(self.right, self.right, level)[0]))
        upper = np.nan_to_num(self.wrong_share * wilson(0 * self.wrong, self.wrong, level)[1])
        without = wilson(np.clip(value, 0, 1) * self.units, self.units, level)
        outer = np.maximum(value - np.hypot(below, lower), without[0])
        upward = np.minimum(value + np.hypot(above, upper), without[1])
        some = self.right + self.wrong > 0
        return (
            np.where(some, np.fmin(low, outer), low),
            np.where(some, np.fmax(high, upward), high),
        )


def score_interval(means: EstimatedShares, level: float) -> tuple[Floats, Floats]:
    """Return the ends of the score interval of every share, between 0 and 1; NaN if unknown.

    Parameters
    ----------
    means : claim.Means
        Shares, standard errors, degrees of freedom and numbers of trials.
    level : float
        Confidence level, between 0 and 1.
    """
    upper = 0.5 + checked_level(level) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        t = special.stdtrit(np.where(means.df > 0, means.df, 1.0), upper)
        z = float(special.ndtri(upper))
        n, p = means.trials, means.value
        center = (p + z**2 / (2 * n)) / (1 + z**2 / n)
        half = np.sqrt((t * means.se) ** 2 + z**4 / (4 * n**2)) / (1 + z**2 / n)
        low, high = np.clip(center - half, 0, 1), np.clip(center + half, 0, 1)
    low = np.where(p <= 0, 0.0, np.minimum(low, np.clip(p, 0, 1)))
    high = np.where(p >= 1, 1.0, np.maximum(high, np.clip(p, 0, 1)))
    trials = np.where(means.exact, n, 0.0)
    w_low, w_high = wilson(np.where(means.exact, np.clip(p, 0, 1), 0.0) * trials, trials, level)
    unknown = np.isnan(means.se) | np.isnan(p)
    return (
        np.where(means.exact, w_low, np.where(unknown, np.nan, low)),
        np.where(means.exact, w_high, np.where(unknown, np.nan, high)),
    )
