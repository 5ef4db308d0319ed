"""Polychoric correlations given covariates: every case has limits of its own.

Reference: Muthen, B. (1984). A general structural equation model with dichotomous, ordered
categorical, and continuous latent variable indicators. Psychometrika 49, 115-132 (case B: the
moments of responses conditional on x).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from gfactor.psychometrics.sem.ordinal.bivariate import (
    FAR,
    bivariate_normal_cdf,
    bivariate_normal_pdf,
)
from gfactor.psychometrics.sem.ordinal.columns import LEAST, OrdinalColumn
from gfactor.psychometrics.sem.ordinal.polychoric import LARGEST
from gfactor.psychometrics.sem.ordinal.polyserial import Pair

Array = NDArray[np.float64]

_SIGNS = ((1, 1, 1.0), (0, 1, -1.0), (1, 0, -1.0), (0, 0, 1.0))
"""Corners of a case's rectangle: upper or lower limit of both, and the corner's sign."""


def conditional_polychoric(a: OrdinalColumn, b: OrdinalColumn) -> Pair:
    """The correlation of two ordinal variables' residual responses by maximum likelihood, with
    casewise scores by it and by both variables' thresholds and slopes."""
    first = tuple(np.clip(x, -FAR, FAR) for x in a.limits)
    second = tuple(np.clip(x, -FAR, FAR) for x in b.limits)

    def cells(rho: float) -> Array:
        total = sum(
            sign * bivariate_normal_cdf(first[i], second[j], np.array(rho)) for i, j, sign in _SIGNS
        )
        return np.maximum(total, LEAST)

    rho, inside = 0.0, cells(0.0)
    value = -float(np.log(inside).mean())
    for _ in range(60):
        tried, new = inside, value
        density, bend = _slopes(first, second, rho)
        scores = density / inside
        gradient, fisher = -float(scores.mean()), float((scores**2).mean())
        curve = float((scores**2 - bend / inside).mean())
        step = -gradient / (curve if curve > 0.1 * fisher else fisher + 1e-12)
        room = LARGEST - rho if step > 0 else rho + LARGEST
        step = float(np.sign(step)) * min(abs(step), 0.7 * room if room > 1e-4 else room)
        for _ in range(20):
            tried = cells(rho + step)
            new = -float(np.log(tried).mean())
            if new <= value + 1e-15 * abs(value):
                break
            step /= 2
        rho, inside, value = rho + step, tried, new
        if abs(step) < 1e-13:
            break
    rho = float(np.clip(rho, -LARGEST, LARGEST))
    scores = _slopes(first, second, rho)[0] / inside
    return Pair(
        rho,
        scores,
        a.spread(*_by_limits(first, second, rho, inside)),
        b.spread(*_by_limits(second, first, rho, inside)),
    )


Limits = tuple[Array, ...]


def _slopes(first: Limits, second: Limits, rho: float) -> tuple[Array, Array]:
    """Derivatives of every case's probability by rho: first and second."""
    density, bend = np.zeros(len(first[0])), np.zeros(len(first[0]))
    rest = 1 - rho**2
    for i, j, sign in _SIGNS:
        h, k = first[i], second[j]
        own = sign * bivariate_normal_pdf(h, k, np.array(rho))
        density += own
        bend += own * (rho / rest + (h * k * (1 + rho**2) - rho * (h**2 + k**2)) / rest**2)
    return density, bend


def _by_limits(own: Limits, other: Limits, rho: float, inside: Array) -> tuple[Array, Array]:
    """Derivatives of every case's log-probability by its lower and its upper limit."""
    root = np.sqrt(1 - rho**2)
    found: list[Array] = []
    for sign, edge in zip((-1.0, 1.0), own, strict=True):
        high, low = ((limit - rho * edge) / root for limit in (other[1], other[0]))
        density = np.exp(-(edge**2) / 2) / np.sqrt(2 * np.pi)
        found.append(sign * density * (ndtr(high) - ndtr(low)) / inside)
    return found[0], found[1]
