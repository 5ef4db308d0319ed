"""Comparison of two models of the same cases, neither of which is a special case of the other.

References
----------
Vuong, Q. H. (1989). Likelihood ratio tests for model selection and non-nested hypotheses.
    Econometrica 57, 307-333.
Merkle, E. C., You, D., Preacher, K. J. (2016). Testing nonnested structural equation models.
    Psychological Methods 21, 151-163.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import solve
from gfactor.psychometrics.nonnested import CaseLikelihood, vuong
from gfactor.psychometrics.sem.discrepancy import NormalLikelihood
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.sample import GroupSample
from gfactor.results import Result

Array = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class NonNestedFits(Result):
    """Vuong's tests of two models that are not nested.

    Parameters
    ----------
    criteria: rows `first` and `second`: `npar`, `logl`, `aic`, `bic`, `bic2`.
    z, z_pvalue: Vuong's statistic, positive if the first model fits better, and its two-sided p
        value.
    variance, variance_pvalue: variance of the cases' differences in log-likelihood, and the p
        value of the hypothesis that the models cannot be distinguished. z can be interpreted only
        if this hypothesis is rejected.
    diagnostics: limits of the comparison.
    """

    criteria: pd.DataFrame
    z: float
    z_pvalue: float
    variance: float
    variance_pvalue: float
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        return (
            f"models that are not nested: Vuong's z {self.z:.3f}, "
            f"p {p_value(self.z_pvalue, '= ')}; indistinguishable: "
            f"p {p_value(self.variance_pvalue, '= ')}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        names = ("z", "z_pvalue", "variance", "variance_pvalue")
        return {name: getattr(self, name) for name in names}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"criteria": self.criteria}


def compare_non_nested(first: Fit, second: Fit) -> NonNestedFits:
    """Compare two models of the same cases by Vuong's tests, if neither is a special case of the
    other.

    Parameters
    ----------
    first, second : Fit
        Fits by ML or MLR, with a mean structure, to the same cases and variables.

    Returns
    -------
    NonNestedFits
        Information criteria of both, and Vuong's tests.

    Raises
    ------
    ParameterError
        For fits to other cases or variables, by other estimators, of two levels, without a mean
        structure, or with weights or clusters.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from gfactor.psychometrics import sem
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> first = sem.fit("g =~ x1 + x2 + x3 + x4; x1 ~~ x2", data, meanstructure=True)
    >>> second = sem.fit("g =~ x1 + x2 + x3 + x4; x1 ~~ x3", data, meanstructure=True)
    >>> sem.compare_non_nested(first, second).variance_pvalue > 0.05
    True
    """
    for fit in (first, second):
        _refuse(fit)
    names = first.sample.variables
    same = sorted(names) == sorted(second.sample.variables)
    rows = [_rows(fit, names) for fit in (first, second)] if same else []
    if not same or not np.array_equal(rows[0], rows[1], equal_nan=True):
        raise ParameterError(
            "models that are not nested are compared on the same cases and variables; fit both to "
            "one table (a variable that only one model names must be in the other, too)."
        )
    indices = ("npar", "logl", "aic", "bic", "bic2")
    criteria = pd.DataFrame(
        [{name: fit.measures[name] for name in indices} for fit in (first, second)],
        index=["first", "second"],
    )
    tests = vuong(_likelihood(first), _likelihood(second), np.ones(len(rows[0])))
    return NonNestedFits(
        criteria, tests["z"], tests["z_pvalue"], tests["variance"], tests["variance_pvalue"]
    )


def _refuse(fit: Fit) -> None:
    fit.table.refuse_levels("comparisons of models that are not nested")
    reasons = {
        f"estimator {fit.options.estimator}": not isinstance(
            fit.problem.discrepancy, NormalLikelihood
        ),
        "a model without a mean structure": not fit.problem.structure.meanstructure,
        "weights or clusters": any(group.designed for group in fit.sample.groups),
        "moments without cases": any(group.rows is None for group in fit.sample.groups),
        "a fit that did not converge": not fit.converged,
    }
    lacking = next((what for what, there in reasons.items() if there), None)
    if lacking is not None:
        raise ParameterError(
            f"models that are not nested are compared by the log-likelihoods of cases, which "
            f"{lacking} does not give; fit both by ML or MLR with meanstructure=True."
        )


def _rows(fit: Fit, names: Sequence[str]) -> Array:
    columns = [fit.sample.variables.index(name) for name in names]
    return np.vstack([_given(group) for group in fit.sample.groups])[:, columns]


def _given(group: GroupSample) -> Array:
    assert group.rows is not None
    return group.rows


def _likelihood(fit: Fit) -> CaseLikelihood:
    estimated = fit.estimated
    values = [
        _log_densities(_given(group), here.mu, here.sigma)
        for group, here in zip(fit.sample.groups, estimated.point.groups, strict=True)
    ]
    inverse = estimated.restricted_inverse(estimated.hessian) / fit.n
    return CaseLikelihood(
        np.concatenate(values),
        np.vstack(estimated.scores),
        inverse if np.isfinite(inverse).all() else None,
    )


def _log_densities(rows: Array, mean: Array, cov: Array) -> Array:
    """Log normal densities of the observed values of each case."""
    out = np.zeros(len(rows))
    patterns, member = np.unique(~np.isnan(rows), axis=0, return_inverse=True)
    for number, seen in enumerate(patterns):
        cases = np.flatnonzero(member.ravel() == number)
        away = (rows[cases] - mean)[:, seen]
        part = cov[np.ix_(seen, seen)]
        distance = (away * solve(part, away.T).T).sum(axis=1)
        size = np.linalg.slogdet(part)[1] + seen.sum() * np.log(2 * np.pi)
        out[cases] = -0.5 * (size + distance)
    return out
