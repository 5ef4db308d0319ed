"""Inverses of the observed part of a covariance matrix for each pattern of missing values."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.float_arrays import cholesky, inv
from gfactor.psychometrics.sem.cholesky import positive_inverse
from gfactor.psychometrics.sem.sample.blocks import Blocks

_FEW = 0.35
"""Largest share of missing variables for which a block's inverse is computed from that of the whole
matrix, at a fifth of the cost of inverting the observed part."""
_INFLATED = 1e4
"""Variance inflation of a variable by all others above which the observed part is inverted, because
the other way would lose digits."""


def shown_inverses(blocks: Blocks, cov: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return, for every block, the inverse covariance matrix of its observed variables (zeros
    elsewhere), shape (k, p, p), and its log determinant, shape (k,). Return None if one is not
    positive definite.
    """
    if blocks.unseen[0].shape[1] <= _FEW * len(cov):
        whole = positive_inverse(cov)
        if whole is not None and (whole[0].diagonal() * cov.diagonal()).max() < _INFLATED:
            return _without(blocks, *whole)
    both = blocks.both
    observed = np.where(both, cov, np.eye(len(cov)))
    try:
        root = cholesky(observed)
        inverse = inv(observed) * both
    except np.linalg.LinAlgError:
        return None
    logdet = 2 * np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
    return (inverse + inverse.mT) / 2, logdet


def _without(
    blocks: Blocks, whole: np.ndarray, logdet: float
) -> tuple[np.ndarray, np.ndarray] | None:
    """The same from the inverse of all variables' covariances, W: without the variables M it is
    W - W[:, M] W[M, M]^-1 W[M, :], and the determinant grows by that of W[M, M]."""
    columns, real = blocks.unseen
    pairs = real[:, :, None] & real[:, None, :]
    inner = np.where(
        pairs, whole[columns[:, :, None], columns[:, None, :]], np.eye(columns.shape[1])
    )
    try:
        root = cholesky(inner)
        half = inv(root) @ (whole[columns] * real[:, :, None])
    except np.linalg.LinAlgError:
        return None
    inverse = (whole - half.mT @ half) * blocks.both
    grown = 2 * np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
    return inverse, logdet + grown
