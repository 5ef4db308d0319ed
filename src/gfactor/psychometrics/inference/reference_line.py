"""The regression line of the references: accuracy on public items by accuracy on fresh ones.

On the logit scale the public accuracy of a model is assumed to be `a + b * fresh + error`. The
slope is estimated with errors in both accuracies (York et al., 2004), around a prior of 1, and the
spread of the references around the line includes both the sampling of items and the interaction of
model and form.

References far from the line (replies that were not read on one form, for example) get less weight
by Huber's weights, and the spread is his proposal 2. Otherwise one such model widens the interval
of every other one.

References
----------
Huber, P. J. (1981). Robust Statistics, chapter 6.7 (proposal 2). Wiley.
York, D., Evensen, N. M., Lopez Martinez, M., De Basabe Delgado, J. (2004). Unified equations for
    the slope, intercept, and standard errors of the best straight line. American Journal of
    Physics 72, 367-375.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

Floats = NDArray[np.float64]

SLOPE_SD = 0.15
"""Standard deviation of the prior of the slope around 1; forms of one benchmark have .8 to 1.2."""
_CUT = 2.0
"""Standardized differences beyond this get less weight; of normal ones these are 5 %."""
_ROUNDS = 100


@dataclass(frozen=True)
class ReferenceLine:
    """The regression line of the references, and the examinee's (row 0) difference from it.

    Parameters
    ----------
    intercept, slope : float
    fresh : array (models,)
        Logits on the fresh form.
    differences : array (models,)
        Public logits minus predicted ones.
    standardized : array (models,)
        Differences divided by their standard errors. Each reference is treated as if it were the
        examinee.
    error, item_error : float
        Standard error of the examinee's difference, estimated from the spread of the references
        and from the sampling of items alone.
    spread, df : float
        Mean squared weighted difference of the references (1 if only items are sampled), and its
        degrees of freedom.
    scale : float
        The robust counterpart of `spread`, from which `error` is computed.
    weights : array (references,)
        Huber weights of the references: 1 near the line.
    """

    intercept: float
    slope: float
    fresh: Floats
    differences: Floats
    standardized: Floats
    error: float
    item_error: float
    spread: float
    df: float
    scale: float
    weights: Floats

    @classmethod
    def of(
        cls, public: Floats, var_p: Floats, fresh: Floats, var_f: Floats, *, per_answer: float
    ) -> ReferenceLine:
        """Fit the line; `per_answer` / (share (1 - share)) is the examinee's public variance.

        The examinee's own public share is not used for this, because inflation would change it.
        """
        df = len(public) - 1 - 1.5
        weights, rounds = np.ones(len(public) - 1), 0
        while True:
            slope = _slope_of(public[1:], var_p[1:], fresh[1:], var_f[1:], weights)
            variance = var_p + slope**2 * var_f
            weight = weights / variance[1:]
            total = weight.sum()
            raw = public - slope * fresh
            intercept = float(weight @ raw[1:] / total)
            differences = raw - intercept
            distances = differences[1:] / np.sqrt(variance[1:])
            scale = _robust_spread(distances, df)
            before = weights
            weights = _huber(distances, scale)
            rounds += 1
            if np.abs(weights - before).max() < 1e-9 or rounds == _ROUNDS:
                break
        predicted = 1 / (1 + np.exp(-(intercept + slope * fresh[0])))
        variance[0] = per_answer / max(predicted * (1 - predicted), 1e-12) + slope**2 * var_f[0]
        spread = float(distances @ distances) / df
        center = float(weight @ fresh[1:] / total)
        squares = float(weight @ (fresh[1:] - center) ** 2)

        def errors(scale: float) -> Floats:
            slopes = 1 / (squares / scale + 1 / SLOPE_SD**2)
            return np.sqrt(scale * (variance + 1 / total) + (fresh - center) ** 2 * slopes)

        by_spread = errors(max(scale, 1e-12))
        return cls(
            intercept, slope, fresh, differences, differences / by_spread,
            float(by_spread[0]), float(errors(1.0)[0]), spread, df, scale, weights,
        )  # fmt: skip

    @property
    def expected(self) -> float:
        """Probability of a right public answer that the line predicts for the examinee."""
        return 1 / (1 + math.exp(-(self.intercept + self.slope * float(self.fresh[0]))))

    def prediction(self, level: float, answers: float) -> tuple[float, float, float]:
        """Return the predicted public share of the examinee with its interval.

        Logits are converted to shares of `answers` by the inverse of `logits`, so that the observed
        share lies outside of the interval exactly if the standardized difference exceeds its
        quantile. Otherwise a share of 1, whose logit is finite, would be above every prediction.
        """
        center = self.intercept + self.slope * self.fresh[0]
        half = stats.t.ppf(0.5 + level / 2, self.df) * self.error
        odds = 1 / (1 + np.exp(-np.array([center, center - half, center + half])))
        shares = np.clip(((answers + 1) * odds - 0.5) / answers, 0.0, 1.0)
        return float(shares[0]), float(shares[1]), float(shares[2])


def _huber(distances: Floats, scale: float) -> Floats:
    """Return Huber's weights; if nothing differs from the line, all are 1."""
    if scale == 0:
        return np.ones_like(distances)
    return np.minimum(1, _CUT * np.sqrt(scale) / np.maximum(np.abs(distances), 1e-12))


