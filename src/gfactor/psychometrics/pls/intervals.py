"""Intervals from bootstrap replicates.

References
----------
Efron, B. (1987). Better bootstrap confidence intervals. Journal of the American Statistical
    Association 82, 171-185.
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from gfactor.psychometrics.pls.design import Floats


def percentile_interval(replicates: Floats, level: float) -> Floats:
    """(2, k): the quantiles (linear interpolation, R's type 7) of (B, k) replicates; NaN if any
    replicate is NaN."""
    tail = (1 - level) / 2
    return np.quantile(replicates, [tail, 1 - tail], axis=0)


def bca_interval(replicates: Floats, estimate: Floats, jackknife: Floats, level: float) -> Floats:
    """(2, k): bias-corrected and accelerated intervals.

    Parameters
    ----------
    replicates: (B, k); estimate: (k,); jackknife: (n, k), the statistic without each row.

    Ties with the estimate count half. NaN where all replicates lie on one side of the estimate
    (no interval exists at this B). A statistic that never varies keeps its value.
    """
    # Replicates equal to the estimate up to rounding are ties, not luck of the last digit.
    slack = 1e-12 * np.maximum(1.0, np.abs(estimate))
    below = (replicates < estimate - slack).mean(axis=0)
    ties = (np.abs(replicates - estimate) <= slack).mean(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        z0 = stats.norm.ppf(below + ties / 2)
        off = jackknife.mean(axis=0) - jackknife
        square = (off**2).sum(axis=0)
        constant = square < 1e-24
        acceleration = np.where(
            constant, 0.0, (off**3).sum(axis=0) / (6 * np.where(constant, 1.0, square) ** 1.5)
        )
        tail = (1 - level) / 2
        z = stats.norm.ppf([tail, 1 - tail])[:, None]
        shifted = stats.norm.cdf(z0 + (z0 + z) / (1 - acceleration * (z0 + z)))
    found = np.full((2, replicates.shape[1]), np.nan)
    for k in np.flatnonzero(np.isfinite(shifted).all(axis=0)):
        if np.isfinite(replicates[:, k]).all():
            found[:, k] = np.quantile(replicates[:, k], shifted[:, k])
    return found
