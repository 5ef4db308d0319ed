"""Moments of many samples of the same variables and sizes.

LAPACK is called once per matrix: for matrices of five to fifty rows this takes half the time of an
elimination over all at once, and each call reports whether its matrix is positive definite (numpy
fails for the whole stack if one is not).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

AT_ONCE = 250
"""Number of samples fitted together, in one process. The last digits of results depend on it."""

_TINY = 1e-13
"""A pivot below this share of its diagonal element is rounding: the matrix is singular."""


def _pivots(diagonal: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """Each matrix's smallest pivot as a share of its diagonal, -1 if it is only rounding;
    from the diagonals of roots and of the matrices, shape (R, k) each."""
    least = (diagonal**2 / (np.abs(squares) + 1e-300)).min(axis=1, initial=1.0)
    return np.where(least > _TINY, least, -1.0)


def inverted(stack: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the inverse, the log determinant, and True if positive definite, of each matrix.

    Parameters
    ----------
    stack: shape (R, p, p); only the lower triangles are read.

    Returns arrays of shapes (R, p, p), (R,), (R,); the first two are meaningless if the last is
    False.
    """
    count, p, _ = stack.shape
    back, diagonal = np.empty((count, p, p)), np.zeros((count, p))
    for k, matrix in enumerate(stack):
        # The transpose has Fortran's order; its upper triangle is the matrix's lower one.
        root, info = lapack.dpotrf(matrix.T, lower=0)  # type: ignore[attr-defined]
        if info:
            back[k] = 0.0
            continue
        diagonal[k] = root.diagonal()
        back[k] = lapack.dtrtri(root, lower=0)[0].T  # type: ignore[attr-defined]
    good = _pivots(diagonal, np.diagonal(stack, axis1=1, axis2=2)) > 0
    logdet = 2 * np.log(np.where(diagonal > 0, diagonal, 1.0)).sum(axis=1)
    return back.mT @ back, logdet, good


def solved(matrices: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the solutions of matrix @ x = right, and each matrix's smallest pivot as a share of
    its diagonal.

    Parameters
    ----------
    matrices: shape (R, k, k), contiguous; only the lower triangles are read, and overwritten.
    right: shape (R, k).

    If the share is not positive, the matrix is not positive definite and the solution is
    meaningless.
    """
    diagonal = np.arange(matrices.shape[1])
    squares = matrices[:, diagonal, diagonal]
    out = np.zeros_like(right)
    lost = []
    for k, matrix in enumerate(matrices):
        _, x, info = lapack.dposv(matrix.T, right[k], lower=0, overwrite_a=1)  # type: ignore[attr-defined]
        if info:
            lost.append(k)
        else:
            out[k] = x
    pivots = _pivots(matrices[:, diagonal, diagonal], squares)
    pivots[lost] = -1.0
    return out, pivots


@dataclass(frozen=True)
class GroupMoments:
    """One group's samples.

    Parameters
    ----------
    n: cases of each sample.
    mean: shape (R, p). cov: shape (R, p, p), with the divisor that the likelihood needs.
    saturated: half of log det + p of each covariance matrix, shape (R,); minus infinity if it
        is singular.
    """

    n: int
    mean: np.ndarray
    cov: np.ndarray
    saturated: np.ndarray

    def take(self, which: np.ndarray) -> GroupMoments:
        """Return the moments of some samples."""
        return GroupMoments(self.n, self.mean[which], self.cov[which], self.saturated[which])


@dataclass(frozen=True)
class Moments:
    """All groups' samples; shares are each group's weight in the likelihood."""

    groups: tuple[GroupMoments, ...]
    shares: np.ndarray

    def __len__(self) -> int:
        return len(self.groups[0].mean)

    @property
    def regular(self) -> np.ndarray:
        """Return True for replicates without a singular covariance matrix, shape (R,)."""
        return np.all([np.isfinite(group.saturated) for group in self.groups], axis=0)

    def take(self, which: np.ndarray) -> Moments:
        """Return the moments of some replicates."""
        return Moments(tuple(group.take(which) for group in self.groups), self.shares)

    def parts(self) -> Iterator[Moments]:
        """Yield the samples in parts of `AT_ONCE`."""
        for first in range(0, len(self), AT_ONCE):
            yield self.take(np.arange(first, min(len(self), first + AT_ONCE)))


def group_moments(n: int, mean: np.ndarray, cov: np.ndarray) -> GroupMoments:
    """Return the given moments, with the discrepancy of the unrestricted model."""
    _, logdet, good = inverted(cov)
    saturated = np.where(good, (logdet + cov.shape[1]) / 2, -np.inf)
    return GroupMoments(n, mean, cov, saturated)


def joined(groups: Sequence[GroupMoments], *, wishart: bool = False) -> Moments:
    """Return all groups together; with `wishart` the given covariance matrices (divisor n) are
    rescaled to the divisor n - 1, and groups are weighted accordingly."""
    counts = np.array([group.n - wishart for group in groups], dtype=float)
    if wishart:
        groups = [
            group_moments(group.n, group.mean, group.cov * (group.n / (group.n - 1)))
            for group in groups
        ]
    return Moments(tuple(groups), counts / counts.sum())


def weighted_moments(rows: np.ndarray, weights: np.ndarray) -> GroupMoments:
    """Return moments of resamples of complete cases.

    Parameters
    ----------
    rows: shape (n, p). weights: how often each case enters each resample, shape (R, n), all with
        the same sum.
    """
    n = round(float(weights[0].sum()))
    center = rows.mean(axis=0)
    away = rows - center
    p = rows.shape[1]
    i, j = np.tril_indices(p)
    share = weights / n
    mean = share @ away
    second = share @ (away[:, i] * away[:, j])
    second -= mean[:, i] * mean[:, j]
    cov = np.empty((len(weights), p, p))
    cov[:, i, j] = second
    cov[:, j, i] = second
    return group_moments(n, mean + center, cov)


def sampled_moments(samples: np.ndarray) -> GroupMoments:
    """Return moments (divisor n) of complete samples of shape (R, n, p)."""
    mean = samples.mean(axis=1)
    away = samples - mean[:, None]
    return group_moments(samples.shape[1], mean, away.mT @ away / samples.shape[1])
