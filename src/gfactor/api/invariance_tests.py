"""Measurement invariance over groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from gfactor.api.progress_bars import counter, ticks
from gfactor.psychometrics import sem as models
from gfactor.psychometrics.given import (
    TableLike,
    as_frame,
)
from gfactor.psychometrics.sem.measurement_invariance.result import Invariance


def invariance(
    model: str,
    data: TableLike,
    *,
    group: str,
    estimator: str | None = None,
    ordered: Sequence[str] | bool = (),
    missing: str = "default",
    method: str | None = None,
    criterion: Literal["p", "fit"] = "p",
    alpha: float = 0.05,
    partial: bool = False,
    std_lv: bool = True,
) -> Invariance:
    """Configural, metric, scalar and strict invariance of a model over groups.

    Parameters
    ----------
    model : str
        lavaan syntax, without groups.
    data : DataFrame
        Cases by variables, with the column `group`.
    group : str
        The column that separates groups.
    estimator : str, optional
        Estimator; by default MLR, or WLSMV with ordinal variables.
    ordered : list of str, or True
        Ordinal variables; True or "*" for all of the model.
    missing : str
        "listwise", "ml" or "pairwise"; by default what the estimator has.
    method : {"standard", "satorra.bentler.2001", "satorra.bentler.2010", "satorra.2000"}, optional
        Method by which differences of chi-square are scaled; by default the one that goes with the
        estimator.
    criterion : str
        Criterion by which a level holds: "p" (the difference test is not significant at `alpha`) or
        "fit" (CFI, RMSEA and SRMR change by less than Chen's cutoffs).
    alpha : float
        The level of the difference tests.
    partial : bool
        Release equalities one at a time if a level does not hold, until it does.
    std_lv : bool
        True to scale latent variables by their variances, so that every loading is tested; with
        False every factor's first loading is taken as invariant.

    Returns
    -------
    Invariance
        The level that holds, every step with its fit, what was released, `diagnostics`.

    Raises
    ------
    ParameterError
        For a column with fewer than two groups, and what `sem` raises.

    References
    ----------
    Chen, F. F. (2007). Sensitivity of goodness of fit indexes to lack of measurement invariance.
    Structural Equation Modeling 14, 464-504.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=400)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=400) for k in range(1, 5)})
    >>> data["lab"] = ["a", "b"] * 200
    >>> steps = gf.invariance("g =~ x1 + x2 + x3 + x4", data, group="lab")
    >>> steps.table["level"].tolist()
    ['configural', 'metric', 'scalar', 'strict']
    """
    with counter(5 if ordered else 4, "invariance", "level") as bar:
        return models.invariance(
            model,
            as_frame(data, "data"),
            group,
            estimator=estimator,
            ordered=ordered,
            missing=missing,
            method=method,
            criterion=criterion,
            alpha=alpha,
            partial=partial,
            std_lv=std_lv,
            progress=ticks(bar),
        )
