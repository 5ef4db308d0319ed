"""Item parameters shrunk to their common mean, by a variance that the data show.

With few respondents, items are exchangeable members of a population of items: intercepts are
normal, logs of slopes are normal, and means and standard deviations of both are estimated with the
items (empirical Bayes). Every item's own likelihood enters by a quadratic approximation, from its
posterior mode and curvature less the prior's, renewed until means and standard deviations no longer
change.

References
----------
Mislevy, R. J. (1986). Bayes modal estimation in item response models. Psychometrika 51, 177-195.
Efron, B., Morris, C. (1975). Data analysis using Stein's estimator and its generalizations. Journal
    of the American Statistical Association 70, 311-319.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.given import model_and_data_in_either_order
from gfactor.psychometrics.irt.data import read_responses
from gfactor.psychometrics.irt.fit import FEW_FOR_SLOPES, fit_irt
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.request import named_model
from gfactor.psychometrics.irt.result import IRTFit

MODELS = ("rasch", "1pl", "2pl")
_ROUNDS = 30
_STILL = 1e-3
_SLOPES = np.geomspace(0.05, 1.0, 60)
_INTERCEPTS = np.geomspace(0.1, 5.0, 60)
"""Grids of standard deviations over items."""


@dataclass(frozen=True)
class _Prior:
    """Mean and standard deviation over items of intercepts, and of logs of slopes."""

    intercept: tuple[float, float] = (0.0, 2.0)
    slope: tuple[float, float] = (0.0, 0.5)


@model_and_data_in_either_order
def fit_hierarchical(
    model: str, data: pd.DataFrame, *, force: bool = False, **options: Any
) -> IRTFit:
    """Fit items as a sample of a population of items.

    Parameters
    ----------
    model : str
        "rasch", "1pl" or "2pl", with or without `guess`.
    data : DataFrame (P, J)
        Scores of two categories, missing where an item was not asked.
    force : bool
        Estimate slopes even with fewer than 30 respondents.
    **options
        Options of `fit_irt`, except `priors`.

    Returns
    -------
    IRTFit
        Posterior modes; standard errors are those of the posterior. The diagnostic
        `shrunk_to_items` holds the means and standard deviations over items.

    Raises
    ------
    ParameterError
        For another model, items of more than two categories, fewer than five items that vary, or
        slopes with too few respondents.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> z = rng.normal(size=(25, 1)) - rng.normal(0, 0.5, 20)
    >>> data = pd.DataFrame((rng.uniform(size=z.shape) < 1 / (1 + np.exp(-z))).astype(int))
    >>> plain, shrunk = fit_irt("rasch", data), fit_hierarchical("rasch", data)
    >>> bool(shrunk.items["b"].std() < plain.items["b"].std())
    True
    """
    model = named_model(model)
    if model not in MODELS:
        raise ParameterError(
            f"items are shrunk in models of two categories ({', '.join(MODELS)}), not in {model!r}"
        )
    if options.pop("priors", None):
        raise ParameterError("shrinkage estimates the priors; leave the option priors out")
    if options.get("design") is not None or options.get("groups") is not None:
        raise ParameterError(
            "items are shrunk in one group and without a design; leave these out, or do not shrink"
        )
    table, _ = read_responses(data)
    if int(table.categories.max()) > 2:
        raise ParameterError(
            "items can be shrunk only if they have two categories; score them right or wrong"
        )
    if len(table.items) < 5:
        raise ParameterError(
            f"{len(table.items)} items that vary are too few to be shrunk; five are needed"
        )
    persons = int((table.codes >= 0).any(axis=1).sum())
    slopes = model == "2pl"
    if slopes and persons < FEW_FOR_SLOPES and not force:
        raise ParameterError(
            f"{persons} respondents are too few for a discrimination per item, even with shrinkage "
            f"(at least {FEW_FOR_SLOPES}). Fit model 'rasch', or force the fit"
        )
    prior, moved, fit = _Prior(), np.inf, None
    for _ in range(_ROUNDS):
        fit = fit_irt(model, data, priors=_stated(prior, slopes), force=force, **options)
        if fit.vcov is None:
            raise ParameterError("the information of the items is singular; see the diagnostics")
        new = _renewed(fit, prior, slopes)
        moved = max(
            abs(a - b)
            for first, second in ((prior.intercept, new.intercept), (prior.slope, new.slope))
            for a, b in zip(first, second, strict=True)
        )
        prior = new
        if moved < _STILL:
            break
    assert fit is not None
    return replace(
        fit, diagnostics=by_severity([*fit.diagnostics, _diagnostic(prior, slopes, moved)])
    )


def _stated(prior: _Prior, slopes: bool) -> dict[str, tuple[str, float, float]]:
    priors = {"intercept": ("normal", *prior.intercept)}
    if slopes:
        mean, sd = prior.slope
        # The prior is a density of the slope: with the mean raised by sd^2, its mode is that of a
        # normal density of the log.
        priors["slope"] = ("lognormal", mean + sd**2, sd)
    return priors


def _renewed(fit: IRTFit, prior: _Prior, slopes: bool) -> _Prior:
    assert fit.vcov is not None
    labels = fit.likelihood.model.free_labels
    x, variance = fit.optimum.x, np.diag(_model_based(fit))
    indices = np.array([labels.index(f"{item}.d") for item in fit.table.items])
    intercept = _population(x[indices], variance[indices], prior.intercept, _INTERCEPTS)
    if not slopes:
        return _Prior(intercept, prior.slope)
    indices = np.array([labels.index(f"{item}.a1") for item in fit.table.items])
    slope = _population(
        np.log(x[indices]), variance[indices] / x[indices] ** 2, prior.slope, _SLOPES
    )
    return _Prior(intercept, slope)


def _model_based(fit: IRTFit) -> Floats:
    """The posterior's covariance, whichever kind of standard errors was requested."""
    assert fit.optimum.information is not None
    return inv(fit.optimum.information).astype(np.float64)


def _population(
    estimate: Floats, variance: Floats, prior: tuple[float, float], grid: Floats
) -> tuple[float, float]:
    """Mean and standard deviation over items, by restricted maximum likelihood."""
    mean, sd = prior
    precision = 1 / variance
    from_item = np.maximum(precision - 1 / sd**2, 1e-3 * precision)
    alone = (precision * estimate - mean / sd**2) / from_item
    best, chosen = -np.inf, prior
    for spread in grid:
        weight = 1 / (spread**2 + 1 / from_item)
        center = float(weight @ alone / weight.sum())
        value = 0.5 * (np.log(weight).sum() - weight @ (alone - center) ** 2 - np.log(weight.sum()))
        if value > best:
            best, chosen = value, (center, float(spread))
    return chosen


def _diagnostic(prior: _Prior, slopes: bool, moved: float) -> Diagnostic:
    values = {"intercept_mean": prior.intercept[0], "intercept_sd": prior.intercept[1]}
    targets = (
        f"intercepts to {prior.intercept[0]:.2f} with standard deviation {prior.intercept[1]:.2f}"
    )
    if slopes:
        values |= {"log_slope_mean": prior.slope[0], "log_slope_sd": prior.slope[1]}
        targets += f", logs of slopes to {prior.slope[0]:.2f} with {prior.slope[1]:.2f}"
    still = "" if moved < _STILL else f" (these still moved by {moved:.3f})"
    return Diagnostic(
        "shrunk_to_items", "warning",
        f"Item parameters are shrunk to what all items have in common: {targets}{still}.",
        "Report them as shrunk; they are the data's and the other items'.", values=values,
    )  # fmt: skip
