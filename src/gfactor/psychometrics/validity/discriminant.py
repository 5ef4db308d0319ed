"""Convergent validity and the Fornell-Larcker table.

References
----------
Fornell, C., Larcker, D. F. (1981). Evaluating structural equation models with unobservable
    variables and measurement error. Journal of Marketing Research 18, 39-50.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def average_variance_extracted(loadings: Floats, member: Floats) -> Floats:
    """(B, J): mean squared loading of each construct (Fornell and Larcker 1981).

    With standardized indicators GOLD's equation 8 is the same, its w being the loadings.

    Parameters
    ----------
    loadings: (B, p) or (p,), of the indicators on their own construct.
    member: (p, J), 1 where an indicator belongs to a construct.
    """
    return loadings**2 @ member / member.sum(axis=0)


def fornell_larcker(ave: pd.Series, correlations: pd.DataFrame) -> pd.DataFrame:
    """Square roots of AVE on the diagonal, correlations of the constructs elsewhere.

    A construct is said to differ from the others where its diagonal value exceeds every other
    value of its row; HTMT finds failures that this criterion misses (Henseler et al. 2015).
    """
    values = correlations.to_numpy(float).copy()
    np.fill_diagonal(values, np.sqrt(ave.loc[correlations.index].to_numpy(float)))
    return pd.DataFrame(values, correlations.index, correlations.columns)
