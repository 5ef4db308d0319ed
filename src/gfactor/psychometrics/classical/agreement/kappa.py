"""Cohen's kappa of two raters, plain and weighted, and Fleiss' kappa of several."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.classical.agreement.ratings import (
    DRAWS,
    Agreement,
    Ratings,
    with_interval,
)
from gfactor.psychometrics.float_arrays import einsum

Floats = NDArray[np.float64]
WEIGHTS = ("none", "linear", "quadratic")


def cohen_kappa(
    ratings: pd.DataFrame, weights: str = "none", *, n_bootstrap: int = DRAWS, seed: int = 0
) -> Agreement:
    """Return Cohen's kappa of two raters on the units that both rated.

    Parameters
    ----------
    ratings : DataFrame
        Two columns, one per rater.
    weights : str
        `none` (Cohen, 1960), or `linear` or `quadratic` in the distance of ranks (Cohen,
        1968); quadratic is the usual one for ordered categories.
    n_bootstrap, seed : int
        Number of bootstrap samples of the units, and their seed.

    Returns
    -------
    Agreement
        The coefficient with its interval, n and raters.

    Raises
    ------
    ParameterError
        If there are not two raters, or no common units.

    Examples
    --------
    >>> import pandas as pd
    >>> from gfactor.psychometrics.classical.agreement import cohen_kappa
    >>> ratings = pd.DataFrame({"Ada": [1, 2, 3, 3, 2], "Ben": [1, 2, 3, 3, 1]})
    >>> round(cohen_kappa(ratings).estimate, 3)
    0.706
    """
    if weights not in WEIGHTS:
        raise UnknownNameError("weighting", weights, WEIGHTS)
    if ratings.shape[1] != 2:
        raise ParameterError(
            f"Cohen's kappa compares two raters, but the table has {ratings.shape[1]}; choose two "
            "columns, or use fleiss_kappa or krippendorff_alpha"
        )
    both = ratings.dropna()
    table = Ratings.of(both)
    index = {value: k for k, value in enumerate(table.values)}
    first, second = (np.array([index[v] for v in both.iloc[:, k]]) for k in (0, 1))
    size = len(table.values)
    ones, others = np.eye(size)[first], np.eye(size)[second]
    ranks = np.arange(size, dtype=float)
    apart = np.abs(ranks[:, None] - ranks[None])
    apart = {"none": (apart > 0).astype(float), "linear": apart, "quadratic": apart**2}[weights]
    each = apart[first, second]

    def kappa(drawn: Floats) -> Floats:
        n = drawn.sum(axis=1)
        observed = drawn @ each / n
        expected = einsum("dc,dk,ck->d", drawn @ ones, drawn @ others, apart) / n**2
        out = np.full(len(drawn), np.nan)
        np.divide(observed, expected, where=expected > 0, out=out)
        return 1 - out

    name = "Cohen's kappa" + ("" if weights == "none" else f" ({weights} weights)")
    return with_interval(name, table, kappa, n_bootstrap, seed)


def fleiss_kappa(ratings: pd.DataFrame, *, n_bootstrap: int = DRAWS, seed: int = 0) -> Agreement:
    """Return Fleiss' kappa for the same number of ratings per unit, by any raters (Fleiss, 1971).

    Parameters
    ----------
    ratings : DataFrame
        A row per unit; missing cells are left out, but each unit must have equally many
        ratings.
    n_bootstrap, seed : int
        Number of bootstrap samples of the units, and their seed.

    Returns
    -------
    Agreement
        The coefficient with its interval, n and raters.

    Raises
    ------
    ParameterError
        If units have unequal numbers of ratings.

    Examples
    --------
    >>> import pandas as pd
    >>> from gfactor.psychometrics.classical.agreement import fleiss_kappa
    >>> ratings = pd.DataFrame({"Ada": [1, 2, 3, 3, 2], "Ben": [1, 2, 3, 3, 1]})
    >>> 0 < fleiss_kappa(ratings).estimate < 1
    True
    """
    table = Ratings.of(ratings)
    counts = table.counts.astype(float)
    each = counts.sum(axis=1)
    if len(set(each)) > 1 or table.n < table.units:
        raise ParameterError(
            "Fleiss' kappa needs the same number of ratings for every unit; use "
            "krippendorff_alpha, which allows different numbers"
        )
    m = each[0]
    agreed = ((counts**2).sum(axis=1) - m) / (m * (m - 1))

    def kappa(drawn: Floats) -> Floats:
        n = drawn.sum(axis=1)
        observed = drawn @ agreed / n
        shares = drawn @ counts / (n * m)[:, None]
        expected = (shares**2).sum(axis=1)
        out = np.full(len(drawn), np.nan)
        np.divide(observed - expected, 1 - expected, where=expected < 1 - 1e-12, out=out)
        return out

    return with_interval("Fleiss' kappa", table, kappa, n_bootstrap, seed)
