"""Restricted likelihoods of variance components: their interface, and that of a complete design.

The covariance matrix of the scores is V = sum of v_k Z_k Z_k' + v_e I, and the criterion is minus
twice the restricted log-likelihood (Patterson and Thompson 1971) in lme4's constant:

    log |V| + log (1' V^-1 1) + y' P y + (n - 1) log 2 pi.

References
----------
Patterson, H. D., Thompson, R. (1971). Recovery of inter-block information when block sizes are
    unequal. Biometrika 58, 545-554.
Gilmour, A. R., Thompson, R., Cullis, B. R. (1995). Average information REML: an efficient algorithm
    for variance parameter estimation in linear mixed models. Biometrics 51, 1440-1450.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CriterionPoint:
    """The criterion at one point.

    Parameters
    ----------
    value : float
        Minus twice the restricted log-likelihood.
    gradient : array
        Derivatives by the variances, the residual's last.
    information : array
        Positive matrix near the second derivatives: y' P V_j P V_k P y (average information).
    mean : float
        Estimate of the grand mean.
    """

    value: float
    gradient: Floats
    information: Floats
    mean: float


class RestrictedLikelihood(Protocol):
    """A restricted likelihood of variances."""

    n: int
    """Number of scores."""

    def __call__(self, variances: Floats) -> CriterionPoint: ...

    def expected(self, variances: Floats) -> Floats:
        """Return the expected second derivatives: tr(P V_j P V_k)."""
        ...


class Strata:
    """The restricted likelihood of a complete design: independent mean squares.

    Parameters
    ----------
    ms, df : array
        Mean squares and their degrees of freedom.
    expected_ms : array
        Coefficients of the variances (columns) in the expected mean squares (rows).
    n : int
        Number of scores.
    mean : float
        Grand mean.
    """

    def __init__(self, ms: Floats, df: Floats, expected_ms: Floats, n: int, mean: float) -> None:
        self.ms, self.df, self.coefficients = ms, df, expected_ms
        self.n, self.mean = n, mean
        self._constant = math.log(n) + (n - 1) * math.log(2 * math.pi)

    def __call__(self, variances: Floats) -> CriterionPoint:
        of = self.coefficients @ variances
        ratio = self.ms / of
        value = float(self.df @ (np.log(of) + ratio)) + self._constant
        gradient = self.coefficients.T @ (self.df * (1 - ratio) / of)
        weights = self.df * np.maximum(ratio, 0.1) / of**2
        information = (self.coefficients.T * weights) @ self.coefficients
        return CriterionPoint(value, gradient, information, self.mean)

    def expected(self, variances: Floats) -> Floats:
        of = self.coefficients @ variances
        return (self.coefficients.T * (self.df / of**2)) @ self.coefficients
