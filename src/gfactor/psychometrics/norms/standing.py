"""A cell of norms: the scores of one group of people, and the position of a score among them.

References
----------
Crawford, J. R., Garthwaite, P. H., Slick, D. J. (2009). On percentile norms in neuropsychology:
    proposed reporting standards and methods for quantifying the uncertainty over the percentile
    ranks of test scores. The Clinical Neuropsychologist 23, 1173-1195.
Crawford, J. R., Garthwaite, P. H. (2002). Investigation of the single case in neuropsychology:
    confidence limits on the abnormality of test scores and test score differences.
    Neuropsychologia 40, 1196-1208.
Zou, G. Y., Donner, A. (2008). Construction of confidence limits about effect measures: a general
    approach. Statistics in Medicine 27, 1693-1702.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from gfactor.psychometrics.inference.intervals import jeffreys
from gfactor.psychometrics.inference.resampling import (
    acceleration,
    bootstrap_weights,
    interval,
)

Floats = NDArray[np.float64]

MIN_N = 30
"""Smallest number of persons in a cell; 50 to 100 are better for percentiles."""
DRAWS = 999
"""Number of resamples of the persons for intervals of linear T scores."""
T_MEAN, T_SD = 50.0, 10.0


@dataclass(frozen=True)
class Standing:
    """Position of a score among the people of a cell.

    Parameters
    ----------
    scale : str
        Name of the scale.
    group : mapping
        Values of the persons' columns that the people of the cell share; empty for all people.
    n : int
        Number of persons of the cell.
    score : float
        The score.
    percentile, percentile_low, percentile_high : float
        Per cent of the people with lower scores and half of those with the same, with interval.
    t_area, t_area_low, t_area_high : float
        T score by area transformation, 50 + 10 z of the percentile; NaN (no finite end) if
        nobody scored lower, or nobody higher.
    t_linear, t_linear_low, t_linear_high : float
        Linear T score, 50 + 10 (score - mean) / standard deviation; NaN if scores do not vary.
    """

    scale: str
    group: Mapping[str, str]
    n: int
    score: float
    percentile: float
    percentile_low: float
    percentile_high: float
    t_area: float
    t_area_low: float
    t_area_high: float
    t_linear: float
    t_linear_low: float
    t_linear_high: float

    def row(self) -> dict[str, Any]:
        """Return the standing as a row of a table, with the group as one text."""
        return {**asdict(self), "group": group_text(self.group)}


@dataclass(frozen=True)
class NormCell:
    """The scores of the people of a group on a scale.

    Parameters
    ----------
    scale : str
        Name of the scale.
    group : mapping
        Values of the persons' columns; empty for all people.
    values : tuple of float
        The scores that occur, ascending.
    counts : tuple of int
        Number of people with each score.
    level : float
        Confidence level of the intervals.
    seed : int
        Seed of the bootstrap samples for the intervals of linear T scores.
    """

    scale: str
    group: Mapping[str, str]
    values: tuple[float, ...]
    counts: tuple[int, ...]
    level: float = 0.95
    seed: int = 0

    @property
    def n(self) -> int:
        """Number of persons."""
        return sum(self.counts)

    @cached_property
    def mean(self) -> float:
        """Return the mean of the persons' scores."""
        return float(np.average(self.values, weights=self.counts))

    @cached_property
    def sd(self) -> float:
        """Standard deviation, with divisor n - 1; exactly 0 if it is zero up to rounding."""
        away = np.asarray(self.values) - self.mean
        sd = math.sqrt(float(np.dot(self.counts, away**2)) / max(self.n - 1, 1))
        return sd if sd > 1e-12 * max(1.0, abs(self.mean)) else 0.0

    def standing(
        self, score: float, low: float | None = None, high: float | None = None
    ) -> Standing:
        """Return the position of a score among these people.

        Parameters
        ----------
        score : float
            Score on the scale.
        low, high : float, optional
            Ends of the score's own interval at the same level, for the uncertainty from the choice
            of items. Without them the score is taken as exact.

        Returns
        -------
        Standing
            Position with intervals. They include the sampling error of the persons and, with `low`
            and `high`, that of the score; both are combined as for a sum of independent estimates
            (Zou and Donner 2008).
        """
        ends = (score if low is None else low, score if high is None else high)
        shares, lower, upper = self._percentiles(np.array([score, *ends]))
        percent = _joined(shares, lower[0], upper[0], (0.0, 1.0))
        linear = (math.nan,) * 3
        if self.sd > 0:
            t = T_MEAN + T_SD * (np.array([score, *ends]) - self.mean) / self.sd
            linear = _joined(t, *self._linear_ends(score), (-math.inf, math.inf))
        area = [T_MEAN + T_SD * float(ndtri(share)) for share in percent]
        area = [value if math.isfinite(value) else math.nan for value in area]
        return Standing(
            self.scale, self.group, self.n, score, *(100 * share for share in percent), *area,
            *linear,
        )  # fmt: skip

    def _percentiles(self, scores: Floats) -> tuple[Floats, Floats, Floats]:
        """The share of people below each score, ties half, with Jeffreys' interval: with ties it is
        wider than necessary (Crawford, Garthwaite and Slick 2009)."""
        values = np.asarray(self.values)
        # Means of right answers that differ only by rounding are ties.
        same = np.abs(scores[:, None] - values) <= 1e-9
        lower = (values < scores[:, None]) & ~same
        k = lower @ np.asarray(self.counts, float) + 0.5 * (same @ np.asarray(self.counts, float))
        low, high = jeffreys(k, self.n, self.level)
        return k / self.n, low, high

    def _linear_ends(self, score: float) -> tuple[float, float]:
        """BCa limits of the linear T score of a fixed score, from resampled persons."""
        means, sds = self._resampled
        varying = sds > 0
        draws = T_MEAN + T_SD * (score - means[varying]) / sds[varying]
        at = np.array([T_MEAN + T_SD * (score - self.mean) / self.sd])
        tilt = acceleration([self._without_each(score)[:, None]])
        low, high = interval(draws[:, None], at, self.level, "bca", tilt)
        if not np.isfinite([low[0], high[0]]).all():
            low, high = interval(draws[:, None], at, self.level)
        return float(low[0]), float(high[0])

    @cached_property
    def _persons(self) -> Floats:
        return np.repeat(np.asarray(self.values, float), self.counts)

    @cached_property
    def _resampled(self) -> tuple[Floats, Floats]:
        """Mean and standard deviation of every resample of the persons."""
        x, n = self._persons, self.n
        means, sds = [], []
        for weights in bootstrap_weights(n, DRAWS, self.seed):
            mean = weights @ x / n
            means.append(mean)
            variance = (weights @ x**2 - n * mean**2) / (n - 1)
            sds.append(np.sqrt(np.maximum(variance, 0)))
        spread = np.concatenate(sds)
        return np.concatenate(means), np.where(spread > 1e-9 * self.sd, spread, 0.0)

    def _without_each(self, score: float) -> Floats:
        """The linear T score if one person is left out, for each person."""
        x, n = self._persons, self.n
        means = (x.sum() - x) / (n - 1)
        variances = ((x**2).sum() - x**2 - (n - 1) * means**2) / (n - 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            return T_MEAN + T_SD * (score - means) / np.sqrt(np.maximum(variances, 0))


def group_text(group: Mapping[str, str]) -> str:
    """Return a group in words: "age 18-29, gender f"; "all people" for the empty one."""
    return ", ".join(f"{name} {value}" for name, value in group.items()) or "all people"


def _joined(
    at: Floats | Sequence[float], low: float, high: float, bounds: tuple[float, float]
) -> tuple[float, float, float]:
    """Combine two errors of an estimate: of the norms (`low`, `high`) and of the score.

    `at[1]` and `at[2]` are the values at the limits of the score.
    """
    value, score_low, score_high = map(float, at)
    below = math.hypot(value - low, value - min(score_low, value))
    above = math.hypot(high - value, max(score_high, value) - value)
    return value, max(bounds[0], value - below), min(bounds[1], value + above)
