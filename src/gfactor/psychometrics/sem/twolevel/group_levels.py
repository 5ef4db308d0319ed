"""Both levels of a group: the normal likelihood of its clusters, with exact derivatives.

A level's moments are those of its matrices, Sigma_W and Sigma_B; the mean of a cluster of n cases
without missing values, times the root of n, has the covariances Sigma_W + n Sigma_B (see `sample`).
Clusters with missing values are in `incomplete`.

References
----------
Muthen, B. O. (1994). Multilevel covariance structure analysis. Sociological Methods & Research 22,
    376-398.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.sem.cholesky import positive_inverse
from gfactor.psychometrics.sem.model import GroupPoint, Point, vech_places
from gfactor.psychometrics.sem.twolevel.sample import Clusters, ClusterSize

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _CovariancePart:
    """Cases (contrasts, or means of clusters of a size) with one covariance matrix.

    Parameters
    ----------
    weight: their number as a share of all cases.
    inverse, log_det: of the covariance matrix that the model implies.
    moment: mean product of their deviations from the implied means.
    away: mean deviation from the implied means.
    scale: factor of the variables in Sigma_B and the means.
    """

    weight: float
    inverse: Array
    log_det: float
    moment: Array
    away: Array
    scale: Array

    @property
    def value(self) -> float:
        return 0.5 * self.weight * (self.log_det + float((self.inverse * self.moment).sum()))

    @cached_property
    def slope(self) -> Array:
        """Return the derivative by the covariance matrix."""
        turned = self.inverse @ self.moment @ self.inverse
        return 0.5 * self.weight * (self.inverse - turned)

    @cached_property
    def pull(self) -> Array:
        """Return the derivative by the means."""
        return -self.weight * (self.inverse @ self.away)

    def bend(self, moves: Array, shifts: Array, expected: bool) -> Array:
        """Return the second derivatives if covariances and means are linear in the parameters.

        Parameters
        ----------
        moves: derivatives of the covariance matrix, shape (parameters, p, p).
        shifts: derivatives of the means, shape (parameters, p).
        expected: True for the expectation.
        """
        count = len(moves)
        turned = self.inverse @ moves
        other = turned
        if not expected:
            other = (2 * self.inverse @ self.moment @ self.inverse - self.inverse) @ moves
        flat = turned.transpose(0, 2, 1).reshape(count, -1)
        out = 0.5 * (other.reshape(count, -1) @ flat.T)
        out = out + shifts @ self.inverse @ shifts.T
        if not expected:
            mixed = shifts @ (turned @ (self.inverse @ self.away)).T
            out = out + mixed + mixed.T
        return self.weight * (out + out.T) / 2


class GroupLevels(ABC):
    """Both levels of one group at a parameter vector; values are per case.

    Parameters
    ----------
    point: the model. number: the group's number, from 0. clusters: its data.
    """

    def __init__(self, point: Point, number: int, clusters: Clusters) -> None:
        self.point = point
        self.first = 2 * number
        self.clusters = clusters

    @property
    def groups(self) -> tuple[GroupPoint, ...]:
        """Return the matrices within clusters and between them."""
        return self.point.groups[self.first : self.first + 2]

    @cached_property
    def mean(self) -> Array:
        """Return the means of all variables."""
        out = np.zeros(len(self.clusters.variables))
        for group, positions in zip(self.groups, self.clusters.positions, strict=True):
            out[positions] += group.mu
        return out

    @cached_property
    def moves(self) -> tuple[Array, Array, Array]:
        """Derivatives with respect to the parameters: of Sigma_W and Sigma_B among all variables,
        shape (parameters, p, p), and of the means, shape (parameters, p)."""
        count, p = self.point.structure.n_free, len(self.clusters.variables)
        shift = np.zeros((count, p))
        squares = []
        for number, (group, positions) in enumerate(
            zip(self.groups, self.clusters.positions, strict=True)
        ):
            delta = self.point.delta(self.first + number)
            size = group.structure.p
            shift[:, positions] += delta[:size].T
            row, column = (positions[k] for k in vech_places(size))
            square = np.zeros((count, p, p))
            square[:, row, column] = square[:, column, row] = delta[size:].T
            squares.append(square)
        return squares[0], squares[1], shift

    @cached_property
    @abstractmethod
    def value(self) -> float:
        """Minus the log-likelihood per case, without its constant; infinite if a covariance matrix
        is not positive definite."""

    @cached_property
    @abstractmethod
    def slopes(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """Each level's derivatives of `value` by its covariance matrix and by its means."""

    @abstractmethod
    def bend(self, expected: bool) -> Array:
        """Return the second derivatives of `value`, taking moments as linear in the parameters, or
        their expectation."""

    @abstractmethod
    def scores(self) -> Array:
        """Return each cluster's slopes of the log-likelihood, shape (clusters, parameters)."""


