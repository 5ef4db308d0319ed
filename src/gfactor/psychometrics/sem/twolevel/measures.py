"""Input of the measures of fit of two-level models: log-likelihoods, and residuals of a level."""

from __future__ import annotations

import math
from typing import ClassVar, cast

import numpy as np
import pandas as pd

from gfactor.errors import ParameterError
from gfactor.psychometrics.rounding import cleared
from gfactor.psychometrics.sem.measures.context import Context, Kind, Measures
from gfactor.psychometrics.sem.model import GroupPoint
from gfactor.psychometrics.sem.results.residuals import ResidualKind
from gfactor.psychometrics.sem.twolevel.problem import TwoLevelProblem

_NAMES = ("srmr_within", "srmr_between")


class TwoLevelContext(Context):
    """A model within and between clusters.

    As in lavaan, fit indices and BIC use the number of cases, and SRMR is the sum over both levels,
    each the mean over groups weighted by their cases. SRMR of a level is the root mean square of
    unrestricted minus implied correlations, each in their own standard deviations; the zeros of the
    diagonal count. With one level it is in the sample's standard deviations (Bentler's).
    """

    kind: ClassVar[Kind] = "two-level"

    @property
    def log_likelihoods(self) -> tuple[float, float]:
        problem = cast(TwoLevelProblem, self.problem)
        best = problem.log_likelihood
        return best - problem.sample.n * self.estimated.value, best

    @property
    def residuals(self) -> Measures:
        problem = cast(TwoLevelProblem, self.problem)
        each = [
            _srmr(level_residuals(problem, here, number, "cor"))
            for number, here in enumerate(self.estimated.point.groups)
        ]
        shares = problem.likelihood.shares
        by_level = {
            name: float(np.dot(shares, each[level :: len(_NAMES)]))
            for level, name in enumerate(_NAMES)
        }
        return {"srmr": sum(by_level.values()), **by_level}


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
