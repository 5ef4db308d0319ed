"""The normal likelihood of two-level data of one group or several, which are independent.

Each group's is that of `group_levels`, or of `incomplete` if values are missing.

References
----------
Muthen, B. O. (1994). Multilevel covariance structure analysis. Sociological Methods & Research 22,
    376-398.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.sem.model import Point, Structure, vech_places
from gfactor.psychometrics.sem.twolevel.group_levels import CompleteLevels, GroupLevels
from gfactor.psychometrics.sem.twolevel.incomplete import IncompleteLevels
from gfactor.psychometrics.sem.twolevel.sample import Clusters

Array = NDArray[np.float64]
_LOG_2PI = float(np.log(2 * np.pi))


class TwoLevelPoint(Point):
    """A two-level model at one parameter vector; `levels` are those of each group."""

    def __init__(self, structure: Structure, theta: Array, clusters: Sequence[Clusters]) -> None:
        super().__init__(structure, theta)
        self.clusters = clusters

    @cached_property
    def levels(self) -> tuple[GroupLevels, ...]:
        return tuple(
            (CompleteLevels if one.complete else IncompleteLevels)(self, number, one)
            for number, one in enumerate(self.clusters)
        )


def _levels(point: Point) -> tuple[GroupLevels, ...]:
    assert isinstance(point, TwoLevelPoint)
    return point.levels


class TwoLevelLikelihood:
    """The discrepancy of a two-level model: minus the log-likelihood per case, minus that of the
    unrestricted model.

    Parameters
    ----------
    structure: two blocks per group, the model within clusters and the model between them.
    clusters: the data of each group.
    saturated: value of the unrestricted model.
    """

    def __init__(
        self, structure: Structure, clusters: Sequence[Clusters], saturated: float = 0.0
    ) -> None:
        self.structure = structure
        self.clusters = tuple(clusters)
        self.saturated = saturated
        self.n = sum(one.n for one in clusters)
        self.shares = [one.n / self.n for one in clusters]

    def at(self, theta: Array) -> TwoLevelPoint:
        return TwoLevelPoint(self.structure, theta, self.clusters)

    def value(self, point: Point) -> float:
        values = [share * one.value for share, one in zip(self.shares, _levels(point), strict=True)]
        return sum(values) - self.saturated

    def gradient(self, point: Point) -> Array:
        out = np.zeros(self.structure.n_free)
        for share, one in zip(self.shares, _levels(point), strict=True):
            for number, (slope, pull) in enumerate(one.slopes, one.first):
                row, column = vech_places(len(slope))
                moments = slope[row, column] * np.where(row == column, 1.0, 2.0)
                out += share * (np.concatenate([pull, moments]) @ point.delta(number))
        return out

    def _bends(self, point: Point, expected: bool) -> Array:
        parts = zip(self.shares, _levels(point), strict=True)
        return np.asarray(sum(share * one.bend(expected) for share, one in parts))

    def expected(self, point: Point) -> Array:
        return self._bends(point, True)

    def hessian(self, point: Point) -> Array:
        out = self._bends(point, False)
        for share, one in zip(self.shares, _levels(point), strict=True):
            for group, (slope, pull) in zip(one.groups, one.slopes, strict=True):
                index = group.structure.index
                out[np.ix_(index, index)] += share * group.curvature(slope, pull)
        return out

    def log_likelihood(self, point: Point) -> float:
        """Return the log-likelihood of all cases."""
        values = sum(one.n_values for one in self.clusters)
        whole = self.value(point) + self.saturated
        return -self.n * whole - values / 2 * _LOG_2PI

    def scores(self, point: Point) -> Array:
        """Return each cluster's slopes of the log-likelihood, shape (clusters, parameters)."""
        return np.concatenate([one.scores() for one in _levels(point)])
