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

from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.rounding import cleared

Floats = NDArray[np.float64]
Block = NDArray[np.integer]


def standardized_alpha(correlations: Floats, blocks: Sequence[Block]) -> Floats:
    """Return alpha of the standardized indicators, k r / (1 + (k - 1) r) with r their mean
    correlation, shape (B, J). 1 for a single indicator, by the convention of PLS software.

    Parameters
    ----------
    correlations : array of float
        Correlations of the indicators: (p, p), or (B, p, p) for a batch.
    blocks : list of Block
        Column numbers of every construct.

    Returns
    -------
    array of float
        (B, J), one coefficient per construct.

    Examples
    --------
    >>> import numpy as np
    >>> r = np.full((3, 3), 0.5) + 0.5 * np.eye(3)
    >>> from gfactor.psychometrics.classical.consistency import standardized_alpha
    >>> standardized_alpha(r, [np.arange(3)]).round(2).tolist()
    [[0.75]]
    """
    r = correlations if correlations.ndim == 3 else correlations[None]
    alpha = np.ones((len(r), len(blocks)))
    for j, columns in enumerate(blocks):
        k = len(columns)
        if k > 1:
            total = r[:, columns[:, None], columns].sum(axis=(1, 2))
            with np.errstate(divide="ignore", invalid="ignore"):
                alpha[:, j] = k / (k - 1) * (1 - k / np.where(total > 0, total, np.nan))
    return alpha


def composite_reliability(loadings: Floats, member: Floats) -> Floats:
    """Return Joreskog's rho_C, s^2 / (s^2 + sum of 1 - loading^2) with s the sum of loadings, shape
    (B, J).

    It is GOLD's equation 7. With PLS loadings in mode A it is too high, because these loadings are
    too high.

    Parameters
    ----------
    loadings : array of float
        (B, p) or (p,), of the indicators on their own construct.
    member : array of float
        (p, J), 1 if an indicator belongs to a construct.

    Returns
    -------
    array of float
        (B, J) or (J,), one coefficient per construct.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics.classical.consistency import composite_reliability
    >>> composite_reliability(np.array([0.8, 0.8, 0.8]), np.ones((3, 1))).round(3).tolist()
    [0.842]
    """
    square = (loadings @ member) ** 2
    rest = (1 - loadings**2) @ member
    with np.errstate(divide="ignore", invalid="ignore"):
        return square / np.where(square + rest > 0, square + rest, np.nan)


def component_reliability(correlations: Floats, blocks: Sequence[Block]) -> Floats:
    """Return Dillon and Goldstein's rho from the correlations with the first principal component,
    shape (J,).

    plspm computes it, and so does the tool of GOLD's authors, which calls it rho_A. It is usually
    too high, because the component maximizes the sum of the squared correlations.

    Parameters
    ----------
    correlations : array of float
        Correlations of the indicators, (p, p).
    blocks : list of Block
        Column numbers of every construct.

    Returns
    -------
    array of float
        (J,), one coefficient per construct.

    Examples
    --------
    >>> import numpy as np
    >>> r = np.full((3, 3), 0.5) + 0.5 * np.eye(3)
    >>> from gfactor.psychometrics.classical.consistency import component_reliability
    >>> component_reliability(r, [np.arange(3)]).round(3).tolist()
    [0.857]
    """
    rho = np.ones(len(blocks))
    for j, columns in enumerate(blocks):
        if len(columns) > 1:
            values, vectors = np.linalg.eigh(correlations[np.ix_(columns, columns)])
            loadings = vectors[:, -1] * np.sqrt(values[-1])
            # Loadings of opposite signs may cancel up to rounding.
            square = float(cleared(loadings.sum(), len(columns))) ** 2
            rho[j] = square / (square + (1 - loadings**2).sum())
    return rho


def omega(correlations: Floats, blocks: Sequence[Block]) -> Floats:
    """Return McDonald's omega, rho_C with the loadings of one maximum-likelihood factor, shape
    (J,).

    NaN for fewer than three indicators (one factor is not identified) or if the block is
    singular; 1 for a single indicator, as for the other coefficients.

    Parameters
    ----------
    correlations : array of float
        Correlations of the indicators, (p, p).
    blocks : list of Block
        Column numbers of every construct.

    Returns
    -------
    array of float
        (J,), one coefficient per construct.

    References
    ----------
    McDonald, R. P. (1999). Test theory: a unified treatment. Erlbaum.

    Examples
    --------
    >>> import numpy as np
    >>> r = np.full((3, 3), 0.5) + 0.5 * np.eye(3)
    >>> from gfactor.psychometrics.classical.consistency import omega
    >>> omega(r, [np.arange(3)]).round(2).tolist()
    [0.75]
    """
    # Imported here, because the other coefficients need no factor analysis.
    from gfactor.psychometrics.factor.exploratory.extraction import extract  # noqa: PLC0415

    values = np.full(len(blocks), np.nan)
    for j, columns in enumerate(blocks):
        if len(columns) == 1:
            values[j] = 1.0
        elif len(columns) > 2:
            block = correlations[np.ix_(columns, columns)]
            if eigvalsh(block)[0] < 1e-8:
                continue
            loadings = extract(block, 1).loadings[:, 0]
            square = loadings.sum() ** 2
            values[j] = square / (square + (1 - loadings**2).sum())
    return values
