"""The psychometric function of accuracy against size, and its likelihood over a grid.

    P(s) = guess + (1 - guess - lapse) * F(s),   F(s) = 1 / (1 + exp(slope * (s - threshold)))

The threshold is the size at which F is one half, so accuracy is halfway between its ceiling and
chance. The slope is the fall of F's log odds per unit of size.

Why logistic: size is a count on a ratio scale that starts at 1, so shapes for positive intensities
(Weibull) have no advantage here; twenty sizes cannot tell the logistic from the cumulative normal;
and its log odds are a line, so that slopes can be compared with those of item response models. The
choice of F hardly moves the threshold (Wichmann and Hill 2001, section "Goodness of fit").

The likelihood is binomial, with a log-normal prior on the slope as a weak penalty: with one answer
per size the plain maximum is nearly always a step, whose bootstrap intervals are far too narrow
(measured: they held the slope in 54 % of cases where 95 % is claimed). A hundred answers outweigh
it. The lapse rate is confined instead (Wichmann and Hill 2001, section "Lapses").

It is evaluated for many data sets at once: log P on a grid of threshold x slope x lapse is one
matrix, the counts of all data sets another, and their product holds every log likelihood.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

Floats = NDArray[np.float64]

LAPSE_MAX = 0.1
"""Lapse rates are sought from 0 to here: without a bound they trade off against the slope, and
people's stay below a few per cent (Wichmann and Hill 2001 use 0.06; models slip more)."""

_LAPSES = (0.0, 0.03, LAPSE_MAX)
_SLOPES_PER_SPAN = (2.0, 100.0, 18)
"""Least and greatest slope, times the span of sizes, and how many: from hardly a fall over the
whole range to a step between two sizes."""
_SLOPE_PRIOR = (12.0, 0.8)
"""Median of slope times span, and standard deviation of its logarithm: F falls from 0.9 to 0.1
within a third of the sizes, give or take (95 %) from a fourteenth of them to nearly twice them."""
_THRESHOLDS = 58
_MARGIN = 0.25
"""Thresholds are sought this part of the span beyond the sizes, where they count as censored."""
_CHUNK = 500_000
"""Log likelihoods held at once (2 MB): they stay in the cache until the best is found."""


def accuracy_at(
    size: ArrayLike,
    threshold: ArrayLike,
    slope: ArrayLike,
    lapse: ArrayLike = 0.0,
    guess: ArrayLike = 0.0,
) -> Floats:
    """P(size): the expected accuracy, broadcast over all arguments."""
    fall = special.expit(-np.asarray(slope) * (np.asarray(size) - np.asarray(threshold)))
    return np.asarray(guess + (1 - np.asarray(guess) - lapse) * fall, float)


