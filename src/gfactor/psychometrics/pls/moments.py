"""Correlation matrices of resamples without forming the resamples.

With columns standardized once, the cross-products of a resample are a weighted sum of the
cross-products of single rows, the weights being how often each row was drawn: one matrix product
for all resamples.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.pls.design import Floats


def standardized(x: Floats) -> tuple[Floats, Floats, Floats]:
    """Columns with mean 0 and variance 1 (n - 1), their means and standard deviations."""
    mean, sd = x.mean(axis=0), x.std(axis=0, ddof=1)
    return (x - mean) / sd, mean, sd


def correlation(x: Floats) -> Floats:
    """(p, p) correlations of the columns of a complete table in which every column varies."""
    z = standardized(x)[0]
    r = z.T @ z / (len(z) - 1)
    r = (r + r.T) / 2
    np.fill_diagonal(r, 1.0)
    return r


def counts_of(indices: NDArray[np.integer], n: int) -> Floats:
    """(B, n): how often each row is in each resample; `indices` is (B, size)."""
    b = len(indices)
    flat = (np.asarray(indices) + n * np.arange(b)[:, None]).ravel()
    return np.bincount(flat, minlength=b * n).reshape(b, n).astype(float)


def resampled_correlations(x: Floats, counts: Floats) -> Floats:
    """(B, p, p) correlations of B weighted samples of the rows of `x`.

    `counts` is (B, n), how often each row enters. A column that does not vary in a sample gets
    NaN in it.
    """
    z = standardized(x)[0]
    p = z.shape[1]
    upper = np.triu_indices(p)
    products = z[:, upper[0]] * z[:, upper[1]]
    size = counts.sum(axis=1)
    mean = counts @ z / size[:, None]
    flat = counts @ products / size[:, None] - mean[:, upper[0]] * mean[:, upper[1]]
    full = np.empty((len(counts), p, p))
    full[:, upper[0], upper[1]] = flat
    full[:, upper[1], upper[0]] = flat
    variance = np.einsum("bii->bi", full)
    # Below the rounding error of a variance of 1 a column is constant in this resample.
    unit = 1 / np.sqrt(np.where(variance > 1e-13, variance, np.nan))
    full *= unit[:, :, None]
    full *= unit[:, None, :]
    diagonal = np.arange(p)
    full[:, diagonal, diagonal] = np.where(np.isnan(unit), np.nan, 1.0)
    return full
