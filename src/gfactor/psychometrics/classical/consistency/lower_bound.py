"""The greatest lower bound of the reliability of a sum.

The errors of k indicators are uncorrelated. Their covariance matrix S is therefore the sum of a
matrix of true scores and a diagonal matrix of errors, both without negative eigenvalues. The bound
is 1 - t / s,
with t the largest trace that the diagonal matrix can have and s the variance of the sum. The dual
problem is the minimum of <S, Y> over matrices Y = V V' whose diagonal is at least 1; it is solved
row by row of V, which has no local minima if V has k columns (Wang, Chang and Kolter 2017).

References
----------
Jackson, P. H., Agunwamba, C. C. (1977). Lower bounds for the reliability of the total score on a
    test composed of non-homogeneous items. Psychometrika 42, 567-578.
Ten Berge, J. M. F., Snijders, T. A. B., Zegers, F. E. (1981). Computational aspects of the greatest
    lower bound to the reliability and constrained minimum trace factor analysis. Psychometrika 46,
    201-213.
Wang, P.-W., Chang, W.-C., Kolter, J. Z. (2017). The mixing method: low-rank coordinate descent for
    semidefinite programming with diagonal constraints. arXiv:1706.00476.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.float_arrays import einsum

Floats = NDArray[np.float64]

_SWEEPS = 2_000
_STILL = 1e-9
"""Relative change of the error variance between ten sweeps, at which the search ends."""


def greatest_lower_bound(covariance: Floats) -> Floats:
    """Return the greatest lower bound of the reliability of the sum of indicators.

    Parameters
    ----------
    covariance : array (p, p) or (B, p, p)
        Covariance matrices of the indicators.

    Returns
    -------
    array (B,)
        A bound per matrix; NaN if the sum does not vary.

    Examples
    --------
    >>> import numpy as np
    >>> parallel = np.full((4, 4), 0.5) + 0.5 * np.eye(4)
    >>> greatest_lower_bound(parallel).round(3).tolist()
    [0.8]
    """
    s = np.array(covariance if covariance.ndim == 3 else covariance[None], np.float64)
    scale = np.sqrt(np.maximum(einsum("bii->bi", s), 0))
    # Indicators are standardized, because their units differ; their variances are then the weights
    # of the trace.
    unit = np.where(scale > 0, scale, 1.0)
    r = s / unit[:, :, None] / unit[:, None, :]
    k = s.shape[1]
    v = np.repeat(np.random.default_rng(0).normal(size=(1, k, k)), len(s), axis=0)
    v /= np.linalg.norm(v, axis=2, keepdims=True)
    v *= unit[:, :, None]
    trace = _value(r, v)
    for sweep in range(1, _SWEEPS + 1):
        for i in range(k):
            pull = einsum("bj,bjc->bc", r[:, i], v) - r[:, i, i, None] * v[:, i]
            length = np.linalg.norm(pull, axis=1)
            # The row's length is at least the standard deviation, and more if that lowers the
            # value.
            wanted = np.maximum(length / np.maximum(r[:, i, i], 1e-300), unit[:, i])
            v[:, i] = -pull / np.maximum(length, 1e-300)[:, None] * wanted[:, None]
        if sweep % 10 == 0:
            new = _value(r, v)
            if np.all(np.abs(trace - new) <= _STILL * np.abs(new)):
                break
            trace = new
    total = s.sum(axis=(1, 2))
    errors = _value(r, v)
    return np.where(total > 0, 1 - errors / np.where(total > 0, total, 1.0), np.nan)


def _value(r: Floats, v: Floats) -> Floats:
    return einsum("bij,bic,bjc->b", r, v, v, optimize=True)
