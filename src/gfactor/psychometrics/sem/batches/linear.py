"""Inverses and Cholesky solutions of many small matrices at once.

The axis of matrices is the last one here: each step of an elimination is then one long array
operation, and every matrix says for itself whether it is positive definite (LAPACK, called through
numpy on a stack, gives up on all where one is not).
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import lapack

_FEW = 12
"""Up to this many matrices LAPACK, called for each, is faster than long operations on short
arrays: the last stragglers of a batch."""
_TINY = 1e-13
"""A pivot below this share of its diagonal element is rounding: the matrix is singular."""


def inverted(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Inverse, log determinant and whether positive definite, by symmetric sweeps.

    Parameters
    ----------
    matrices: symmetric, shape (p, p, R).

    Returns arrays of shapes (p, p, R), (R,), (R,); the first two mean nothing where the last is
    False.
    """
    if matrices.shape[2] <= _FEW:
        return _inverted_few(matrices)
    work = matrices.copy()
    p, _, count = work.shape
    least = _TINY * np.abs(np.einsum("iir->ir", matrices))
    logdet = np.zeros(count)
    good = np.ones(count, dtype=bool)
    for k in range(p):
        pivot = work[k, k].copy()
        sound = pivot > least[k]
        good &= sound
        if not sound.all():
            pivot[~sound] = 1.0
            work[:, :, ~sound] = 0.0
        logdet += np.log(pivot)
        column = work[:, k].copy()
        scaled = column / pivot
        work -= scaled[:, None] * column
        work[:, k] = scaled
        work[k, :] = scaled
        work[k, k] = -1.0 / pivot
    return -work, logdet, good


def _inverted_few(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    out = np.empty_like(matrices)
    roots, pivots = cholesky(matrices.copy())
    logdet = 2 * np.log(np.einsum("iir->ir", roots)).sum(axis=0)
    for k in range(matrices.shape[2]):
        inverse, _ = lapack.dpotri(roots[:, :, k], lower=1)  # type: ignore[attr-defined]
        lower = np.tril(inverse)
        out[:, :, k] = lower + np.tril(inverse, -1).T
    return out, logdet, pivots > 0


def cholesky(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The lower roots, in place, and each matrix's smallest pivot as a share of its diagonal.

    Parameters
    ----------
    matrices: shape (k, k, R); only the lower triangles are read.

    A share that is not positive means not positive definite, and the root means nothing.
    """
    if matrices.shape[2] <= _FEW:
        return _cholesky_few(matrices)
    least = np.full(matrices.shape[2], np.inf)
    for j in range(len(matrices)):
        column = matrices[j:, j]
        own = np.abs(column[0]) + 1e-300
        if j:
            column = column - np.einsum("ijr,jr->ir", matrices[j:, :j], matrices[j, :j])
        share = column[0] / own
        least = np.minimum(least, share)
        pivot = np.where(share > _TINY, column[0], 1.0)
        root = np.sqrt(pivot)
        matrices[j:, j] = column / root
        matrices[j, j] = root
    return matrices, np.where(least > _TINY, least, -1.0)


def _cholesky_few(matrices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    least = np.full(matrices.shape[2], -1.0)
    for k in range(matrices.shape[2]):
        own = np.abs(matrices[:, :, k].diagonal()) + 1e-300
        root, info = lapack.dpotrf(matrices[:, :, k], lower=1)  # type: ignore[attr-defined]
        if info == 0:
            share = float((root.diagonal() ** 2 / own).min(initial=1.0))
            least[k] = share if share > _TINY else -1.0
        matrices[:, :, k] = root if least[k] > 0 else np.eye(len(matrices))
    return matrices, least


def solved(roots: np.ndarray, right: np.ndarray) -> np.ndarray:
    """x with L L' x = right, roots of shape (k, k, R), right of shape (k, R)."""
    out = right.copy()
    size = len(out)
    if roots.shape[2] <= _FEW:
        for k in range(roots.shape[2]):
            out[:, k], _ = lapack.dpotrs(roots[:, :, k], right[:, k], lower=1)  # type: ignore[attr-defined]
        return out
    for i in range(size):
        if i:
            out[i] -= np.einsum("jr,jr->r", roots[i, :i], out[:i])
        out[i] /= roots[i, i]
    for i in reversed(range(size)):
        if i < size - 1:
            out[i] -= np.einsum("jr,jr->r", roots[i + 1 :, i], out[i + 1 :])
        out[i] /= roots[i, i]
    return out
