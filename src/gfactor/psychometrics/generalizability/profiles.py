"""The minimum of a restricted likelihood, its equivalent complete design, and profiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from gfactor.psychometrics.float_arrays import cholesky, solve
from gfactor.psychometrics.generalizability.likelihoods import (
    CriterionPoint,
    RestrictedLikelihood,
    Strata,
)

Floats = NDArray[np.float64]

_STEPS = 200
"""Largest number of Newton steps."""
_ROUGH_STEPS = 4
"""Steps with the expected derivatives of a complete design of the same size."""
_DECREMENT = 1e-11
"""Predicted decrease of the criterion in the next step below which the search ends."""
_PROFILE_DECREMENT = 1e-6
"""Predicted decrease below which the search for a point of a profile ends."""
_LEAST_RESIDUAL = 1e-9
"""Smallest residual variance, as a share of the mean square of the scores."""
_CLOSE = 1e-3
"""Distance from an interval's end at which one more Newton step is exact."""


def minimized(
    likelihood: RestrictedLikelihood,
    start: Floats,
    *,
    fixed: int | None = None,
    rough: Callable[[Floats], Floats] | None = None,
    decrement: float = _DECREMENT,
) -> tuple[Floats, CriterionPoint]:
    """Return the nonnegative variances with the lowest criterion, and the criterion there.

    Parameters
    ----------
    likelihood : RestrictedLikelihood
        Criterion with its derivatives.
    start : array
        Variances to start from.
    fixed : int, optional
        Number of a variance that is held fixed.
    rough : callable, optional
        Second derivatives for the first steps.
    decrement : float
        Predicted decrease of the criterion at which the search ends.
    """
    least = np.zeros(start.size)
    least[-1] = _LEAST_RESIDUAL * start.sum()
    here = likelihood(start)
    for count in range(_STEPS):
        free = (start > least) | (here.gradient < 0)
        if fixed is not None:
            free[fixed] = False
        second = rough(start) if rough and count < _ROUGH_STEPS else here.information
        step = np.zeros(start.size)
        step[free] = _newton(second[np.ix_(free, free)], here.gradient[free])
        if -float(here.gradient @ step) < decrement:
            break
        size, there, trial = 1.0, here, start
        # The residual variance falls by at most a factor of ten per step, because it is the unit of
        # all others.
        floor = np.append(least[:-1], max(least[-1], 0.1 * start[-1]))
        while size > 1e-6:
            trial = np.maximum(start + size * step, floor)
            there = likelihood(trial)
            if there.value <= here.value + 1e-9:
                break
            size /= 4
        else:
            break
        start, here = trial, there
    return start, here


def _newton(second: Floats, gradient: Floats) -> Floats:
    scale = 1 / np.sqrt(np.maximum(np.diag(second), 1e-300))
    scaled = second * np.outer(scale, scale) + 1e-12 * np.eye(scale.size)
    return -scale * solve(scaled, scale * gradient)


@dataclass(frozen=True)
class EquivalentDesign:
    """The complete design whose likelihood approximates that of the data near the estimates.

    Parameters
    ----------
    factor : array
        Lower triangular factor of the expected second derivatives.
    root : array
        Square roots of the degrees of freedom of the mean squares.
    ratio : array
        Mean squares, divided by their expectations at the estimates.
    """

    factor: Floats
    root: Floats
    ratio: Floats

    @property
    def df(self) -> Floats:
        """Return the degrees of freedom of the mean squares."""
        return self.root**2

    @property
    def spread(self) -> Floats:
        """Return the standard errors of the variances (Brennan 2001, section 6.1)."""
        solved = linalg.solve_triangular(self.factor.T, np.eye(self.root.size))
        return np.sqrt(solved**2 @ (2 * self.ratio**2 * self.df / (self.df + 2)))

    def strata(self, n: int) -> Strata:
        """Return the mean squares of the design, as `Strata` of `n` scores."""
        expected = self.factor.T / self.root[:, None]
        return Strata(self.ratio, self.df, expected, n, 0.0)

    def draws(self, n: int, seed: int) -> Floats:
        """Return draws of the variances (rows), which may be below 0."""
        rng = np.random.default_rng(seed)
        drawn = self.ratio * self.df / rng.chisquare(self.df, (n, self.df.size))
        return linalg.solve_triangular(self.factor.T, (self.root * drawn).T).T

    def scale(self, k: int) -> float:
        """Return the expected mean square of an effect in units of its variance."""
        return float(self.root[k] / self.factor[k, k])


