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
    loadings : array of float
        (B, p) or (p,), of the indicators on their own construct.
    member : array of float
        (p, J), 1 where an indicator belongs to a construct.

    Returns
    -------
    array of float
        (B, J) or (J,), 0 to 1.

    References
    ----------
    Fornell, C., Larcker, D. F. (1981). Evaluating structural equation models with unobservable
    variables and measurement error. Journal of Marketing Research 18, 39-50.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics.validity import average_variance_extracted
    >>> average_variance_extracted(np.array([0.8, 0.6]), np.ones((2, 1))).round(2).tolist()
    [0.5]
    """
    return loadings**2 @ member / member.sum(axis=0)


def fornell_larcker(ave: pd.Series, correlations: pd.DataFrame) -> pd.DataFrame:
    """Square roots of AVE on the diagonal, correlations of the constructs elsewhere.

    A construct is said to differ from the others where its diagonal value exceeds every other
    value of its row; HTMT finds failures that this criterion misses (Henseler et al. 2015).

    Parameters
    ----------
    ave : Series
        By construct.
    correlations : DataFrame
        Constructs x constructs.

    Returns
    -------
    DataFrame
        Constructs x constructs.

    References
    ----------
    Henseler, J., Ringle, C. M., Sarstedt, M. (2015). A new criterion for assessing discriminant
    validity in variance-based structural equation modeling. Journal of the Academy of Marketing
    Science 43, 115-135.

    Examples
    --------
    >>> import pandas as pd
    >>> from gfactor.psychometrics.validity import fornell_larcker
    >>> names = ["A", "B"]
    >>> r = pd.DataFrame([[1, 0.4], [0.4, 1]], names, names)
    >>> fornell_larcker(pd.Series([0.49, 0.64], names), r).round(2).to_numpy().tolist()
    [[0.7, 0.4], [0.4, 0.8]]
    """
    values = correlations.to_numpy(float).copy()
    np.fill_diagonal(values, np.sqrt(ave.loc[correlations.index].to_numpy(float)))
    return pd.DataFrame(values, correlations.index, correlations.columns)
