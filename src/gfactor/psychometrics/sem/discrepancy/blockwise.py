"""Second-order sums over blocks of cases, without a matrix per block and pair of parameters.

For one block the sum over a pair of parameters is a product of thin matrices. Over many blocks the
parameters' own part is the same for all, and what differs is summed first: vec(dSigma)' K
vec(dSigma), with K the weighted sum of the blocks' Kronecker products.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

_LARGEST = 60
"""Largest number of variables for which K (p^4 numbers) is formed; with more, blocks are added."""

Factors = tuple[np.ndarray, np.ndarray]


def pair_products(left: np.ndarray, right: np.ndarray, factors: Factors) -> np.ndarray:
    """Return tr(L dSigma R dSigma), symmetrized, for every pair of parameters, shape (r, r); `left`
    and `right` symmetric, shape (p, p)."""
    a, b = factors
    al, bl, ar, br = a @ left, b @ left, a @ right, b @ right
    half = (al @ b.T) * (ar @ b.T).T
    out = half + half.T
    out += (al @ a.T) * (br @ b.T) + (ar @ a.T) * (bl @ b.T)
    return out


def _vectors(factors: Factors) -> np.ndarray:
    """vec(dSigma), one row per parameter."""
    a, b = factors
    outer = a[:, :, None] * b[:, None, :]
    return (outer + outer.mT).reshape(len(a), -1)


@lru_cache(maxsize=8)
def _folds(p: int) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, ...]]:
    """Rows and columns of the lower triangle; and for every pair of its places (i, j), (m, n), the
    place in its square of (i, m), (j, n) and of the three others that symmetry gives."""
    i, j = np.tril_indices(p)
    position = np.zeros((p, p), dtype=int)
    position[i, j] = position[j, i] = np.arange(len(i))
    i, j = i[:, None], j[:, None]
    m, n = i.T, j.T
    wide = len(i)
    four = ((i, m, j, n), (i, n, j, m), (j, m, i, n), (j, n, i, m))
    # As 32-bit numbers, positions need half the memory, which decides how long picking takes.
    folds = tuple((position[a, b] * wide + position[c, d]).astype(np.int32) for a, b, c, d in four)
    return i[:, 0], j[:, 0], folds


def summed_pair_products(
    weight: np.ndarray, left: np.ndarray, right: np.ndarray, factors: Factors
) -> np.ndarray:
    """Return pair products summed over blocks by their weights; `left` and `right` have shape (k,
    p, p)."""
    p = left.shape[1]
    if p > _LARGEST:
        r = len(factors[0])
        out = np.zeros((r, r))
        for share, first, second in zip(weight, left, right, strict=True):
            out += share * pair_products(first, second, factors)
        return out
    # All matrices are symmetric: lower triangles hold everything, with a quarter of the products.
    i, j, four = _folds(p)
    flat = (left[:, i, j] * weight[:, None]).T @ right[:, i, j]
    kernel = sum(flat.take(fold) for fold in four)
    a, b = factors
    vectors = a[:, i] * b[:, j] + a[:, j] * b[:, i]
    vectors[:, i == j] *= 0.5
    out = vectors @ kernel @ vectors.T
    return (out + out.T) / 2


def summed_mixed_products(
    weight: np.ndarray,
    inverse: np.ndarray,
    pull: np.ndarray,
    factors: Factors,
    mean_factor: np.ndarray,
) -> np.ndarray:
    """Return dmu' W dSigma W (mean residual) for every parameter of the means and of Sigma, summed
    over blocks by their weights; `inverse` of shape (k, p, p), `pull` = W (mean residual), (k,
    p)."""
    p = inverse.shape[-1]
    if p > _LARGEST:
        a, b = factors
        out = np.zeros((len(mean_factor), len(a)))
        for share, w, u in zip(weight, inverse, pull, strict=True):
            turned = mean_factor @ w
            out += share * ((turned @ a.T) * (b @ u) + (turned @ b.T) * (a @ u))
        return out
    kernel = np.tensordot(inverse, pull * weight[:, None], axes=(0, 0)).reshape(p, p * p)
    return mean_factor @ kernel @ _vectors(factors).T