def equivalent_design(
    likelihood: RestrictedLikelihood, variances: Floats, here: CriterionPoint
) -> EquivalentDesign | None:
    """Return the equivalent complete design, or None if the criterion has no curvature.

    The second derivatives of a complete design are the sum over mean squares of df e e' / l^2, with
    l = e' v and e triangular, so that their triangular factor has the columns sqrt(df) e / l.
    """
    scale = np.sqrt(1 / np.diag(here.information))
    expected = likelihood.expected(variances) * np.outer(scale, scale)
    try:
        factor = cholesky(expected) / scale[:, None]
    except np.linalg.LinAlgError:
        return None
    root = np.maximum(factor.T @ variances, math.sqrt(0.5))
    slopes = np.where(variances > 0, 0.0, here.gradient)
    ratio = 1 - linalg.solve_triangular(factor, slopes, lower=True) / root
    return EquivalentDesign(factor, root, np.maximum(ratio, 1e-3))


@dataclass(frozen=True)
class _Point:
    """A point of a profile: all variances, the criterion there, and its rise."""

    variances: Floats
    here: CriterionPoint
    rise: float


@dataclass(frozen=True)
class ProfiledVariance:
    """The criterion as a function of one variance, minimized over the others.

    Parameters
    ----------
    likelihood : RestrictedLikelihood
        Criterion with its derivatives.
    best : array
        Estimates.
    here : Evaluation
        Criterion at the estimates.
    design : EquivalentDesign
        Equivalent complete design.
    k : int
        Number of the variance.
    """

    likelihood: RestrictedLikelihood
    best: Floats
    here: CriterionPoint
    design: EquivalentDesign
    k: int

    def rise(self, variance: float) -> float:
        """Return the rise of the criterion from its minimum to a value of the variance."""
        return max(self._moved(_Point(self.best, self.here, 0.0), variance).rise, 0.0)

    def _moved(self, start: _Point, variance: float) -> _Point:
        """The point of the profile at a variance, from another point near it."""
        k, second = self.k, start.here.information
        # The others move along the tangent, over the reciprocal of the effect's mean square.
        shift = self._shift
        before, after = start.variances[k] + shift, variance + shift
        step = (variance - start.variances[k]) * before / max(after, 0.1 * before)
        free = start.variances > 0
        free[k] = False
        trial = start.variances.copy()
        trial[free] -= solve(second[np.ix_(free, free)], second[free, k]) * step
        trial = np.maximum(trial, 0.1 * start.variances)
        trial[k] = variance
        at, here = minimized(self.likelihood, trial, fixed=k, decrement=_PROFILE_DECREMENT)
        return _Point(at, here, here.value - self.here.value)

    @property
    def _shift(self) -> float:
        """The part of the mean square beside the effect, in units of its variance."""
        return max(self.design.scale(self.k) - float(self.best[self.k]), 0.0)

    def end(self, cut: float, side: int, start: float) -> float:
        """Return the variance at which the criterion has risen by `cut`.

        It uses Newton's method for the root of the rise, over the logarithm of the effect's mean
        square, inside a bracket.

        Parameters
        ----------
        cut : float
            Rise of the criterion above its minimum.
        side : {-1, 1}
            Below or above the estimate; below, 0 if the criterion rises less.
        start : float
            A value near the end.
        """
        shift = self._shift
        total = float(self.best[self.k]) + shift
        least = math.log(shift / total) if shift > 0 else -math.inf
        log = math.log((start + shift) / total)
        near, far = 0.0, math.inf if side > 0 else -math.inf
        if not log * side > 0:
            log = 0.5 if side > 0 else max(-0.5, least / 2)
        point = _Point(self.best, self.here, 0.0)
        for _ in range(100):
            point = self._moved(point, max(math.exp(log) * total - shift, 0.0))
            root = math.sqrt(max(point.rise, 1e-300))
            slope = float(point.here.gradient[self.k]) * math.exp(log) * total / (2 * root)
            away = math.sqrt(cut) - root
            near, far = (log, far) if away > 0 else (near, log)
            aim = log + away / slope if slope * side > 0 else math.inf
            if least < aim and abs(aim - log) < _CLOSE:
                return max(math.exp(aim) * total - shift, 0.0)
            if aim <= least and math.isinf(far):
                far = least
                if self.rise(0.0) <= cut:
                    return 0.0
            if not min(near, far) < aim < max(near, far):
                aim = near + side if math.isinf(far) else (near + far) / 2
            log = aim
        return max(math.exp(log) * total - shift, 0.0)
