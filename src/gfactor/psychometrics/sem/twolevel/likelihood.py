"""The normal likelihood of two-level data, with exact first and second derivatives.

A level's moments are those of its matrices, Sigma_W and Sigma_B; the mean of a cluster of n cases,
times the root of n, has the covariances Sigma_W + n Sigma_B (see `sample`).

References
----------
Muthen, B. O. (1994). Multilevel covariance structure analysis. Sociological Methods & Research 22,
    376-398.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.sem.cholesky import positive_inverse
from gfactor.psychometrics.sem.model import Point, Structure, vech_places
from gfactor.psychometrics.sem.twolevel.sample import Clusters, ClusterSize

Array = NDArray[np.float64]
_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True)
class _Part:
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
        """Return the second derivatives where covariances and means are linear in the parameters.

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


class TwoLevelPoint(Point):
    """A two-level model at one parameter vector."""

    def __init__(self, structure: Structure, theta: Array, clusters: Clusters) -> None:
        super().__init__(structure, theta)
        self.clusters = clusters

    @cached_property
    def mean(self) -> Array:
        """Return the means of all variables."""
        out = np.zeros(len(self.clusters.variables))
        for group, positions in zip(self.groups, self.clusters.positions, strict=True):
            out[positions] += group.mu
        return out

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
    def parts(self) -> tuple[_Part, ...] | None:
        """Contrasts within clusters, then cluster means by size; None if a covariance matrix is
        not positive definite."""
        clusters = self.clusters
        p = len(clusters.within)
        inverted = positive_inverse(self.groups[0].sigma)
        if inverted is None:
            return None
        share = (clusters.n - clusters.count) / clusters.n
        nothing = np.zeros(p)
        parts = [_Part(share, *inverted, clusters.pooled_within, nothing, nothing)]
        for size in clusters.by_size:
            inverted = positive_inverse(self.covariance_of(size))
            if inverted is None:
                return None
            away = size.mean - self.mean * size.scale
            moment = size.cov + np.outer(away, away)
            parts.append(_Part(size.count / clusters.n, *inverted, moment, away, size.scale))
        return tuple(parts)

    @cached_property
    def moves(self) -> tuple[Array, Array, Array]:
        """Derivatives by the parameters: of Sigma_W and Sigma_B among all variables, shape
        (parameters, p, p), and of the means, shape (parameters, p)."""
        count, p = self.structure.n_free, len(self.clusters.variables)
        shift = np.zeros((count, p))
        squares = []
        for number, (group, positions) in enumerate(
            zip(self.groups, self.clusters.positions, strict=True)
        ):
            delta = self.delta(number)
            size = group.structure.p
            shift[:, positions] += delta[:size].T
            row, column = (positions[k] for k in vech_places(size))
            square = np.zeros((count, p, p))
            square[:, row, column] = square[:, column, row] = delta[size:].T
            squares.append(square)
        return squares[0], squares[1], shift

    def moved(self, part: _Part, contrasts: bool) -> tuple[Array, Array]:
        """Return the derivatives of a part's covariance matrix and means by the parameters."""
        within, between, shift = self.moves
        if contrasts:
            p = len(self.clusters.within)
            return within[:, :p, :p], np.zeros((len(shift), p))
        return within + between * np.outer(part.scale, part.scale), shift * part.scale


def _two_level(point: Point) -> TwoLevelPoint:
    assert isinstance(point, TwoLevelPoint)
    return point


def _defined(point: Point) -> tuple[_Part, ...]:
    """The parts of a point at which the likelihood is defined."""
    parts = _two_level(point).parts
    assert parts is not None
    return parts


class TwoLevelLikelihood:
    """Minus the log-likelihood of a case, less that of the unrestricted model (a `Discrepancy`).

    Parameters
    ----------
    structure: two groups, the model within clusters and the model between them.
    clusters: the data.
    saturated: value of the unrestricted model.
    """

    def __init__(self, structure: Structure, clusters: Clusters, saturated: float = 0.0) -> None:
        self.structure = structure
        self.clusters = clusters
        self.saturated = saturated

    def at(self, theta: Array) -> TwoLevelPoint:
        return TwoLevelPoint(self.structure, theta, self.clusters)

    def value(self, point: Point) -> float:
        parts = _two_level(point).parts
        return float("inf") if parts is None else sum(one.value for one in parts) - self.saturated

    def slopes(self, point: Point) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """Return each level's derivatives by its covariance matrix and by its means."""
        contrasts, *means = _defined(point)
        within, between = self.clusters.positions
        p = len(self.clusters.variables)
        straight, scaled, pull = np.zeros((p, p)), np.zeros((p, p)), np.zeros(p)
        for part in means:
            straight += part.slope
            scaled += part.slope * np.outer(part.scale, part.scale)
            pull += part.pull * part.scale
        inside = contrasts.slope + straight[np.ix_(within, within)]
        return (inside, pull[within]), (scaled[np.ix_(between, between)], pull[between])

    def gradient(self, point: Point) -> Array:
        out = np.zeros(self.structure.n_free)
        for number, (slope, pull) in enumerate(self.slopes(point)):
            row, column = vech_places(len(slope))
            moments = slope[row, column] * np.where(row == column, 1.0, 2.0)
            out += np.concatenate([pull, moments]) @ point.delta(number)
        return out

    def _bends(self, point: Point, expected: bool) -> Array:
        out = np.zeros((self.structure.n_free,) * 2)
        here = _two_level(point)
        for number, part in enumerate(_defined(point)):
            out += part.bend(*here.moved(part, number == 0), expected)
        return out

    def expected(self, point: Point) -> Array:
        return self._bends(point, True)

    def hessian(self, point: Point) -> Array:
        out = self._bends(point, False)
        for group, (slope, pull) in zip(point.groups, self.slopes(point), strict=True):
            index = group.structure.index
            out[np.ix_(index, index)] += group.curvature(slope, pull)
        return out

    def log_likelihood(self, point: Point) -> float:
        """Return the log-likelihood of all cases."""
        clusters = self.clusters
        values = clusters.n * len(clusters.within)
        values += clusters.count * (len(clusters.variables) - len(clusters.within))
        whole = self.value(point) + self.saturated
        return -clusters.n * whole - values / 2 * _LOG_2PI

    def scores(self, point: Point) -> Array:
        """Return each cluster's slopes of the log-likelihood, shape (clusters, parameters)."""
        clusters, here = self.clusters, _two_level(point)
        contrasts, *means = _defined(point)
        inside, _ = here.moved(contrasts, True)
        inverse = contrasts.inverse
        turned = inverse @ inside @ inverse
        products = clusters.products_within.reshape(clusters.count, -1)
        out = 0.5 * products @ turned.reshape(len(inside), -1).T
        traces = np.einsum("ab,kba->k", inverse, inside)
        out -= 0.5 * np.outer(clusters.sizes - 1, traces)
        for part, size in zip(means, clusters.by_size, strict=True):
            moves, shifts = here.moved(part, False)
            away = (size.values - here.mean * size.scale) @ part.inverse
            out[size.members] += away @ shifts.T
            out[size.members] += 0.5 * np.einsum("ja,kab,jb->jk", away, moves, away)
            out[size.members] -= 0.5 * np.einsum("ab,kba->k", part.inverse, moves)
        return out
