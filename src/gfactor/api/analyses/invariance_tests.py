"""Measurement invariance over groups."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Unpack

import numpy as np
import pandas as pd

from gfactor.api.analyses.model_files import read_model
from gfactor.api.inputs.calls import option
from gfactor.api.inputs.progress_bars import counter, ticks
from gfactor.api.inputs.table_selection import TableOptions, selected_table
from gfactor.errors import ParameterError
from gfactor.frames import composed, with_composed_names
from gfactor.psychometrics import sem as models
from gfactor.psychometrics.given import TableLike, model_and_data_in_either_order
from gfactor.psychometrics.irt.request import groups_in_order
from gfactor.psychometrics.sem.measurement_invariance.result import Invariance


@model_and_data_in_either_order
def invariance(
    model: Path | str,
    data: TableLike | Path | str,
    *,
    group: str,
    reference: str | None = None,
    estimator: str | None = None,
    ordered: Sequence[str] | str | bool = (),
    missing: Literal["listwise", "fiml", "pairwise", "two.stage", "robust.two.stage"] | None = None,
    method: str | None = None,
    criterion: Literal["p", "fit"] = "p",
    alpha: float = 0.05,
    partial: bool = False,
    std_lv: bool = True,
    **table: Unpack[TableOptions],
) -> Invariance:
    """Test configural, metric, scalar and strict invariance of a model over groups.

    Parameters
    ----------
    model : str or path
        Model in lavaan's syntax, without groups, or a file that holds it.
    data : DataFrame or path
        Table with a row per case and a column per variable; it also holds the column `group`.
    group : str
        Column that names the group of each case.
    reference : str, optional
        Group whose latent means are fixed to 0; by default the group of the first case.
    estimator : str, optional
        Estimator; by default MLR, or WLSMV with ordinal variables.
    ordered : list of str, or True
        Names of ordinal variables; True, "all" or "*" takes all variables of the model as ordinal.
    missing : str, optional
        Treatment of cases with missing values: "listwise" leaves them out (the default), "fiml" is
        full information maximum likelihood, "pairwise" is for ordinal variables, and "two.stage"
        and "robust.two.stage" fit the model to moments that are estimated first.
    method : {"standard", "satorra.bentler.2001", "satorra.bentler.2010", "satorra.2000"}, optional
        Method of scaling chi-square differences; by default the one that suits the estimator.
    criterion : str
        Criterion by which a level of invariance holds: "p" (the chi-square difference test is not
        significant at `alpha`) or "fit" (CFI, RMSEA and SRMR change by less than Chen's cutoffs).
    alpha : float
        Significance level of the chi-square difference tests (default 0.05).
    partial : bool
        Test partial invariance: if a level does not hold, free equality constraints one at a time
        until it does.
    std_lv : bool
        True (the default) to scale latent variables by their variances, so that every loading is
        tested. False takes the first loading of every factor as invariant.
    **table : any
        Choice of rows and columns of the table: `columns`, `drop`, `identifier` and `where`, as
        `TableOptions` describes them.

    Returns
    -------
    Invariance
        Highest level that holds, each level with its fit and test, the freed constraints, and
        `diagnostics`.

    Raises
    ------
    ParameterError
        If the column has fewer than two groups, or for what `sem` raises.

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
    text = read_model(str(model))
    frame, source = selected_table(data, table, [group])
    frame, group = with_composed_names(frame), composed(group)
    names = [str(name) for name in frame.columns if str(name) != group]
    named = () if isinstance(ordered, bool) else ordered
    ordinal = tuple(map(composed, (named,) if isinstance(named, str) else named))
    every = ordered is True or ordinal in (("all",), ("*",))
    for name in () if every else ordinal:
        if name not in names:
            where = source or "the data"
            raise ParameterError(
                f"{option('ordered')} names {name!r}, which is not a column of {where}"
            )
    with counter(5 if every or ordinal else 4, "invariance", "level") as bar:
        return models.invariance(
            text,
            _reference_first(frame, group, reference),
            group,
            estimator=estimator,
            ordered=every or list(ordinal),
            missing=missing or "default",
            method=method,
            criterion=criterion,
            alpha=alpha,
            partial=partial,
            std_lv=std_lv,
            progress=ticks(bar),
        )


def _reference_first(data: pd.DataFrame, group: str, reference: str | None) -> pd.DataFrame:
    """The cases of the reference group before all others: groups stand in the order of the data."""
    if reference is None or group not in data.columns:
        return data
    names = groups_in_order(data[group].dropna(), reference)
    order = np.argsort((data[group].astype(str) != names[0]).to_numpy(), kind="stable")
    return data.iloc[order]
