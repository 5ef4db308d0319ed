"""The psychometric function of accuracy against size, its likelihood, maximum and profile.

    P(s) = guess(s) + (1 - guess(s) - lapse) * F(s),   F(s) = 1 / (1 + exp(slope * (s - threshold)))

The threshold is the size at which F is one half, so accuracy is halfway between its ceiling and
chance. The slope is the fall of F's log odds per unit of size. Chance may differ from size to size.

Why logistic: size is a count on a ratio scale that starts at 1, so shapes for positive intensities
(Weibull) have no advantage here; twenty sizes cannot distinguish the logistic from the cumulative
normal; and its log odds are linear, so that slopes can be compared with those of item response
models. The choice of F hardly moves the threshold (Wichmann and Hill 2001).

The likelihood is binomial, with two weak penalties. The slope has a log-normal prior: with one
answer per size the plain maximum is nearly always a step. The lapse rate, as a share of
`LAPSE_MAX`, has a beta prior with most of its mass near zero, which keeps the maximum off the
boundary, if neither a gradient nor a likelihood ratio behaves.

Everything works on many data sets at once: a row is a data set, a column a size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from gfactor.psychometrics.float_arrays import einsum, solve

Floats = NDArray[np.float64]

LAPSE_MAX = 0.3
"""Largest lapse rate; beyond, a curve cannot be distinguished from one with a low ceiling."""

LAPSE_PRIOR = (0.2, 2.0)
"""Beta prior of the logit of lapse / LAPSE_MAX: as if 2.2 more answers at full ease had been seen,
0.2 of them lapses."""

SLOPE_PRIOR = (12.0, 1.2)
"""Median of slope times span of the sizes, and standard deviation of its logarithm: F falls from
0.9 to 0.1 within a third of the sizes, give or take (95 %) a factor of ten."""

_MARGIN = 0.25
"""Share of the span beyond the sizes in which thresholds are still searched; they count as
censored."""

_SLOPE_REACH = 3.0
"""Largest distance of a log slope from the prior's median, in its standard deviations; F then is a
positive float at every size."""

_LOGIT_REACH = 12.0
_STARTS = tuple(
    (where, times, -2.0) for where in (0.05, 0.35, 0.65, 0.95) for times in (4.0, 12.0, 50.0)
)
"""Starting points: threshold as part of the span, slope times span, logit of the lapse."""

_TOLERANCE = 1e-9
"""Gain of log likelihood in a step below which a row has converged."""

_PROFILE_POINTS = 13
_CHUNK = 200_000
"""Number of cells (rows x sizes) computed at once, which fit the processor's cache."""


def accuracy_at(
    size: ArrayLike,
    threshold: ArrayLike,
    slope: ArrayLike,
    lapse: ArrayLike = 0.0,
    guess: ArrayLike = 0.0,
) -> Floats:
    """Return P(size), the expected accuracy, broadcast over all arguments.

    Parameters
    ----------
    size : ArrayLike
        Sizes at which the curve is evaluated.
    threshold : ArrayLike
        The size at which accuracy has fallen half of its way to chance.
    slope : ArrayLike
        Steepness of the fall at the threshold, per unit of size.
    lapse : ArrayLike
        Share of errors that do not depend on size.
    guess : ArrayLike
        Chance, which the curve approaches.

    Returns
    -------
    array of float
        Expected accuracy, of the broadcast shape.

    Examples
    --------
    >>> from gfactor.psychometrics import accuracy_at
    >>> float(accuracy_at(5, threshold=5, slope=1, guess=0.25))
    0.625
    """
    fall = special.expit(-np.asarray(slope) * (np.asarray(size) - np.asarray(threshold)))
    return np.asarray(guess + (1 - np.asarray(guess) - lapse) * fall, float)


