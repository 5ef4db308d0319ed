"""Consistent PLS: loadings, correlations and paths corrected for the unreliability of scores.

References
----------
Dijkstra, T. K., Henseler, J. (2015). Consistent partial least squares path modeling. MIS
    Quarterly 39, 297-316.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.pls.design import Design, Floats
from gfactor.psychometrics.pls.iteration import Estimates, regressions


def consistent(estimates: Estimates) -> Estimates:
    """Correct correlations of constructs by rho_A (PLSc), and loadings, paths and R2 with them.

    Constructs in mode B and with one indicator are assumed to be free of error (rho_A 1). Results
    that depend on a rho_A that is not positive are NaN (Dijkstra and Henseler 2015, eq. 3 to 5).

    Parameters
    ----------
    estimates : Estimates
        Result of `estimate`.

    Returns
    -------
    Estimates
        The same with corrected loadings, correlations, paths and R2.

    References
    ----------
    Dijkstra, T. K., Henseler, J. (2015). Consistent partial least squares path modeling. MIS
    Quarterly 39, 297-316.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import pls
    >>> random = np.random.default_rng(1)
    >>> a = random.normal(size=100)
    >>> data = pd.DataFrame({f"x{k}": a + random.normal(size=100) for k in range(4)})
    >>> table = pls.table_of(data, list(data))
    >>> design = pls.Design.of_blocks({"A": 2, "B": 2}, [("A", "B")])
    >>> estimates = pls.estimate(table.r, design)
    >>> bool(pls.consistent(estimates).correlations[0, 0, 1] > estimates.correlations[0, 0, 1])
    True
    """
    design = estimates.design
    rho = rho_a(estimates)
    with np.errstate(invalid="ignore"):
        root = np.sqrt(rho)
    j = np.arange(len(design.constructs))
    corrected = estimates.correlations / (root[:, :, None] * root[:, None, :])
    corrected[:, j, j] = 1.0
    length = einsum("bp,pj->bj", estimates.weights**2, design.member)
    factor = root / length
    modelled = np.array([_is_factor(design, int(k)) for k in j])[design.owner]
    loadings = np.where(modelled, estimates.weights * factor[:, design.owner], estimates.loadings)
    paths, r2 = regressions(corrected, design)
    return replace(estimates, loadings=loadings, correlations=corrected, paths=paths, r2=r2)


def rho_a(estimates: Estimates) -> Floats:
    """Return Dijkstra and Henseler's (2015) reliability of the scores, from the weights, shape (B,
    J).

    (w'w)^2 * w'(R - I)w / w'(ww' - diag(ww'))w with R the correlations of the block; 1 for mode B
    and single indicators, by convention.

    Parameters
    ----------
    estimates : Estimates
        Result of `estimate`.

    Returns
    -------
    array of float
        (B, J); 1 for mode B and single indicators.

    References
    ----------
    Dijkstra, T. K., Henseler, J. (2015). Consistent partial least squares path modeling. MIS
    Quarterly 39, 297-316.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import pls
    >>> random = np.random.default_rng(1)
    >>> a = random.normal(size=100)
    >>> data = pd.DataFrame({f"x{k}": a + random.normal(size=100) for k in range(4)})
    >>> table = pls.table_of(data, list(data))
    >>> design = pls.Design.of_blocks({"A": 2, "B": 2}, [("A", "B")])
    >>> estimates = pls.estimate(table.r, design)
    >>> pls.rho_a(estimates).shape
    (1, 2)
    """
    design = estimates.design
    square = einsum("bp,pj->bj", estimates.weights**2, design.member)
    fourth = einsum("bp,pj->bj", estimates.weights**4, design.member)
    size = einsum("bp,pj->bj", (estimates.weights != 0).astype(float), design.member)
    free = square**2 - fourth
    usual = np.array([_is_factor(design, k) for k in range(len(design.constructs))])
    open_ = usual & (size > 1)
    value = square**2 * (1 - square) / np.where(open_, free, 1.0)
    return np.where(open_, value, 1.0)


def _is_factor(design: Design, construct: int) -> bool:
    return design.modes[construct] == "A" and design.blocks[construct].size > 1