class CompleteLevels(GroupLevels):
    """A group whose cases are complete: a sum over contrasts and the sizes of clusters."""

    def covariance_of(self, size: ClusterSize) -> Array:
        """Return the covariances of scaled cluster means of a size."""
        out = np.zeros((len(self.clusters.variables),) * 2)
        within, between = self.clusters.positions
        out[np.ix_(within, within)] += self.groups[0].sigma
        out[np.ix_(between, between)] += self.groups[1].sigma * np.outer(
            size.scale[between], size.scale[between]
        )
        return out

    @cached_property
    def parts(self) -> tuple[_CovariancePart, ...] | None:
        """Contrasts within clusters, then cluster means by size; None if a covariance matrix is
        not positive definite."""
        clusters = self.clusters
        p = len(clusters.within)
        inverted = positive_inverse(self.groups[0].sigma)
        if inverted is None:
            return None
        share = (clusters.n - clusters.count) / clusters.n
        nothing = np.zeros(p)
        parts = [_CovariancePart(share, *inverted, clusters.pooled_within, nothing, nothing)]
        for size in clusters.by_size:
            inverted = positive_inverse(self.covariance_of(size))
            if inverted is None:
                return None
            away = size.mean - self.mean * size.scale
            moment = size.cov + np.outer(away, away)
            parts.append(
                _CovariancePart(size.count / clusters.n, *inverted, moment, away, size.scale)
            )
        return tuple(parts)

    @property
    def _defined(self) -> tuple[_CovariancePart, ...]:
        """The parts at a point at which the likelihood is defined."""
        assert self.parts is not None
        return self.parts

    def moved(self, part: _CovariancePart, contrasts: bool) -> tuple[Array, Array]:
        """Return the derivatives of a part's covariance matrix and means by the parameters."""
        within, between, shift = self.moves
        if contrasts:
            p = len(self.clusters.within)
            return within[:, :p, :p], np.zeros((len(shift), p))
        return within + between * np.outer(part.scale, part.scale), shift * part.scale

    @cached_property
    def value(self) -> float:
        parts = self.parts
        return float("inf") if parts is None else sum(one.value for one in parts)

    @cached_property
    def slopes(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        contrasts, *means = self._defined
        within, between = self.clusters.positions
        p = len(self.clusters.variables)
        straight, scaled, pull = np.zeros((p, p)), np.zeros((p, p)), np.zeros(p)
        for part in means:
            straight += part.slope
            scaled += part.slope * np.outer(part.scale, part.scale)
            pull += part.pull * part.scale
        inside = contrasts.slope + straight[np.ix_(within, within)]
        return (inside, pull[within]), (scaled[np.ix_(between, between)], pull[between])

    def bend(self, expected: bool) -> Array:
        out = np.zeros((self.point.structure.n_free,) * 2)
        for number, part in enumerate(self._defined):
            out += part.bend(*self.moved(part, number == 0), expected)
        return out

    def scores(self) -> Array:
        clusters = self.clusters
        contrasts, *means = self._defined
        inside, _ = self.moved(contrasts, True)
        inverse = contrasts.inverse
        turned = inverse @ inside @ inverse
        products = clusters.products_within.reshape(clusters.count, -1)
        out = 0.5 * products @ turned.reshape(len(inside), -1).T
        traces = einsum("ab,kba->k", inverse, inside)
        out -= 0.5 * np.outer(clusters.sizes - 1, traces)
        for part, size in zip(means, clusters.by_size, strict=True):
            moves, shifts = self.moved(part, False)
            away = (size.values - self.mean * size.scale) @ part.inverse
            out[size.members] += away @ shifts.T
            out[size.members] += 0.5 * einsum("ja,kab,jb->jk", away, moves, away)
            out[size.members] -= 0.5 * einsum("ab,kba->k", part.inverse, moves)
        return out