def logits(right: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Return logits of shares with half an answer added to both sides, and their variances."""
    return np.log((right + 0.5) / (n - right + 0.5)), 1 / (right + 0.5) + 1 / (n - right + 0.5)


def item_share(form: Floats, filled: Floats | None = None) -> float:
    """Return the variance of single answers around model and item effects, divided by that around
    the model effect.

    A model's accuracy on given items varies less than a binomial share, because the items differ in
    difficulty in the same way for all models.

    Parameters
    ----------
    form : array (models, items)
        Answers, 0 to 1; NaN is not answered.
    filled : array (models, items), optional
        The form as `completed` returns it, whose means are those of models and items; by default
        the means are those of the answers.
    """
    rows = np.nanmean(form if filled is None else filled, axis=1, keepdims=True)
    around_model = float(np.nanmean(rows * (1 - rows)))
    models, items = form.shape
    squares = _residuals(form, filled) ** 2 + form * (1 - form)
    around_both = float(np.nanmean(squares)) * models * items / max((models - 1) * (items - 1), 1)
    return float(np.clip(around_both / around_model, 0.05, 1.0)) if around_model > 0 else 1.0


def occasion_share(form: Floats, filled: Floats | None = None) -> Floats:
    """Return the variance of each model's answers around model and item effects, divided by that of
    single answers.

    It is 1 for a model that answered each item once. A single answer, drawn from several with mean
    m, has a variance larger by m (1 - m) than that of the mean. The parameters are those of
    `item_share`.
    """
    squares = _residuals(form, filled) ** 2
    single = np.nansum(squares + form * (1 - form), axis=1)
    means = np.nansum(squares, axis=1)
    return np.where(single > 0, means / np.where(single > 0, single, 1.0), 1.0)


def _residuals(form: Floats, filled: Floats | None = None) -> Floats:
    """Return answers less the means of their model and their item."""
    whole = form if filled is None else filled
    rows = np.nanmean(whole, axis=1, keepdims=True)
    answered = ~np.isnan(whole)
    columns = np.where(answered.any(axis=0), np.nansum(whole, axis=0), 0.0)
    columns = columns / np.maximum(answered.sum(axis=0), 1)
    return form - rows - columns + np.nanmean(whole)


def _slope_of(y: Floats, var_y: Floats, x: Floats, var_x: Floats, weights: Floats) -> float:
    """Return the slope with errors in both variables, around a normal prior of mean 1."""
    slope, prior = 1.0, 1 / SLOPE_SD**2
    for _ in range(_ROUNDS):
        precision = 1 / (var_y + slope**2 * var_x)
        weight = weights * precision
        dx = x - weight @ x / weight.sum()
        dy = y - weight @ y / weight.sum()
        mixed = weight * precision * (dx * var_y + slope * dy * var_x)
        new = float((mixed @ dy + prior) / (mixed @ dx + prior))
        if abs(new - slope) < 1e-12:
            return new
        slope = new
    return slope


def _robust_spread(distances: Floats, df: float) -> float:
    """Return Huber's proposal 2: the variance at which the squares of clipped distances have their
    expectation under normal errors."""
    expected = float(stats.chi2.cdf(_CUT**2, 3) + _CUT**2 * stats.chi2.sf(_CUT**2, 1))
    scale = float(distances @ distances) / df
    for _ in range(_ROUNDS):
        if scale <= 0:
            return 0.0
        clipped = np.clip(distances / np.sqrt(scale), -_CUT, _CUT)
        new = float(scale * (clipped @ clipped) / (expected * df))
        if abs(new - scale) <= 1e-12 * scale:
            return new
        scale = new
    return scale
