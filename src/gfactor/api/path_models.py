"""PLS path models of constructs."""

from __future__ import annotations

from gfactor.psychometrics.given import (
    TableLike,
    as_frame,
)
from gfactor.psychometrics.pls import PLSFit, PLSModel, fit_pls
from gfactor.psychometrics.pls.data import Missing
from gfactor.psychometrics.pls.iteration import Scheme
from gfactor.psychometrics.pls.stages import Interaction, SecondOrder


def pls(
    model: PLSModel | str,
    data: TableLike,
    *,
    scheme: Scheme = "path",
    consistent: bool = False,
    second_order: SecondOrder = "two-stage",
    interaction: Interaction = "two-stage",
    missing: Missing = "error",
) -> PLSFit:
    """Fit a PLS path model, to seminr's digits.

    Parameters
    ----------
    model : PLSModel or str
        Lines such as "A =~ x1 + x2" (mode A), "B <~ x3 + x4" (mode B), "B ~ A" (path).
    data : DataFrame
        One row per case.
    scheme : str
        Inner weights: "path", "factorial" or "centroid".
    consistent : bool
        PLSc: correct loadings and paths for unreliability by rho_A.
    second_order : str
        Method that estimates second-order constructs.
    interaction : str
        Method that forms interactions.
    missing : str
        Treatment of missing cells; "error" refuses them.

    Returns
    -------
    PLSFit
        `paths`, `loadings`, `reliability`, `htmt`, `diagnostics`, `summary()`, `report(folder)`;
        `gfactor.psychometrics.bootstrap_pls(fit)` gives intervals.

    Raises
    ------
    ParameterError
        For what cannot be fitted, in one sentence.

    References
    ----------
    Wold, H. (1982). Soft modeling: the basic design and some extensions.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> a, b = random.normal(size=(2, 200))
    >>> data = pd.DataFrame({f"a{k}": a + random.normal(size=200) for k in (1, 2, 3)})
    >>> for k in (1, 2, 3):
    ...     data[f"b{k}"] = a + b + random.normal(size=200)
    >>> fit = gf.pls("A =~ a1 + a2 + a3; B =~ b1 + b2 + b3; B ~ A", data)
    >>> fit.n, fit.converged
    (200, True)
    """
    return fit_pls(
        as_frame(data, "data"),
        model,
        scheme=scheme,
        consistent=consistent,
        second_order=second_order,
        interaction=interaction,
        missing=missing,
    )
