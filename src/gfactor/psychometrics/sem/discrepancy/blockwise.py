"""Second-order sums over blocks of cases, without a matrix per block and pair of parameters.

For one block the sum over a pair of parameters is a product of thin matrices. Over many blocks the
parameters' own part is the same for all, and what differs is summed first: vec(dSigma)' K
vec(dSigma), with K the weighted sum of the blocks' Kronecker products.
"""

from __future__ import annotations

import numpy as np

_LARGEST = 60
"""Variables up to which K (p^4 numbers) is made; beyond, one block after the other is added."""

Factors = tuple[np.ndarray, np.ndarray]


def pair_products(left: np.ndarray, right: np.ndarray, factors: Factors) -> np.ndarray:
    """tr(L dSigma R dSigma), symmetrized, for every pair of parameters, shape (r, r); `left` and
    `right` symmetric, shape (p, p)."""
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


def summed_pair_products(
    weight: np.ndarray, left: np.ndarray, right: np.ndarray, factors: Factors
) -> np.ndarray:
    """The same summed over blocks by their weights; `left` and `right` of shape (k, p, p)."""
    k, p, _ = left.shape
    if p > _LARGEST:
        r = len(factors[0])
        out = np.zeros((r, r))
        for own, first, second in zip(weight, left, right, strict=True):
            out += own * pair_products(first, second, factors)
        return out
    flat = (left.reshape(k, -1) * weight[:, None]).T @ right.reshape(k, -1)
    kernel = flat.reshape(p, p, p, p).transpose(0, 2, 1, 3).reshape(p * p, p * p)
    vectors = _vectors(factors)
    out = vectors @ kernel @ vectors.T
    return (out + out.T) / 2


def summed_mixed_products(
    weight: np.ndarray,
    inverse: np.ndarray,
    pull: np.ndarray,
    factors: Factors,
    mean_factor: np.ndarray,
) -> np.ndarray:
    """dmu' W dSigma W (mean residual) for every parameter of the means and of Sigma, summed over
    blocks by their weights; `inverse` of shape (k, p, p), `pull` = W (mean residual), (k, p)."""
    p = inverse.shape[-1]
    if p > _LARGEST:
        a, b = factors
        out = np.zeros((len(mean_factor), len(a)))
        for own, w, u in zip(weight, inverse, pull, strict=True):
            turned = mean_factor @ w
            out += own * ((turned @ a.T) * (b @ u) + (turned @ b.T) * (a @ u))
        return out
    kernel = np.tensordot(inverse, pull * weight[:, None], axes=(0, 0)).reshape(p, p * p)
    return mean_factor @ kernel @ _vectors(factors).T
