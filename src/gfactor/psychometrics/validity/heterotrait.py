"""Heterotrait-monotrait ratios: correlations between constructs over those within constructs.

References
----------
Henseler, J., Ringle, C. M., Sarstedt, M. (2015). A new criterion for assessing discriminant
    validity in variance-based SEM. Journal of the Academy of Marketing Science 43, 115-135.
Roemer, E., Schuberth, F., Henseler, J. (2021). HTMT2 - an improved criterion for assessing
    discriminant validity in SEM. Industrial Management & Data Systems 121, 2637-2650.
Ringle, C. M. et al. (2023). A perspective on using PLS-SEM in data articles. Data in Brief 48,
    109074 (HTMT+, absolute correlations).
Fornell, C., Larcker, D. F. (1981). Evaluating structural equation models with unobservable
    variables and measurement error. Journal of Marketing Research 18, 39-50.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import einsum

Floats = NDArray[np.float64]
Variant = Literal["htmt", "htmt2", "raw", "gold"]
VARIANTS: tuple[Variant, ...] = ("htmt", "htmt2", "raw", "gold")


def htmt(
    correlations: Floats,
    member: Floats,
    variant: Variant = "htmt",
    active: NDArray[np.bool_] | None = None,
) -> Floats:
    """Return the heterotrait-monotrait ratio of every pair of constructs, shape (B, J, J),
    symmetric, with NaN on the diagonal.

    A construct with one indicator counts as measured without error (its within-construct
    correlation is 1, as in seminr). A construct without active indicators gets NaN.

    Parameters
    ----------
    correlations : array of float
        (B, p, p) or (p, p) of the indicators.
    member : array of float
        (p, J), 1 if an indicator belongs to a construct; it may belong to several or none.
    variant : Variant
        "htmt": the mean absolute correlation between two constructs' indicators, divided by the
        geometric mean of the two mean absolute correlations within (Henseler 2015 with the
        absolute values of Ringle 2023, as in seminr). "htmt2": geometric instead of arithmetic
        means of absolute values (Roemer 2021; consistent also for congeneric indicators). "raw":
        "htmt" without absolute values (Henseler 2015 as printed); NaN if a mean within is not
        positive. "gold": equation 1 of the GOLD paper: raw correlations, divided by the mean
        within the row's construct only, so that [i, j] and [j, i] differ. The authors' own tool
        computes "htmt".
    active : NDArray[bool_], optional
        (B, p) or (p,), false for indicators to leave out.

    Returns
    -------
    array of float
        (B, J, J) or (J, J).

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics.validity import htmt
    >>> r = np.array([[1, 0.6, 0.3, 0.3], [0.6, 1, 0.3, 0.3],
    ...               [0.3, 0.3, 1, 0.6], [0.3, 0.3, 0.6, 1]])
    >>> member = np.array([[1, 0], [1, 0], [0, 1], [0, 1]])
    >>> float(htmt(r, member)[..., 0, 1].round(2).squeeze())
    0.5
    """
    if variant not in VARIANTS:
        raise ParameterError(f"HTMT variant {variant!r} is none of {', '.join(VARIANTS)}")
    r = np.asarray(correlations, float)
    single = r.ndim == 2
    r = r[None] if single else r
    on = np.ones(r.shape[:2]) if active is None else np.asarray(active, float)
    wide = np.broadcast_to(on, r.shape[:2])[:, :, None] * member
    size = wide.sum(axis=1)
    values = r if variant in {"raw", "gold"} else np.abs(r)
    if variant == "htmt2":
        with np.errstate(divide="ignore"):
            # exp(-700) is practically 0; 0 x -inf would be NaN.
            values = np.maximum(np.log(values), -700.0)
    turned = np.swapaxes(wide, 1, 2)
    total = turned @ values @ wide
    within_first = einsum("bii,bij->bj", values, wide)
    with np.errstate(divide="ignore", invalid="ignore"):
        across = total / (size[:, :, None] * size[:, None, :])
        j = np.arange(member.shape[1])
        within = (total[:, j, j] - within_first) / (size * (size - 1))
        if variant == "htmt2":
            across, within = np.exp(across), np.exp(within)
        within = np.where(size == 1, 1.0, within)
        if variant == "gold":
            ratio = across / within[:, :, None]
        else:
            root = np.sqrt(np.where(within > 0, within, np.nan))
            ratio = across / (root[:, :, None] * root[:, None, :])
    ratio[:, j, j] = np.nan
    return ratio[0] if single else ratio


def average_variance_extracted(loadings: Floats, member: Floats) -> Floats:
    """Return mean squared loading of each construct (Fornell and Larcker 1981), shape (B, J).

    With standardized indicators this equals GOLD's equation 8, whose w are the loadings.

    Parameters
    ----------
    loadings : array of float
        (B, p) or (p,), of the indicators on their own construct.
    member : array of float
        (p, J), 1 if an indicator belongs to a construct.

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
    """Return square roots of AVE on the diagonal, correlations of the constructs elsewhere.

    A construct differs from the others if its diagonal value exceeds every other value of its row.
    HTMT detects failures that this criterion misses (Henseler et al. 2015).

    Parameters
    ----------
    ave : Series
        Average variance extracted, by construct.
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
