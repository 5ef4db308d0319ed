"""Reliability of the scores of constructs, from correlations and loadings, in batches.

References
----------
Cronbach, L. J. (1951). Psychometrika 16, 297-334 (alpha; standardized: of z-scores).
Joreskog, K. G. (1971). Statistical analysis of sets of congeneric tests. Psychometrika 36,
    109-133 (composite reliability, rho_C).
Dijkstra, T. K., Henseler, J. (2015). MIS Quarterly 39, 297-316 (rho_A).
Tenenhaus, M. et al. (2005). PLS path modeling. Computational Statistics & Data Analysis 48,
    159-205 (Dillon and Goldstein's rho from the first principal component).
McDonald, R. P. (1999). Test theory: a unified treatment (omega).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Block = NDArray[np.integer]


def standardized_alpha(correlations: Floats, blocks: Sequence[Block]) -> Floats:
    """(B, J): alpha of the standardized indicators, k r / (1 + (k - 1) r) with r their mean
    correlation. 1 for a single indicator, by the convention of PLS software."""
    r = correlations if correlations.ndim == 3 else correlations[None]
    found = np.ones((len(r), len(blocks)))
    for j, columns in enumerate(blocks):
        k = len(columns)
        if k > 1:
            total = r[:, columns[:, None], columns].sum(axis=(1, 2))
            with np.errstate(divide="ignore", invalid="ignore"):
                found[:, j] = k / (k - 1) * (1 - k / np.where(total > 0, total, np.nan))
    return found


def composite_reliability(loadings: Floats, member: Floats) -> Floats:
    """(B, J): Joreskog's rho_C, (sum of loadings)^2 over itself plus the sum of 1 - loading^2.

    GOLD's equation 7. With PLS loadings in mode A it is too high, since these are.

    Parameters
    ----------
    loadings: (B, p) or (p,), of the indicators on their own construct.
    member: (p, J), 1 where an indicator belongs to a construct.
    """
    square = (loadings @ member) ** 2
    rest = (1 - loadings**2) @ member
    with np.errstate(divide="ignore", invalid="ignore"):
        return square / np.where(square + rest > 0, square + rest, np.nan)


def component_reliability(correlations: Floats, blocks: Sequence[Block]) -> Floats:
    """(J,): Dillon and Goldstein's rho from the correlations with the first principal component.

    plspm's; the field called rho_A in the tool of GOLD's authors. Usually too high: the component
    maximizes the sum of the squared correlations.
    """
    found = np.ones(len(blocks))
    for j, columns in enumerate(blocks):
        if len(columns) > 1:
            values, vectors = np.linalg.eigh(correlations[np.ix_(columns, columns)])
            loadings = vectors[:, -1] * np.sqrt(values[-1])
            square = loadings.sum() ** 2
            found[j] = square / (square + (1 - loadings**2).sum())
    return found


def omega(correlations: Floats, blocks: Sequence[Block]) -> Floats:
    """(J,): McDonald's omega, rho_C with the loadings of one maximum-likelihood factor.

    NaN for fewer than three indicators (one factor is not identified) or where the block is
    singular; 1 for a single indicator, as for the other coefficients.
    """
    # Loaded only here: coefficients of sums of indicators, next door, need no factor analysis.
    from gfactor.psychometrics.factor.exploratory.extraction import extract  # noqa: PLC0415

    found = np.full(len(blocks), np.nan)
    for j, columns in enumerate(blocks):
        if len(columns) == 1:
            found[j] = 1.0
        elif len(columns) > 2:
            block = correlations[np.ix_(columns, columns)]
            if np.linalg.eigvalsh(block)[0] < 1e-8:
                continue
            loadings = extract(block, 1).loadings[:, 0]
            square = loadings.sum() ** 2
            found[j] = square / (square + (1 - loadings**2).sum())
    return found
