"""Variance inflation factors from correlation matrices, in batches.

References
----------
Marquardt, D. W. (1970). Generalized inverses, ridge regression, biased linear estimation, and
    nonlinear estimation. Technometrics 12, 591-612.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import cholesky, einsum, inv

Floats = NDArray[np.float64]

SINGULAR = 1e-10
"""Eigenvalue of a correlation matrix below which columns are linearly dependent."""


def variance_inflation(correlations: Floats, active: NDArray[np.bool_] | None = None) -> Floats:
    """Return the variance inflation factor 1 / (1 - R2) of every column given all others, (B, p);
    infinite if R2 is 1.

    Parameters
    ----------
    correlations : array of float
        (B, p, p) or (p, p).
    active : NDArray[bool_], optional
        (B, p) or (p,), False for columns to leave out, which get NaN. A single column gets 1.

    Returns
    -------
    array of float
        (B, p) or (p,), 1 and more.

    Examples
    --------
    >>> import numpy as np
    >>> r = np.full((3, 3), 0.5) + 0.5 * np.eye(3)
    >>> from gfactor.psychometrics.validity import variance_inflation
    >>> variance_inflation(r).round(2).tolist()
    [1.5, 1.5, 1.5]
    """
    r = np.asarray(correlations, float)
    single = r.ndim == 2
    r = r[None] if single else r
    b, p = r.shape[:2]
    on = np.ones((b, p), bool) if active is None else np.broadcast_to(active, (b, p))
    if not on.all():
        r = np.where(on[:, :, None] & on[:, None, :], r, np.eye(p))
    values = np.full((b, p), np.nan)
    finite = np.array(np.isfinite(r).all(axis=(1, 2)))
    regular = finite.copy()
    if finite.any():
        try:
            lower = cholesky(r[finite])
            # The smallest pivot bounds the smallest eigenvalue from above.
            regular[finite] = einsum("bii->bi", lower).min(axis=1) ** 2 > 1e4 * SINGULAR
        except np.linalg.LinAlgError:
            regular[:] = False
    if regular.any():
        values[regular] = einsum("bii->bi", inv(r[regular]))
    for row in np.flatnonzero(finite & ~regular):
        values[row] = _by_eigenvalues(r[row])
    values = np.where(on, values, np.nan)
    return values[0] if single else values


def block_inflation(
    correlations: Floats,
    blocks: Sequence[NDArray[np.integer]],
    active: NDArray[np.bool_] | None = None,
) -> Floats:
    """Return the variance inflation factor of every column given only the other columns of its
    block.

    GOLD reports these values in its tables III and IV.

    Parameters
    ----------
    correlations : array of float
        (p, p), or (B, p, p) for a batch.
    blocks : Sequence[NDArray[integer]]
        Column numbers of every construct; a column in none gets NaN.
    active : NDArray[bool_], optional
        False for columns to leave out, which get NaN.

    Returns
    -------
    array of float
        (B, p) or (p,), 1 and more.

    Examples
    --------
    >>> import numpy as np
    >>> r = np.full((3, 3), 0.5) + 0.5 * np.eye(3)
    >>> from gfactor.psychometrics.validity import block_inflation
    >>> block_inflation(r, [np.arange(2), np.arange(2, 3)]).round(2).tolist()
    [1.33, 1.33, 1.0]
    """
    r = np.asarray(correlations, float)
    single = r.ndim == 2
    r = r[None] if single else r
    values = np.full(r.shape[:2], np.nan)
    on = None if active is None else np.broadcast_to(active, r.shape[:2])
    for block in blocks:
        columns = np.asarray(block)
        values[:, columns] = variance_inflation(
            r[:, columns[:, None], columns], None if on is None else on[:, columns]
        )
    return values[0] if single else values


def _by_eigenvalues(r: Floats) -> Floats:
    """Return the inflation in a singular matrix: infinite for linearly dependent columns."""
    values, vectors = np.linalg.eigh(r)
    null = values < SINGULAR
    inflation = (vectors[:, ~null] ** 2 / values[~null]).sum(axis=1)
    return np.where((np.abs(vectors[:, null]) > 1e-6).any(axis=1), np.inf, inflation)
