"""Fit of extracted factors to a correlation matrix.

The statistics are those of R's factanal and psych: Bartlett's chi-square of the ML discrepancy, and
indices from it, whatever the method of extraction was; after minres and principal axes they are
approximate, because those do not minimize that discrepancy.

References
----------
Bartlett, M. S. (1951). The effect of standardization on a chi-square approximation in factor
    analysis. Biometrika 38, 337-344.
Steiger, J. H., Lind, J. C. (1980). Statistically based tests for the number of common factors.
Tucker, L. R., Lewis, C. (1973). A reliability coefficient for maximum likelihood factor analysis.
    Psychometrika 38, 1-10.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, stats

from gfactor.psychometrics.float_arrays import solve
from gfactor.psychometrics.rounding import cleared

Array = NDArray[np.float64]

RMSEA_LEVEL = 0.90
"""The usual confidence level of the interval of RMSEA."""


@dataclass(frozen=True)
class EfaFit:
    """Fit of an exploratory factor analysis; NaN if there are no degrees of freedom.

    `rmsr` is the root mean square of the off-diagonal residuals, `crmsr` the same per degree of
    freedom, `bic` chi-square minus df log n, and `largest_residual` the largest absolute residual.
    """

    discrepancy: float
    chi_square: float
    df: int
    p: float
    null_chi_square: float
    null_df: int
    rmsea: float
    rmsea_low: float
    rmsea_high: float
    tli: float
    rmsr: float
    crmsr: float
    bic: float
    largest_residual: float


def degrees_of_freedom(p: int, factors: int) -> int:
    """Return the degrees of freedom of an exploratory factor model.

    Parameters
    ----------
    p : int
        Number of indicators.
    factors : int
        Number of factors.

    Returns
    -------
    int
        Degrees of freedom; negative if there are too many factors.

    Examples
    --------
    >>> from gfactor.psychometrics.factor.exploratory import degrees_of_freedom
    >>> degrees_of_freedom(6, 2)
    4
    """
    return ((p - factors) ** 2 - p - factors) // 2


def efa_fit(r: Array, common: Array, n: int, factors: int) -> EfaFit:
    """Return fit indices of a factor solution, which compare reproduced and observed correlations.

    Parameters
    ----------
    r : Array
        Correlations, (p, p).
    common : Array
        The reproduced common part: loadings @ phi @ loadings.T.
    n : int
        Number of persons.
    factors : int
        Number of factors.

    Returns
    -------
    EfaFit
        Chi-square, RMSEA with its interval, TLI, RMSR, BIC.

    Examples
    --------
    >>> import numpy as np
    >>> r = np.full((4, 4), 0.5) + 0.5 * np.eye(4)
    >>> from gfactor.psychometrics.factor.exploratory import efa_fit, extract
    >>> loadings = extract(r, 1).loadings
    >>> round(efa_fit(r, loadings @ loadings.T, 200, 1).rmsea, 3)
    0.0
    """
    p = len(r)
    df, null_df = degrees_of_freedom(p, factors), p * (p - 1) // 2
    model = common.copy()
    np.fill_diagonal(model, 1.0)
    residuals = cleared(r - model)
    # The part of the matrix that the model does not explain: zero if it fits exactly.
    ratio = solve(model, r)
    left = float(np.trace(ratio) - np.linalg.slogdet(ratio)[1] - p)
    discrepancy = max(0.0, float(cleared(left, p)))
    null = float(-np.linalg.slogdet(r)[1])
    size = n - 1 - (2 * p + 5) / 6
    chi_square = max(0.0, discrepancy * (size - 2 * factors / 3))
    rmsr = float(np.sqrt((residuals**2).sum() / (p * (p - 1))))
    nan = float("nan")
    rmsea, low, high, tli, crmsr, bic, p_value = nan, nan, nan, nan, nan, nan, nan
    if df > 0:
        p_value = float(stats.chi2.sf(chi_square, df))
        rmsea = float(np.sqrt(max(0.0, chi_square / (df * n) - 1 / (n - 1))))
        low, high = _interval(chi_square, df, n)
        expected = 1 / (size - 2 * factors / 3)
        tli = (null / null_df - discrepancy / df) / (null / null_df - expected)
        crmsr = float(np.sqrt((residuals**2).sum() / (2 * df)))
        bic = chi_square - df * float(np.log(n))
    return EfaFit(
        discrepancy=discrepancy,
        chi_square=chi_square,
        df=df,
        p=p_value,
        null_chi_square=null * size,
        null_df=null_df,
        rmsea=rmsea,
        rmsea_low=low,
        rmsea_high=high,
        tli=tli,
        rmsr=rmsr,
        crmsr=crmsr,
        bic=bic,
        largest_residual=float(np.abs(residuals).max()),
    )


def _interval(chi_square: float, df: int, n: int) -> tuple[float, float]:
    tail = (1 - RMSEA_LEVEL) / 2

    def bound(probability: float) -> float:
        if stats.chi2.cdf(chi_square, df) <= probability:
            return 0.0
        limit = optimize.root_scalar(
            lambda shift: float(stats.ncx2.cdf(chi_square, df, shift)) - probability,
            bracket=(1e-12, 4 * chi_square + 100),
            xtol=1e-12,
        )
        return float(np.sqrt(limit.root / ((n - 1) * df)))

    return bound(1 - tail), bound(tail)
