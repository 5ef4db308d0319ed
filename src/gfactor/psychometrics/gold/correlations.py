"""The three diagnostics from published correlations, where nobody has published the scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.psychometrics.gold.diagnostics import NAMES
from gfactor.psychometrics.gold.model import measured, pool_of
from gfactor.psychometrics.gold.stack import own_inflation, own_loadings, separation, three
from gfactor.psychometrics.pls.estimate import Scheme
from gfactor.psychometrics.pls.model import PLSModel


@dataclass(frozen=True)
class CorrelationDiagnostics:
    """D_div, TC and D_valid without intervals: correlations do not tell who is behind them.

    Parameters
    ----------
    three: by name.
    tasks: construct, task, loading, vif.
    htmt: constructs x constructs.
    """

    three: dict[str, float]
    tasks: pd.DataFrame
    htmt: pd.DataFrame


def diagnostics_of_correlations(
    r: pd.DataFrame, model: PLSModel, scheme: Scheme = "path"
) -> CorrelationDiagnostics:
    """The three diagnostics of a correlation matrix (tasks x tasks, names on both axes).

    Matrices rounded to two decimals give VIFs above 10 to within a factor of two only, because
    1 - R2 is then of the size of the rounding. Raises UnknownNameError for a task that is not
    there, ParameterError where a construct's correlations contradict each other.
    """
    for name in model.columns:
        if name not in r.index or name not in r.columns:
            raise UnknownNameError("task of the correlations", name, map(str, r.index))
    names = list(model.columns)
    values = r.loc[names, names].to_numpy(float)[None]
    pool = pool_of(model, scheme)
    for construct in pool.constructs:
        own = np.flatnonzero(pool.own == construct)
        smallest = float(np.linalg.eigvalsh(values[0][np.ix_(own, own)])[0])
        if smallest <= 0:
            raise ParameterError(
                f"the correlations within {pool.design.constructs[construct]!r} are singular "
                f"(smallest eigenvalue {smallest:.3g}), as rounding makes them; no VIF exists"
            )
    every = np.ones((1, len(names)), bool)
    used = np.flatnonzero(pool.prunable)
    constructs = list(measured(model))
    return CorrelationDiagnostics(
        {name: float(v) for name, v in zip(NAMES, three(values, every, pool)[0], strict=True)},
        pd.DataFrame(
            {
                "construct": [pool.design.constructs[pool.own[i]] for i in used],
                "task": [names[i] for i in used],
                "loading": own_loadings(values, every, pool)[0, used],
                "vif": own_inflation(values, every, pool)[0, used],
            }
        ),
        pd.DataFrame(separation(values, every, pool)[0], index=constructs, columns=constructs),
    )
