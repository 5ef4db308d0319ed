"""Measures of fit of two-level models, under lavaan's names, and residuals of a level."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.rounding import cleared
from gfactor.psychometrics.sem.measures.approximation import rmsea
from gfactor.psychometrics.sem.measures.chisquare_statistic import chisquare
from gfactor.psychometrics.sem.measures.context import Context, Measures
from gfactor.psychometrics.sem.measures.incremental_fit import incremental
from gfactor.psychometrics.sem.measures.information_criteria import criteria
from gfactor.psychometrics.sem.model import GroupPoint
from gfactor.psychometrics.sem.results.residuals import ResidualKind
from gfactor.psychometrics.sem.twolevel.problem import TwoLevelProblem

_NAMES = ("srmr_within", "srmr_between")


def two_level_measures(context: Context, problem: TwoLevelProblem) -> Measures:
    """Return exact fit, incremental fit, information criteria, RMSEA, and SRMR of each level.

    As in lavaan, cases are counted by fit indices and BIC, and SRMR is the sum of both levels',
    each the mean over groups by their cases.
    """
    best = problem.log_likelihood
    logl = best - problem.sample.n * context.estimated.value
    each = [
        _srmr(level_residuals(problem, here, number, "cor.bentler"))
        for number, here in enumerate(context.estimated.point.groups)
    ]
    shares = problem.likelihood.shares
    by_level = {
        name: float(np.dot(shares, each[level :: len(_NAMES)])) for level, name in enumerate(_NAMES)
    }
    return {
        **chisquare(context),
        **incremental(context),
        **criteria(context, logl, best),
        **rmsea(context),
        "srmr": sum(by_level.values()),
        **by_level,
    }


def _srmr(residuals: pd.DataFrame) -> float:
    values = residuals.to_numpy()[np.tril_indices(len(residuals))]
    return math.sqrt(float((values**2).mean()))


def level_residuals(
    problem: TwoLevelProblem, here: GroupPoint, number: int, kind: ResidualKind
) -> pd.DataFrame:
    """Return unrestricted minus implied covariances of a level ("raw") or correlations ("cor", or
    "cor.bentler" by the unrestricted standard deviations on both sides)."""
    if kind not in {"raw", "cor", "cor.bentler"}:
        raise ParameterError(
            f"residuals of kind {kind!r} are not defined for two-level models; ask for 'raw' or "
            "'cor'."
        )
    names = list(here.structure.observed)
    observed, implied = problem.unrestricted[number].cov, here.sigma
    size = np.sqrt(np.abs(np.diag(observed)))
    left = cleared(observed - implied, np.outer(size, size))
    if kind != "raw":
        unit = np.sqrt(np.abs(np.diag(implied))) if kind == "cor" else size
        left = cleared(observed / np.outer(size, size) - implied / np.outer(unit, unit))
    return pd.DataFrame(left, names, names)
