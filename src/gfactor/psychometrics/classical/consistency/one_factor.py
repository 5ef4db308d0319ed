"""Test of the model of one factor that keeps its level in small samples.

CFI of data of one factor is often below .9 if persons are few, and the usual chi-square of many
indicators and few persons is too large. The test here is one of close fit: RMSEA above .05
(MacCallum et al. 1996), from the chi-square with Swain's (1975) correction. Right and wrong answers
of one ability have more than one linear factor if their difficulties are unequal; what this adds to
chi-square counts as fit.

References
----------
MacCallum, R. C., Browne, M. W., Sugawara, H. M. (1996). Power analysis and determination of sample
size for covariance structure modeling. Psychological Methods 1, 130-149.

Herzog, W., Boomsma, A. (2009). Small-sample robust estimators of noncentrality-based and
incremental model fit. Structural Equation Modeling 16, 1-27 (Swain's correction).

McDonald, R. P., Ahlawat, K. S. (1974). Difficulty factors in binary data. British Journal of
Mathematical and Statistical Psychology 27, 82-99.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special, stats

from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.factor.exploratory import efa_fit, extract
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.ordinal.bivariate import bivariate_normal_cdf

CLOSE_RMSEA = 0.05
"""RMSEA up to which a model of one factor fits closely."""
ALPHA = 0.01
"""Level of the test."""
PERSONS_PER_INDICATOR = 1.5
"""Persons per indicator below which Swain's correction does not suffice."""
_STEEPEST = 0.95


def one_factor_misfit(fit: Fit, x: pd.DataFrame) -> list[Diagnostic]:
    """Return the warning that one factor does not explain the covariances, if a test of fit rejects
    it.

    Parameters
    ----------
    fit : Fit
        Model of one factor, fitted by robust maximum likelihood.
    x : DataFrame
        Its complete data, one column per indicator.

    Returns
    -------
    list of Diagnostic
        Empty if the test does not reject, or persons are too few for it.
    """
    measures = fit.fit_measures.to_dict()
    n, k, df = len(x), x.shape[1], float(measures["df"])
    if n < PERSONS_PER_INDICATOR * k or not df:
        return []
    chi_square = np.fmin(float(measures["chisq"]), float(measures.get("chisq.scaled", np.nan)))
    chi_square = float(chi_square) * _swain(n, k)
    of_difficulties = 0.0
    if np.isin(x.to_numpy(float), (0, 1)).all():
        of_difficulties = (n - 1) * _discrepancy_of_difficulties(x.to_numpy(float))
    if stats.ncx2.sf(chi_square, df, (n - 1) * df * CLOSE_RMSEA**2 + of_difficulties) >= ALPHA:
        return []
    rmsea = float(np.sqrt((chi_square - of_difficulties - df) / (df * (n - 1))))
    return [Diagnostic(
        "one_factor_misfits", "warning",
        f"A model of one factor does not fit (RMSEA {rmsea:.2f}; test of close fit, p < .01): the "
        "sum mixes several abilities, or some indicators share more than the ability.",
        "Look at `gfactor analyze efa`, and report a reliability for each factor.",
        values={"rmsea": rmsea},
    )]  # fmt: skip


def _swain(n: int, k: int) -> float:
    """Return the factor by which Swain corrects chi-square of one factor of k indicators."""
    free, moments = 2 * k, k * (k + 1) // 2
    q = (np.sqrt(1 + 8 * free) - 1) / 2
    of_moments, of_free = (size * (2 * size**2 + 3 * size - 1) for size in (k, q))
    return float(1 - (of_moments - of_free) / (12 * (moments - free) * (n - 1)))


def _discrepancy_of_difficulties(x: NDArray[np.float64]) -> float:
    """Return how far a linear factor is from the correlations of 0/1 items of one normal ability.

    Loadings are those of the data, corrected for the cut between 0 and 1 as biserial correlations.
    """
    share = x.mean(axis=0)
    sd = np.sqrt(share * (1 - share))
    cut = special.ndtri(share)
    loadings = extract(np.asarray(np.corrcoef(x, rowvar=False)), 1).loadings[:, 0]
    latent = loadings * sd / (np.exp(-(cut**2) / 2) / np.sqrt(2 * np.pi))
    latent = np.clip(latent, -_STEEPEST, _STEEPEST)
    both = bivariate_normal_cdf(cut[:, None], cut[None, :], np.outer(latent, latent))
    expected = (both - np.outer(share, share)) / np.outer(sd, sd)
    np.fill_diagonal(expected, 1.0)
    linear = extract(expected, 1).loadings
    return max(0.0, float(efa_fit(expected, linear @ linear.T, len(x), 1).discrepancy))