@dataclass(frozen=True)
class CurveData:
    """Counts of right answers and answers, and chance, each data sets x sizes.

    A curve is a row of `points`: threshold, log slope, logit of lapse / LAPSE_MAX.
    """

    sizes: Floats
    right: Floats
    asked: Floats
    guess: Floats

    def __len__(self) -> int:
        return len(self.right)

    def take(self, rows: NDArray[np.integer]) -> CurveData:
        """Return some of the data sets, in the order of `rows`, which may contain a number several
        times."""
        return CurveData(self.sizes, self.right[rows], self.asked[rows], self.guess[rows])

    @property
    def span(self) -> float:
        return float(self.sizes[-1] - self.sizes[0])

    @property
    def bounds(self) -> Floats:
        """Lower and upper bounds of threshold, log slope and logit in the search, 3 x 2."""
        median, spread = self.slope_prior
        margin, reach = _MARGIN * self.span, _SLOPE_REACH * spread
        return np.array(
            [
                (self.sizes[0] - margin, self.sizes[-1] + margin),
                (median - reach, median + reach),
                (-_LOGIT_REACH, _LOGIT_REACH),
            ]
        )

    @property
    def slope_prior(self) -> tuple[float, float]:
        """Median and standard deviation of the log slope."""
        return float(np.log(SLOPE_PRIOR[0] / self.span)), SLOPE_PRIOR[1]

    def evaluate(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        """Return penalized log likelihood, its gradient and expected information, a row per data
        set.

        The probabilities of right and wrong answers are computed from separate terms, so that
        neither is rounded to zero before the logarithm.
        """
        slope = np.exp(points[:, 1:2])
        share = special.expit(points[:, 2:3])
        lapse = LAPSE_MAX * share
        away = slope * (self.sizes - points[:, :1])
        fall, rise = special.expit(-away), special.expit(away)
        height = 1 - self.guess - lapse
        p = self.guess + height * fall
        q = (1 - self.guess) * rise + lapse * fall
        wrong = self.asked - self.right
        gain = (special.xlogy(self.right, p) + special.xlogy(wrong, q)).sum(axis=1)
        bend = height * fall * rise
        change = np.stack([bend * slope, -bend * away, -fall * lapse * (1 - share)], axis=1)
        weight = self.asked / np.maximum(p * q, 1e-300)
        pull = self.right / np.maximum(p, 1e-300) - wrong / np.maximum(q, 1e-300)
        gradient = einsum("ds,dis->di", pull, change)
        information = einsum("dis,djs->dij", weight[:, None] * change, change)
        self._penalize(points, gain, gradient, information)
        return gain, gradient, information

    def log_likelihood(self, points: Floats) -> Floats:
        """Return the log likelihood without penalties, one value per data set."""
        gain, gradient, information = np.zeros(len(points)), np.zeros((len(points), 3)), None
        self._penalize(points, gain, gradient, information)
        return self.evaluate(points)[0] - gain

    def _penalize(
        self, points: Floats, gain: Floats, gradient: Floats, information: Floats | None
    ) -> None:
        """Add the priors' log densities and their derivatives."""
        median, spread = self.slope_prior
        lapses, hits = LAPSE_PRIOR
        away = (points[:, 1] - median) / spread
        share, rest = special.expit(points[:, 2]), special.expit(-points[:, 2])
        gain += -0.5 * away**2 - lapses * np.log1p(np.exp(-points[:, 2]))
        gain += -hits * np.log1p(np.exp(points[:, 2]))
        gradient[:, 1] -= away / spread
        gradient[:, 2] += lapses * rest - hits * share
        if information is not None:
            information[:, 1, 1] += 1 / spread**2
            information[:, 2, 2] += (lapses + hits) * share * rest


def natural(points: Floats) -> Floats:
    """Return threshold, slope and lapse rate of points."""
    lapse = LAPSE_MAX * special.expit(points[:, 2])
    return np.stack([points[:, 0], np.exp(points[:, 1]), lapse], axis=1)


def maximize(
    data: CurveData, starts: Floats, free: Sequence[int] = (0, 1, 2), steps: int = 100
) -> tuple[Floats, Floats]:
    """Maximize the penalized likelihood of every data set by Fisher scoring with damping.

    Parameters
    ----------
    starts: start values, one point per data set.
    free: the parameters that may change.
    steps: largest number of steps; rows that have converged are not changed any more.

    Returns
    -------
    Points, and the penalized log likelihood of each.
    """
    estimates, gains = starts.copy(), np.empty(len(starts))
    rows = max(1, _CHUNK // data.sizes.size)
    for begin in range(0, len(starts), rows):
        part = np.arange(begin, min(begin + rows, len(starts)))
        estimates[part], gains[part] = _scored(data.take(part), starts[part], list(free), steps)
    return estimates, gains


def _scored(data: CurveData, starts: Floats, free: list[int], steps: int) -> tuple[Floats, Floats]:
    low, high = data.bounds.T
    estimates, damping = np.clip(starts, low, high), np.full(len(starts), 1e-3)
    gain, gradient, information = data.evaluate(estimates)
    open_rows, diagonal = np.arange(len(estimates)), np.arange(len(free))
    for _ in range(steps):
        if not open_rows.size:
            break
        matrix = information[open_rows][:, free][:, :, free]
        scale = matrix[:, diagonal, diagonal] + 1e-9
        matrix[:, diagonal, diagonal] += damping[open_rows, None] * scale
        step = solve(matrix, gradient[open_rows][:, free, None])[..., 0]
        tried = estimates[open_rows]
        tried[:, free] += np.clip(step, -3, 3)
        tried = np.clip(tried, low, high)
        still_open = data.take(open_rows) if open_rows.size < len(data) else data
        new_gain, new_gradient, new_information = still_open.evaluate(tried)
        better = new_gain >= gain[open_rows]
        grown = new_gain - gain[open_rows]
        improved = open_rows[better]
        estimates[improved], gain[improved] = tried[better], new_gain[better]
        gradient[improved], information[improved] = new_gradient[better], new_information[better]
        damping[open_rows] *= np.where(better, 0.2, 8.0)
        done = (better & (grown < _TOLERANCE)) | (damping[open_rows] > 1e9)
        open_rows = open_rows[~done]
    return estimates, gain


def best_points(data: CurveData) -> tuple[Floats, Floats]:
    """Return the penalized maximum of every data set, the best of several starts."""
    first, span = data.sizes[0], data.span
    starts = np.array([(first + a * span, np.log(b / span), c) for a, b, c in _STARTS])
    many = np.repeat(np.arange(len(data)), len(starts))
    points, gains = maximize(data.take(many), np.tile(starts, (len(data), 1)), steps=25)
    best = gains.reshape(len(data), -1).argmax(axis=1)
    return maximize(data, points.reshape(len(data), len(starts), 3)[np.arange(len(data)), best])


def profile_intervals(
    data: CurveData, points: Floats, gains: Floats, level: float
) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of the profile likelihood intervals of threshold, log slope
    and logit, each of shape data sets x 3.

    The interval of a parameter contains the values for which the maximum over the other two loses
    less than half the chi-square quantile of one degree of freedom. If it reaches the bounds of
    the search, it ends there.
    """
    limit = special.chdtri(1, 1 - level)
    low, high = points.copy(), points.copy()
    for parameter in range(3):
        for ends, side in ((low, 0), (high, 1)):
            ends[:, parameter] = _profile_end(data, points, gains, parameter, side, limit)
    return low, high


def _profile_end(
    data: CurveData, points: Floats, gains: Floats, parameter: int, side: int, limit: float
) -> Floats:
    """Return the point at which one parameter's profile crosses the limit, on one side.

    The crossing is bracketed on points that become sparser away from the maximum, then once more
    inside the bracket, and interpolated in the root of the deviance, which is nearly linear.
    """
    inner = points[:, parameter].copy()
    outer = np.full(len(points), data.bounds[parameter, side])
    inner, outer, _ = _bracket(data, points, gains, parameter, inner, outer, limit, power=2.0)
    inner, outer, roots = _bracket(data, points, gains, parameter, inner, outer, limit)
    near, far = roots.T
    # If not even the bound is beyond the limit, the interval ends there.
    crosses = far > np.sqrt(limit)
    share = (np.sqrt(limit) - near) / np.where(crosses, np.maximum(far - near, 1e-12), 1.0)
    return inner + np.where(crosses, np.clip(share, 0, 1), 1.0) * (outer - inner)


def _bracket(
    data: CurveData,
    points: Floats,
    gains: Floats,
    parameter: int,
    inner: Floats,
    outer: Floats,
    limit: float,
    power: float = 1.0,
) -> tuple[Floats, Floats, Floats]:
    """Return the first two neighboring values between which the root deviance passes its limit.

    The root deviance at both is returned, too. If it never passes, they are the outermost two."""
    parts = np.linspace(0, 1, _PROFILE_POINTS) ** power
    values = inner[:, None] + parts * (outer - inner)[:, None]
    roots = _profile_roots(data, points, gains, parameter, values)
    beyond = roots > np.sqrt(limit)
    beyond[:, 0] = False
    beyond[:, -1] = True
    index, rows = beyond.argmax(axis=1), np.arange(len(points))
    ends = np.stack([roots[rows, index - 1], roots[rows, index]], axis=1)
    return values[rows, index - 1], values[rows, index], ends


def _profile_roots(
    data: CurveData, points: Floats, gains: Floats, parameter: int, values: Floats
) -> Floats:
    """Return the root deviance at fixed values of one parameter: data sets x values."""
    rows = np.repeat(np.arange(len(points)), values.shape[1])
    starts = points[rows]
    starts[:, parameter] = values.ravel()
    free = [p for p in range(3) if p != parameter]
    repeated = data.take(rows)
    best = maximize(repeated, starts, free, steps=40)[1]
    # A second start is the curve through the middle of the data, because the first one may end in
    # another maximum.
    other = starts.copy()
    if parameter != 0:
        total = repeated.right.sum(axis=1) / np.maximum(repeated.asked.sum(axis=1), 1)
        other[:, 0] = data.sizes[0] + total * data.span
    else:
        other[:, 1] = data.slope_prior[0]
    other[:, 2] = values.ravel() if parameter == 2 else 0.0
    best = np.maximum(best, maximize(repeated, other, free, steps=40)[1])
    lost = 2 * (gains[rows] - best)
    return np.sqrt(np.maximum(lost, 0)).reshape(values.shape)


def deviance(right: Floats, answered: Floats, likelihood: Floats | float) -> Floats:
    """Return the deviance, twice the difference in log likelihood from the saturated model; counts
    are data sets x sizes."""
    wrong = answered - right
    saturated = special.xlogy(right, right) + special.xlogy(wrong, wrong)
    saturated = (saturated - special.xlogy(answered, answered)).sum(axis=-1)
    return np.maximum(0.0, 2 * (saturated - likelihood))
