"""Local dependence of pairs of items: Q3 and LD-X2 in one table.

References
----------
Yen, W. M. (1984). Effects of local item dependence on the fit and equating performance of the
    three-parameter logistic model. Applied Psychological Measurement 8, 125-145.
Chen, W.-H., Thissen, D. (1997). Local dependence indexes for item pairs using item response theory.
    Journal of Educational and Behavioral Statistics 22, 265-289.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy import special

from gfactor.psychometrics.inference.multiplicity import benjamini_hochberg
from gfactor.psychometrics.irt.checks.itemfit import probabilities_at, q3
from gfactor.psychometrics.irt.likelihood.curves import Floats

if TYPE_CHECKING:
    from gfactor.psychometrics.irt.result import IRTFit


def local_dependence(fit: IRTFit) -> pd.DataFrame:
    """Return Q3 and LD-X2 of every pair of items, the largest LD-X2 first.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group.

    Returns
    -------
    DataFrame
        Per pair `first`, `second`, the persons `n` who answered both, `q3`, `ld_x2` (Pearson's
        statistic of their table of answers against the model's), its `df` and `p`, and `p_fdr`
        (Benjamini and Hochberg). Pairs that nobody answered both have no values.

    Raises
    ------
    ParameterError
        For several factors or groups.
    """
    correlations = q3(fit).to_numpy()
    codes, weights = fit.table.codes, fit.likelihood.data.weights
    curves = probabilities_at(fit, fit.likelihood.nodes[:, 0])
    share = _population(fit)
    rows = []
    for j in range(1, len(curves)):
        for i in range(j):
            both = (codes[:, i] >= 0) & (codes[:, j] >= 0)
            expected = (curves[i] * share) @ curves[j].T
            observed = np.zeros_like(expected)
            np.add.at(observed, (codes[both, i], codes[both, j]), weights[both])
            n = float(observed.sum())
            with np.errstate(divide="ignore", invalid="ignore"):
                parts = (observed - n * expected) ** 2 / (n * expected)
            df = (expected.shape[0] - 1) * (expected.shape[1] - 1)
            x2 = float(parts.sum()) if n > 0 else np.nan
            p = float(special.chdtrc(df, x2))
            rows.append((
                fit.table.items[i], fit.table.items[j], n, correlations[i, j], x2, df, p
            ))  # fmt: skip
    columns = ["first", "second", "n", "q3", "ld_x2", "df", "p"]
    frame = pd.DataFrame(rows, columns=columns)
    frame["p_fdr"] = benjamini_hochberg(frame["p"].to_numpy(float))
    order = np.argsort(-frame["ld_x2"].fillna(-1.0).to_numpy(float).round(9), kind="stable")
    return frame.iloc[order].reset_index(drop=True)


def _population(fit: IRTFit) -> Floats:
    """The share of the population at each node."""
    likelihood = fit.likelihood
    group, values = likelihood.model.groups[0], fit.optimum.at.values
    rows = None if group.regression is None else np.arange(len(fit.table.codes))
    return np.exp(likelihood.latent(group, values, rows).log_weights).mean(axis=0)
