"""Correlation matrices of resamples without forming the resamples.

With columns standardized once, the cross-products of a resample are a weighted sum of the
cross-products of single rows, with the number of times that each row was drawn as its weight: one
matrix product for all resamples.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.pls.design import Floats


def standardized(x: Floats) -> tuple[Floats, Floats, Floats]:
    """Return columns with mean 0 and variance 1 (n - 1), their means and standard deviations."""
    mean, sd = x.mean(axis=0), x.std(axis=0, ddof=1)
    return (x - mean) / sd, mean, sd


def correlation(x: Floats) -> Floats:
    """Return correlations of the columns of a complete table in which every column varies, shape
    (p, p).

    Parameters
    ----------
    x : array of float
        Rows x columns, complete; every column varies.

    Returns
    -------
    array of float
        (p, p), with ones on the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics import pls
    >>> pls.correlation(np.array([[1.0, 2], [2, 4], [3, 6]])).round(2).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    z = standardized(x)[0]
    r = z.T @ z / (len(z) - 1)
    r = (r + r.T) / 2
    np.fill_diagonal(r, 1.0)
    return r


def counts_of(indices: NDArray[np.integer], n: int) -> Floats:
    """Count how often each row is in each resample, (B, n); `indices` is (B, size).

    Parameters
    ----------
    indices : NDArray[integer]
        (B, size), rows of every resample, from 0.
    n : int
        Number of rows of the data.

    Returns
    -------
    array of float
        (B, n).

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics import pls
    >>> pls.counts_of(np.array([[0, 0, 2]]), 3).tolist()
    [[2.0, 0.0, 1.0]]
    """
    b = len(indices)
    flat = (np.asarray(indices) + n * np.arange(b)[:, None]).ravel()
    return np.bincount(flat, minlength=b * n).reshape(b, n).astype(float)


def resampled_correlations(x: Floats, counts: Floats) -> Floats:
    """Return the correlations of B weighted samples of the rows of `x`, (B, p, p).

    `counts` is (B, n), how often each row enters. A column that does not vary in a sample gets
    NaN in it.

    Parameters
    ----------
    x : array of float
        Rows x columns, complete.
    counts : array of float
        (B, n), how often each row enters.

    Returns
    -------
    array of float
        (B, p, p); NaN for a column that does not vary in a sample.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics import pls
    >>> x = np.random.default_rng(1).normal(size=(20, 3))
    >>> pls.resampled_correlations(x, np.ones((2, 20))).shape
    (2, 3, 3)
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
    variance = einsum("bii->bi", full)
    # Below the rounding error of a variance of 1 a column is constant in this resample.
    unit = 1 / np.sqrt(np.where(variance > 1e-13, variance, np.nan))
    full *= unit[:, :, None]
    full *= unit[:, None, :]
    diagonal = np.arange(p)
    full[:, diagonal, diagonal] = np.where(np.isnan(unit), np.nan, 1.0)
    return full
