"""Weighted least squares of thresholds and correlations: ULS, DWLS and WLS.

Reference: Muthen, B., du Toit, S. H. C., Spisic, D. (1997). Robust inference using weighted least
squares and quadratic estimating equations in latent variable modeling with categorical and
continuous outcomes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.sem.discrepancy import DiagonalWeight, Weight
from gfactor.psychometrics.sem.model import Point, Structure
from gfactor.psychometrics.sem.ordinal.moments import OrdinalMoments
from gfactor.psychometrics.sem.ordinal.point import OrdinalGroupPoint, OrdinalPoint
from gfactor.psychometrics.sem.ordinal.structure import OrdinalStructure

Array = NDArray[np.float64]


def weight_matrix(moments: OrdinalMoments, estimator: str) -> Weight:
    """Return the weight of one group's statistics: the identity, 1 / diag(gamma), or gamma's
    inverse.

    Raises ParameterError for "WLS" if gamma has no inverse.
    """
    if estimator == "ULS":
        return DiagonalWeight(np.ones(len(moments.gamma)))
    if estimator == "DWLS":
        return DiagonalWeight(1 / np.diag(moments.gamma))
    if np.linalg.cond(moments.gamma) > 1e13:
        raise ParameterError(
            f"WLS needs the inverse of the covariance of {len(moments.gamma)} statistics, for "
            f"which {moments.n} cases are too few; use WLSMV"
        )
    inverse = inv(moments.gamma)
    return (inverse + inverse.T) / 2


class OrdinalLeastSquares:
    """Half the weighted sum of squared distances, with each group weighted by its share of the
    cases, times (n - 1) / n as in lavaan.

    Parameters
    ----------
    structure: the model. moments: one per group. weights: one matrix per group.
    """

    def __init__(
        self,
        structure: OrdinalStructure,
        moments: tuple[OrdinalMoments, ...],
        weights: tuple[Weight, ...],
    ) -> None:
        self.ordinal = structure
        self.moments = moments
        self.weights = weights
        total = sum(of_group.size for of_group in moments)
        self.shares = tuple((of_group.size - 1) / total for of_group in moments)
        self._observed = tuple(of_group.statistics for of_group in moments)

    @property
    def structure(self) -> Structure:
        return self.ordinal.latent

    def at(self, theta: Array) -> Point:
        return OrdinalPoint(self.ordinal, theta)

    def _groups(self, point: Point) -> list[tuple[float, OrdinalGroupPoint, Weight, Array]]:
        """Share, point, weight matrix and residuals of every group."""
        parts = []
        for number, group in enumerate(point.groups):
            assert isinstance(group, OrdinalGroupPoint)
            away = self._observed[number] - group.statistics
            parts.append((self.shares[number], group, self.weights[number], away))
        return parts

    def value(self, point: Point) -> float:
        groups = self._groups(point)
        if not all(group.defined for _, group, _, _ in groups):
            return np.inf
        return 0.5 * sum(share * float(away @ w @ away) for share, _, w, away in groups)

    def gradient(self, point: Point) -> Array:
        n_free = self.structure.n_free
        out = np.zeros(n_free)
        for share, group, w, away in self._groups(point):
            out -= share * (group.delta(True, n_free).T @ (w @ away))
        return out

    def expected(self, point: Point) -> Array:
        n_free = self.structure.n_free
        out = np.zeros((n_free, n_free))
        for share, group, w, _ in self._groups(point):
            d = group.delta(True, n_free)
            out += share * (d.T @ (w @ d))
        return out

    def hessian(self, point: Point) -> Array:
        out = self.expected(point)
        for share, group, w, away in self._groups(point):
            out -= share * group.bend(w @ away, self.structure.n_free)
        return out
