"""Posterior modes of the difficulties of item families, from one round of priors to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.psychometrics.irt.estimation.maximizing import maximize
from gfactor.psychometrics.irt.fit import fit_irt
from gfactor.psychometrics.irt.likelihood.building import build
from gfactor.psychometrics.irt.likelihood.curves import Floats
from gfactor.psychometrics.irt.likelihood.information import Marginal
from gfactor.psychometrics.irt.result import IRTFit

VARIANCE = "GROUP.COV_11"
"""Name of the variance of ability among the parameters."""


def guesses_by_name(guess: Any) -> Any:
    """Return lower asymptotes with the names of items as text."""
    return {str(k): v for k, v in guess.items()} if isinstance(guess, Mapping) else guess


def modes(
    data: pd.DataFrame, mean: Floats, sd: Floats, guess: Any, variance: float,
    progress: Callable[[int, float], None] | None,
) -> IRTFit:  # fmt: skip
    """Return posterior modes of difficulties under normal priors, with their standard errors."""
    items = [str(c) for c in data.columns]
    priors = {
        f"{item}.d": ("normal", -float(m), float(s))
        for item, m, s in zip(items, mean, sd, strict=True)
    }
    return fit_irt(
        "rasch", data, guess=guesses_by_name(guess), priors=priors, categories=(0.0, 1.0),
        fixed={VARIANCE: variance}, progress=progress,
    )  # fmt: skip


def moved_modes(
    fit: IRTFit, mean: Floats, sd: Floats, progress: Callable[[int, float], None] | None
) -> IRTFit:
    """Return the modes under other priors, searched from those of a fit, without standard
    errors."""
    model, data = fit.likelihood.model, fit.likelihood.data
    column = {f"{item}.d": k for k, item in enumerate(fit.table.items)}
    priors = []
    for prior in model.priors:
        k = column[model.labels[prior.position]]
        priors.append(replace(prior, first=-float(mean[k]), second=float(sd[k])))
    likelihood = Marginal(replace(model, priors=tuple(priors)), data, fit.likelihood.quadrature)
    # The last modes are near, so Newton's steps come first.
    optimum = maximize(likelihood, fit.optimum.x, max_iterations=0, progress=progress)
    if not optimum.converged:
        optimum = maximize(likelihood, model.start, progress=progress)
    return replace(fit, likelihood=likelihood, optimum=optimum, vcov=None)


def without_priors(fit: IRTFit) -> Marginal:
    """Return the likelihood without priors, with the variance among its parameters."""
    model = build(fit.table, replace(fit.request, fixed={}, priors={}))
    return Marginal(model, fit.likelihood.data, fit.likelihood.quadrature)


def intercepts(fit: IRTFit, likelihood: Marginal | None = None) -> NDArray[np.intp]:
    """Return positions of the intercepts among the free parameters of a likelihood (by default that
    of the fit), in the order of the items."""
    labels = (likelihood or fit.likelihood).model.free_labels
    index = {name: k for k, name in enumerate(labels)}
    return np.array([index[f"{item}.d"] for item in fit.table.items])
