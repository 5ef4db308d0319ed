"""Generalized least squares: the distance of two moment vectors in the metric of a weight matrix.

ULS, GLS and WLS differ in the weight only (Browne 1984). Other kinds of moments (thresholds and
polychoric correlations) need only points with their own `delta` and `moments`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gfactor.psychometrics.sem.model import GroupPoint, Point, Structure, vech_places


class DiagonalWeight:
    """A weight matrix that is zero off its diagonal. A product with it scales rows or columns,
    which is much faster than a product of matrices.

    Parameters
    ----------
    diagonal: the diagonal, shape (moments,).
    """

    __array_ufunc__ = None
    """Leave products of an array with this matrix to `__rmatmul__` and `__rmul__`."""

    def __init__(self, diagonal: np.ndarray) -> None:
        self.diagonal = diagonal

    def __matmul__(self, right: np.ndarray) -> np.ndarray:
        return self.diagonal * right if right.ndim == 1 else self.diagonal[:, None] * right

    def __rmatmul__(self, left: np.ndarray) -> np.ndarray:
        return left * self.diagonal

    def __rmul__(self, factor: float) -> DiagonalWeight:
        return DiagonalWeight(factor * self.diagonal)

    def __getitem__(self, block: tuple[slice, slice]) -> DiagonalWeight:
        """Return a block of rows and of the same columns."""
        rows, columns = block
        if rows != columns:
            raise IndexError("a block of a diagonal matrix has the same rows and columns.")
        return DiagonalWeight(self.diagonal[rows])


Weight = np.ndarray | DiagonalWeight


@dataclass(frozen=True)
class WeightedMoments:
    """One group's moments: the vector s (means first, if modelled, then vech of the covariances),
    its weight matrix and the group's factor (its share of the cases, times (n - 1) / n if the
    covariances have divisor n - 1)."""

    vector: np.ndarray
    weight: Weight
    factor: float


def moment_vector(mean: np.ndarray, cov: np.ndarray, *, means: bool) -> np.ndarray:
    """Return the vector of moments: the means (if wanted), then the lower triangle of the
    covariances column by column."""
    lower = cov[vech_places(len(cov))]
    return np.concatenate([mean, lower]) if means else lower


def normal_weight(inverse: np.ndarray, *, means: bool) -> np.ndarray:
    """Return the inverse of the normal-theory covariance matrix of the moments, the Fisher
    information per case of an unrestricted normal distribution with this inverse covariance
    matrix."""
    p = len(inverse)
    row, column = vech_places(p)
    half = np.where(row == column, 0.5, 1.0)
    block = inverse[row[:, None], row] * inverse[column[:, None], column]
    block += inverse[row[:, None], column] * inverse[column[:, None], row]
    block *= half[:, None] * half
    if not means:
        return block
    out = np.zeros((p + len(row),) * 2)
    out[:p, :p] = inverse
    out[p:, p:] = block
    return out


class LeastSquares:
    """Half of (s - sigma)' V (s - sigma), summed over groups by their factors."""

    def __init__(
        self, structure: Structure, groups: tuple[WeightedMoments, ...], *, use_mean: bool
    ) -> None:
        self.structure = structure
        self.groups = groups
        self.use_mean = use_mean

    def at(self, theta: np.ndarray) -> Point:
        return Point(self.structure, theta)

    def moments(self, group: GroupPoint) -> np.ndarray:
        return moment_vector(group.mu, group.sigma, means=self.use_mean)

    def away(self, point: Point) -> list[np.ndarray]:
        """Return s - sigma of every group."""
        return [
            given.vector - self.moments(group)
            for given, group in zip(self.groups, point.groups, strict=True)
        ]

    def value(self, point: Point) -> float:
        return sum(
            0.5 * given.factor * float(away @ given.weight @ away)
            for given, away in zip(self.groups, self.away(point), strict=True)
        )

    def _delta(self, point: Point, number: int) -> np.ndarray:
        stored = point.__dict__.setdefault("_deltas", {})
        if number not in stored:
            n_free = self.structure.n_free
            stored[number] = point.groups[number].delta(self.use_mean, n_free)
        return stored[number]

    def gradient(self, point: Point) -> np.ndarray:
        out = np.zeros(self.structure.n_free)
        for number, (given, away) in enumerate(zip(self.groups, self.away(point), strict=True)):
            out -= given.factor * (self._delta(point, number).T @ (given.weight @ away))
        return out

    def expected(self, point: Point) -> np.ndarray:
        out = np.zeros((self.structure.n_free,) * 2)
        for number, given in enumerate(self.groups):
            delta = self._delta(point, number)
            out += given.factor * (delta.T @ given.weight @ delta)
        return out

    def hessian(self, point: Point) -> np.ndarray:
        out = self.expected(point)
        for given, away, group in zip(self.groups, self.away(point), point.groups, strict=True):
            pull = given.weight @ away * given.factor
            p = group.structure.p
            skip = p if self.use_mean else 0
            row, column = vech_places(p)
            weight = np.zeros((p, p))
            weight[row, column] = weight[column, row] = pull[skip:] / 2
            weight[np.arange(p), np.arange(p)] *= 2
            index = group.structure.index
            bent = group.curvature(weight, pull[:p] if skip else np.zeros(p))
            out[index[:, None], index] -= bent
        return out
