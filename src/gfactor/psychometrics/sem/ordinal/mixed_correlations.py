"""Correlations of a continuous variable with an ordinal one, and of two continuous ones; of their
residuals if covariates are given.

Reference: Olsson, U., Drasgow, F., Dorans, N. J. (1982). The polyserial correlation coefficient.
Psychometrika 47, 337-347 (the two-step estimator).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from gfactor.psychometrics.sem.ordinal.columns import NumericColumn, OrdinalColumn, average

Array = NDArray[np.float64]

LARGEST = 0.995
"""Largest absolute correlation, as in lavaan."""

_LEAST = float(np.finfo(float).eps)


@dataclass(frozen=True)
class PairCorrelation:
    """One correlation with its casewise scores.

    `scores` by rho, shape (n,); `first` by the mean, slopes on given covariates and variance of
    the first variable, (n, 2 + q), or its thresholds and slopes; `second` by those of the second.
    """

    rho: float
    scores: Array
    first: Array
    second: Array


def _terms(
    x: NumericColumn, y: OrdinalColumn, rho: float
) -> tuple[Array, Array, Array, Array, Array, float]:
    root = float(np.sqrt(1 - rho**2))
    low, high = y.limits
    upper, lower = (high - rho * x.z) / root, (low - rho * x.z) / root
    probability = np.maximum(ndtr(upper) - ndtr(lower), _LEAST)
    densities = [np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) for z in (upper, lower)]
    slope = densities[0] * (high * rho - x.z) - densities[1] * (low * rho - x.z)
    return probability, densities[0], densities[1], slope / probability / root**3, upper, root


def polyserial(x: NumericColumn, y: OrdinalColumn) -> PairCorrelation:
    """Return the polyserial correlation by two-step maximum likelihood, given mean, variance and
    thresholds."""
    start = float(np.corrcoef(x.z, y.codes)[0, 1])

    def loss(at: float) -> float:
        return -float(average(np.log(_terms(x, y, at)[0]), x.weights))

    rho = float(np.clip(start, -0.9, 0.9))
    value = loss(rho)
    for _ in range(100):
        scores = _terms(x, y, rho)[3]
        gradient = -float(average(scores, x.weights))
        # The secant of the gradient is exact enough for Newton steps and needs no second
        # derivative.
        width = 1e-5 * (1 - rho**2)
        ahead = -float(average(_terms(x, y, rho + width)[3], x.weights))
        behind = -float(average(_terms(x, y, rho - width)[3], x.weights))
        curve = (ahead - behind) / (2 * width)
        step = -gradient / (curve if curve > 0 else float(average(scores**2, x.weights)) + 1e-12)
        room = LARGEST - rho if step > 0 else rho + LARGEST
        step = float(np.sign(step)) * min(abs(step), 0.7 * room if room > 1e-4 else room)
        for _ in range(20):
            tried = loss(rho + step)
            if tried <= value + 1e-15 * abs(value):
                break
            step /= 2
        rho, value = rho + step, loss(rho + step)
        if abs(step) < 1e-13:
            break
    rho = float(np.clip(rho, -LARGEST, LARGEST))
    probability, top, bottom, scores, _, root = _terms(x, y, rho)
    sd = np.sqrt(x.variance)
    pull = rho / root * (top - bottom) / probability
    first = x.spread((x.z + pull) / sd, ((x.z**2 - 1) + pull * x.z) / (2 * x.variance))
    second = y.spread(-bottom / root / probability, top / root / probability)
    return PairCorrelation(rho, scores, first, second)


def _correlation(a: Array, b: Array, weights: Array | None = None) -> float:
    """The maximum likelihood correlation of two variables with known means and variances (0 and 1):
    the mean product if their squares have mean one; otherwise (for example in the complete pairs of
    incomplete data) the root of a cubic equation."""
    product, square = float(average(a * b, weights)), float(average(a**2 + b**2, weights))
    if abs(square - 2) < 1e-12:
        return product
    roots = np.roots([1.0, -product, square - 1, -product])
    real = roots.real[np.abs(roots.imag) < 1e-9]
    inside = real[np.abs(real) < 1]
    loss = [np.log(1 - r**2) + (square - 2 * r * product) / (1 - r**2) for r in inside]
    return float(inside[int(np.argmin(loss))])


def pearson(x: NumericColumn, y: NumericColumn) -> PairCorrelation:
    """Return the correlation of two continuous variables, with bivariate normal scores."""
    rho = _correlation(x.z, y.z, x.weights)
    rest = 1 - rho**2
    square = x.z**2 - 2 * rho * x.z * y.z + y.z**2
    scores = rho / rest + x.z * y.z / rest - square * rho / rest**2
    scores_of: list[Array] = []
    for one, other in ((x, y), (y, x)):
        sd = np.sqrt(one.variance)
        mean = (one.z - rho * other.z) / (rest * sd)
        variance = ((one.z**2 - rho * one.z * other.z) / rest - 1) / (2 * one.variance)
        scores_of.append(one.spread(mean, variance))
    return PairCorrelation(rho, scores, scores_of[0], scores_of[1])
