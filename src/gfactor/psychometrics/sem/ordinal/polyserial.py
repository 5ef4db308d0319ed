"""Correlations of a continuous variable with an ordinal one, and of two continuous ones.

Reference: Olsson, U., Drasgow, F., Dorans, N. J. (1982). The polyserial correlation coefficient.
Psychometrika 47, 337-347 (the two-step estimator).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from gfactor.psychometrics.sem.ordinal.columns import NumericColumn, OrdinalColumn

Array = NDArray[np.float64]

LARGEST = 0.995
"""Correlations are kept within this, as lavaan keeps them."""

_LEAST = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Pair:
    """One correlation with its casewise scores.

    `scores` by rho, shape (n,); `first` by the mean and variance of the first (continuous)
    variable, (n, 2); `second` by the thresholds, or the mean and variance, of the second.
    """

    rho: float
    scores: Array
    first: Array
    second: Array


def _terms(
    x: NumericColumn, y: OrdinalColumn, rho: float
) -> tuple[Array, Array, Array, Array, Array, float]:
    root = float(np.sqrt(1 - rho**2))
    high, low = y.edges[y.codes + 1], y.edges[y.codes]
    upper, lower = (high - rho * x.z) / root, (low - rho * x.z) / root
    probability = np.maximum(ndtr(upper) - ndtr(lower), _LEAST)
    densities = [np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi) for z in (upper, lower)]
    slope = densities[0] * (high * rho - x.z) - densities[1] * (low * rho - x.z)
    return probability, densities[0], densities[1], slope / probability / root**3, upper, root


def polyserial(x: NumericColumn, y: OrdinalColumn) -> Pair:
    """Two-step maximum likelihood, mean, variance and thresholds given."""
    start = float(np.corrcoef(x.values, y.codes)[0, 1])

    def loss(at: float) -> float:
        return -float(np.log(_terms(x, y, at)[0]).mean())

    rho = float(np.clip(start, -0.9, 0.9))
    value = loss(rho)
    for _ in range(100):
        scores = _terms(x, y, rho)[3]
        gradient = -float(scores.mean())
        # The secant of the gradient: exact enough for Newton, and it needs no second derivative.
        width = 1e-5 * (1 - rho**2)
        ahead = -float(_terms(x, y, rho + width)[3].mean())
        behind = -float(_terms(x, y, rho - width)[3].mean())
        curve = (ahead - behind) / (2 * width)
        step = -gradient / (curve if curve > 0 else float((scores**2).mean()) + 1e-12)
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
    rows = np.arange(len(y.codes))
    spread = np.zeros((len(y.codes), y.categories + 1))
    spread[rows, y.codes + 1] = top / root / probability
    spread[rows, y.codes] = -bottom / root / probability
    first = np.column_stack([(x.z + pull) / sd, ((x.z**2 - 1) + pull * x.z) / (2 * x.variance)])
    return Pair(rho, scores, first, spread[:, 1:-1])


def pearson(x: NumericColumn, y: NumericColumn) -> Pair:
    """The correlation of two continuous variables, with bivariate normal scores."""
    rho = float((x.z * y.z).mean())
    rest = 1 - rho**2
    square = x.z**2 - 2 * rho * x.z * y.z + y.z**2
    scores = rho / rest + x.z * y.z / rest - square * rho / rest**2
    made: list[Array] = []
    for own, other in ((x, y), (y, x)):
        sd = np.sqrt(own.variance)
        mean = (own.z - rho * other.z) / (rest * sd)
        variance = ((own.z**2 - rho * own.z * other.z) / rest - 1) / (2 * own.variance)
        made.append(np.column_stack([mean, variance]))
    return Pair(rho, scores, made[0], made[1])
