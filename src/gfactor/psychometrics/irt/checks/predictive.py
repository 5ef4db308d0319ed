"""Posterior predictive checks: whether the model would have given data such as these.

Parameters are drawn from the normal approximation of their posterior (or of their sampling
distribution), abilities from the population, and responses from both, missing where the data's are.
The compared statistics do not depend on parameters, so that they can be computed from the data and
from every drawn table alike.

References
----------
Sinharay, S., Johnson, M. S., Stern, H. S. (2006). Posterior predictive assessment of item response
    theory models. Applied Psychological Measurement 30, 298-321.
Gelman, A., Meng, X.-L., Stern, H. (1996). Posterior predictive assessment of model fitness via
    realized discrepancies. Statistica Sinica 6, 733-760.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.irt.checks.brokenitems import simulate
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.results import Result

WHOLE = ("mean score", "spread of scores", "skewness of scores", "spread of item-rest correlations")
FAR = 0.025
"""A posterior predictive p below this, or above its complement, is extreme."""
_ITEM = "item-rest correlation"


@dataclass(frozen=True, repr=False)
class PredictiveCheck(Result):
    """Comparison of data with the model's predictions.

    Parameters
    ----------
    table : DataFrame
        `check`, `item` ("" for the whole table), `observed`, `low` and `high` (95 % of the drawn
        tables), and `p`: the share of drawn tables with a larger value than the observed one
        (equal values count half).
    draws : int
        Number of drawn tables.
    diagnostics : tuple of Diagnostic
    """

    table: pd.DataFrame
    draws: int
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def title(self) -> str:
        far = int(((self.table["p"] < FAR) | (self.table["p"] > 1 - FAR)).to_numpy().sum())
        return f"{far} of {len(self.table)} predictive checks are far out, {self.draws} draws"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"draws": self.draws}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"predictive": self.table}


def predictive_check(
    fit: IRTFit, *, draws: int = 100, seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> PredictiveCheck:  # fmt: skip
    """Compare data with tables that are simulated from the fitted model.

    Parameters
    ----------
    fit : IRTFit
        A model of one factor and one group, with the covariance of its parameters.
    draws : int
        Number of drawn tables, 20 at least.
    seed : int
        Seed of the draws.
    progress : callable or None
        Called with the number of the draw and the number of all draws.

    Returns
    -------
    PredictiveCheck
        Check of the examinees' mean scores (their mean, standard deviation, skewness), of every
        item's correlation with the rest of the test, and of the spread of these correlations over
        items, which is too large if slopes differ and the model has one slope.

    Raises
    ------
    ParameterError
        If the model has several factors or groups, or no covariance.

    Examples
    --------
    >>> from gfactor.psychometrics.irt import fit_irt
    >>> rng = np.random.default_rng(1)
    >>> a = np.repeat([0.2, 2.5], 6)
    >>> z = a * rng.normal(size=(300, 1))
    >>> data = pd.DataFrame((rng.uniform(size=z.shape) < 1 / (1 + np.exp(-z))).astype(int))
    >>> checks = predictive_check(fit_irt("rasch", data), draws=40).table.set_index("check")
    >>> bool(checks.loc["spread of item-rest correlations", "p"] < 0.05)
    True
    """
    model = fit.likelihood.model
    if model.factors > 1 or len(model.groups) > 1:
        raise ParameterError("predictive checks need a model of one factor and one group")
    if fit.vcov is None or fit.vcov.factor is not None:
        raise ParameterError("predictive checks need the covariance of the parameters")
    if draws < 20:
        raise ParameterError(f"draws must be 20 or more, got {draws}")
    rng = np.random.default_rng(seed)
    root = _root(fit.vcov.core)
    weights = fit.table.categories - 1
    observed = _statistics(fit.table.codes, weights)
    drawn = np.zeros((draws, len(observed)))
    for number in range(draws):
        values = _drawn_values(fit, root, rng)
        moved = replace(fit, optimum=replace(
            fit.optimum, at=replace(fit.optimum.at, values=values)
        ))  # fmt: skip
        drawn[number] = _statistics(simulate(moved, rng), weights)
        if progress is not None:
            progress(number + 1, draws)
    return _result(fit, observed, drawn)


def _root(core: Floats) -> Floats:
    """Return the symmetric root: eigenvectors have signs that depend on the processor."""
    values, vectors = np.linalg.eigh(core)
    return (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T


def _drawn_values(fit: IRTFit, root: Floats, rng: np.random.Generator) -> Floats:
    """Parameters drawn around the estimates; closer to them where they would not be admissible."""
    away = root @ rng.standard_normal(root.shape[1])
    model = fit.likelihood.model
    for _ in range(20):
        values = model.values(fit.optimum.x + away)
        spread = values[model.groups[0].covariance]
        if model.admissible(values) and spread[0, 0] > 0:
            return values
        away = away / 2
    return fit.optimum.at.values


def _statistics(codes: NDArray[np.int16], weights: NDArray[Any]) -> Floats:
    """Return statistics of the whole table (`WHOLE`), then items' correlations with the rest."""
    points = np.where(codes < 0, np.nan, codes / weights)
    seen = ~np.isnan(points)
    total, answered = np.nansum(points, axis=1), seen.sum(axis=1)
    means = total[answered > 0] / answered[answered > 0]
    away = means - means.mean()
    spread = means.std()
    skew = float((away**3).mean() / spread**3) if spread > 0 else 0.0
    rest = np.array([_with_rest(points[:, j], total, answered) for j in range(points.shape[1])])
    defined = rest[np.isfinite(rest)]
    return np.array([means.mean(), spread, skew, defined.std() if len(defined) else 0.0, *rest])


def _with_rest(points: Floats, total: Floats, answered: NDArray[Any]) -> float:
    use = ~np.isnan(points) & (answered > 1)
    if use.sum() < 3 or points[use].std() == 0:
        return np.nan
    rest = (total[use] - points[use]) / (answered[use] - 1)
    return float(np.corrcoef(points[use], rest)[0, 1]) if rest.std() > 0 else np.nan


def _result(fit: IRTFit, observed: Floats, drawn: Floats) -> PredictiveCheck:
    with warnings.catch_warnings():  # An item of too few answers has no correlation in any table.
        warnings.simplefilter("ignore", RuntimeWarning)
        low, high = np.nanquantile(drawn, [0.025, 0.975], axis=0)
    more = (drawn > observed) + 0.5 * (drawn == observed)
    p = np.where(np.isfinite(observed), np.nanmean(np.where(np.isnan(drawn), 0.5, more), axis=0),
                 np.nan)  # fmt: skip
    table = pd.DataFrame({
        "check": [*WHOLE, *[_ITEM] * len(fit.table.items)],
        "item": [*[""] * len(WHOLE), *fit.table.items],
        "observed": observed, "low": low, "high": high, "p": p,
    })  # fmt: skip
    diagnostics = []
    for row in table.head(len(WHOLE)).to_dict("records"):
        if row["p"] < FAR or row["p"] > 1 - FAR:
            diagnostics.append(Diagnostic(
                "predictive_misfit", "warning",
                f"The {row['check']} is {row['observed']:.3f}; the model predicts "
                f"{row['low']:.3f} to {row['high']:.3f} (posterior predictive "
                f"p {p_value(row['p'], '= ')}).",
                "The model is not one that would have given these data; fit one with free slopes, "
                "or several factors.", (str(row["check"]),),
                {name: float(row[name]) for name in ("observed", "low", "high", "p")},
            ))  # fmt: skip
    return PredictiveCheck(table, len(drawn), tuple(diagnostics))
