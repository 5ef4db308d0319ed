"""Vuong's tests of two models that are not nested, from their log-likelihoods of single cases.

References
----------
Vuong, Q. H. (1989). Likelihood ratio tests for model selection and non-nested hypotheses.
    Econometrica 57, 307-333.
Pearson, E. S. (1959). Note on an approximation to the distribution of non-central chi-square.
    Biometrika 46, 364 (weighted sums of chi-squares by three moments).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

Floats = NDArray[np.float64]

_SAME = 1e-6
"""Two log-likelihoods of a case that differ by less than this are equal."""


@dataclass(frozen=True)
class CaseLikelihood:
    """Log-likelihoods of the cases under a fitted model.

    Parameters
    ----------
    values : array (n,)
        Log-likelihood of each case.
    scores : array (n, X)
        Its derivatives by the parameters.
    inverse : array (X, X) or None
        Inverse of the observed information of all cases; None if it has none.
    """

    values: Floats
    scores: Floats
    inverse: Floats | None


def vuong(first: CaseLikelihood, second: CaseLikelihood, weights: Floats) -> dict[str, float]:
    """Return Vuong's test of two models, with the test of whether they are distinguishable.

    Parameters
    ----------
    first, second : CaseLikelihood
        The models, fitted to the same cases.
    weights : array (n,)
        Number of times that each case counts.

    Returns
    -------
    dict of str to float
        `z`, above zero if the first model is nearer to the truth, with its two-sided `z_pvalue`;
        `variance` of the cases' differences in log-likelihood, with the `variance_pvalue` of equal
        models (NaN without information matrices).
    """
    n = float(weights.sum())
    gain = first.values - second.values
    mean = float(weights @ gain) / n
    variance = float(weights @ (gain - mean) ** 2) / n
    if math.sqrt(variance) < _SAME:
        return {"z": 0.0, "z_pvalue": 1.0, "variance": variance, "variance_pvalue": 1.0}
    z = math.sqrt(n) * mean / math.sqrt(variance)
    return {
        "z": z, "z_pvalue": float(2 * special.ndtr(-abs(z))), "variance": variance,
        "variance_pvalue": _of_equal_models(first, second, weights[:, None], n * variance),
    }  # fmt: skip


def _of_equal_models(
    first: CaseLikelihood, second: CaseLikelihood, weights: Floats, statistic: float
) -> float:
    """The p-value of equal models (Vuong 1989, theorem 4.1); NaN without an information matrix."""
    if first.inverse is None or second.inverse is None:
        return math.nan
    scores = (first.scores, second.scores)
    cross = [[a.T @ (weights * b) for b in scores] for a in scores]
    matrix = np.block([
        [cross[0][0] @ first.inverse, -cross[0][1] @ second.inverse],
        [cross[1][0] @ first.inverse, -cross[1][1] @ second.inverse],
    ])  # fmt: skip
    weights_of_sum = np.asarray(np.linalg.eigvals(matrix).real, np.float64) ** 2
    return weighted_chi_square_tail(weights_of_sum, statistic)


def weighted_chi_square_tail(weights: Floats, statistic: float) -> float:
    """Return the upper tail probability of a weighted sum of chi-square variables with one degree
    of freedom each.

    Parameters
    ----------
    weights : array
        Weights that are not negative.
    statistic : float
        The value of the sum.

    Returns
    -------
    float
        By the chi-square distribution with the same first three moments: exact for equal weights,
        otherwise to about .03 in the middle of the distribution and .01 in its upper tail.

    Examples
    --------
    >>> round(weighted_chi_square_tail(np.array([2.0, 2.0]), 2 * 5.991), 3)
    0.05
    """
    first, second, third = (float((weights**power).sum()) for power in (1, 2, 3))
    if not third > 0:
        return 1.0
    df = second**3 / third**2
    return float(special.chdtrc(df, max((statistic - first) * math.sqrt(df / second) + df, 0.0)))