@dataclass(frozen=True)
class CurveGrid:
    """Every curve that is considered for data at these sizes with this chance level.

    `bounds` are the limits of threshold, slope and lapse; `parameters` is curves x 3; `log_right`
    and `log_wrong`, log P and log (1 - P), are curves x sizes.
    """

    sizes: Floats
    guess: float
    bounds: tuple[tuple[float, float], ...]
    parameters: Floats
    log_right: Floats
    log_wrong: Floats

    @classmethod
    def over(cls, sizes: ArrayLike, guess: float) -> CurveGrid:
        """The grid for data at `sizes` (ascending, at least two)."""
        at = np.asarray(sizes, float)
        span = at[-1] - at[0]
        thresholds = np.linspace(at[0] - _MARGIN * span, at[-1] + _MARGIN * span, _THRESHOLDS)
        least, most, count = _SLOPES_PER_SPAN
        slopes = np.geomspace(least / span, most / span, int(count))
        axes = np.meshgrid(thresholds, slopes, _LAPSES, indexing="ij")
        bounds = tuple((float(a.min()), float(a.max())) for a in axes)
        parameters = np.stack([a.ravel() for a in axes], axis=1)
        return cls(at, guess, bounds, parameters, *_log_probabilities(at, parameters, guess))

    def best(self, right: Floats, asked: Floats) -> tuple[Floats, Floats]:
        """The likeliest curve of each data set: (parameters, log likelihood without penalty).

        `right` is data sets x sizes, `asked` too, or one entry per size for all. Computed in
        single precision: enough to choose between grid points.
        """
        offset = self._log_prior(self.parameters[:, 1])[None, :]
        if asked.ndim == 1:
            counts, kernel = right, self.log_right - self.log_wrong
            offset = offset + self.log_wrong @ asked
        else:
            counts = np.hstack([right, asked - right])
            kernel = np.hstack([self.log_right, self.log_wrong])
        kernel, offset = np.ascontiguousarray(kernel.T, np.float32), offset.astype(np.float32)
        counts = counts.astype(np.float32)
        step = max(1, _CHUNK // len(self.parameters))
        where = [
            (counts[i : i + step] @ kernel + offset).argmax(axis=1)
            for i in range(0, len(counts), step)
        ]
        index = np.concatenate(where)
        terms = right * self.log_right[index] + (asked - right) * self.log_wrong[index]
        return self.parameters[index], terms.sum(axis=1)

    def refine(self, start: Floats, right: Floats, asked: Floats) -> Floats:
        """The penalized maximum near a grid point, for one data set: threshold, slope, lapse."""
        slopes = self.bounds[1]
        inner = np.array([start[0], np.log(start[1]), start[2]])
        found = scipy.optimize.minimize(
            self.loss,
            inner,
            args=(right, asked),
            jac=True,
            method="L-BFGS-B",
            bounds=[self.bounds[0], (np.log(slopes[0]), np.log(slopes[1])), self.bounds[2]],
        )
        if found.fun > self.loss(inner, right, asked)[0]:
            return start
        return np.array([found.x[0], np.exp(found.x[1]), found.x[2]])

    def loss(self, point: Floats, right: Floats, asked: Floats) -> tuple[float, Floats]:
        """Minus the penalized log likelihood and its gradient in threshold, log slope, lapse."""
        threshold, slope, lapse = point[0], np.exp(point[1]), point[2]
        away = slope * (self.sizes - threshold)
        fall, rise = special.expit(-away), special.expit(away)
        height = 1 - self.guess - lapse
        p, q = self.guess + height * fall, (1 - self.guess) * rise + lapse * fall
        gain = right @ np.log(p) + (asked - right) @ np.log(q) + self._log_prior(slope)
        pull = right / p - (asked - right) / q
        bend = pull * height * fall * rise
        median, spread = self._slope_prior()
        gradient = np.array(
            [
                bend.sum() * slope,
                -(bend @ away) - (point[1] - median) / spread**2,
                -(pull @ fall),
            ]
        )
        return -float(gain), -gradient

    def log_likelihood(self, point: Floats, right: Floats, asked: Floats) -> float:
        """The log likelihood, without penalty, of one curve for one data set."""
        log_right, log_wrong = _log_probabilities(self.sizes, point[None, :], self.guess)
        return float(right @ log_right[0] + (asked - right) @ log_wrong[0])

    def _log_prior(self, slope: Floats) -> Floats:
        median, spread = self._slope_prior()
        return -0.5 * ((np.log(slope) - median) / spread) ** 2

    def _slope_prior(self) -> tuple[float, float]:
        """Median and standard deviation of the log slope."""
        span = self.sizes[-1] - self.sizes[0]
        return float(np.log(_SLOPE_PRIOR[0] / span)), _SLOPE_PRIOR[1]


def _log_probabilities(sizes: Floats, parameters: Floats, guess: float) -> tuple[Floats, Floats]:
    """log P and log (1 - P), each curves x sizes; `parameters` has threshold, slope, lapse a row.

    1 - P is built from its own terms, so that neither logarithm meets a rounded zero.
    """
    threshold, slope, lapse = (column[:, None] for column in parameters.T)
    away = slope * (sizes[None, :] - threshold)
    right = guess + (1 - guess - lapse) * special.expit(-away)
    wrong = (1 - guess) * special.expit(away) + lapse * special.expit(-away)
    return np.log(right), np.log(wrong)


def deviance(right: Floats, asked: Floats, likelihood: Floats | float) -> Floats:
    """Twice the log likelihood lost against the saturated model; counts are data sets x sizes."""
    wrong = asked - right
    saturated = special.xlogy(right, right) + special.xlogy(wrong, wrong)
    saturated = (saturated - special.xlogy(asked, asked)).sum(axis=-1)
    return np.maximum(0.0, 2 * (saturated - likelihood))
