"""Chi-square differences of nested models, plain and scaled.

References
----------
Satorra, A. (2000). Scaled and adjusted restricted tests in multi-sample analysis of moment
    structures. In Innovations in multivariate statistical analysis, 233-247. Kluwer.
Satorra, A., Bentler, P. M. (2001). A scaled difference chi-square test statistic for moment
    structure analysis. Psychometrika 66, 507-514.
Satorra, A., Bentler, P. M. (2010). Ensuring positiveness of the scaled difference chi-square test
    statistic. Psychometrika 75, 243-248.
Asparouhov, T., Muthen, B. (2010). Simple second order chi-square correction. Mplus technical
    appendix (scaling and shift).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.special import chdtrc

from gfactor.errors import ParameterError, UnknownNameError
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics.diagnostic import Diagnostic
from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.sem.discrepancy import Weight, normal_weight
from gfactor.psychometrics.sem.exactfit import exact_fit
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.inference.estimated import Estimated
from gfactor.results import Result

Array = NDArray[np.float64]

_SAME, _ALIKE = 1e-6, 1e-4
"""Differences of chi-square, and of implied covariances, below which models are equivalent."""

METHODS = ("standard", "satorra.bentler.2001", "satorra.bentler.2010", "satorra.2000")


@dataclass(frozen=True, repr=False)
class ChiSquareDifference(Result):
    """Chi-square difference test of the restrictions by which a model differs from a larger one.

    Parameters
    ----------
    method: method that scaled the difference; see `METHODS`.
    chisq, df, pvalue: the (scaled) difference; NaN if the scaling factor is negative. For
        equivalent models they are 0, 0 and NaN.
    plain: the difference of the unscaled statistics.
    factor, shift: chisq = plain / factor + shift.
    diagnostics: limits to the use of the test.
    """

    method: str
    chisq: float
    df: int
    pvalue: float
    plain: float
    factor: float
    shift: float
    diagnostics: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        if self.df == 0:
            return "equivalent models: no difference of chi-square and degrees of freedom"
        return (
            f"chi-square difference {self.chisq:.3f}, df {self.df}, p {p_value(self.pvalue, '= ')} "
            f"({self.method})"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "diagnostics"}

    def _lines(self) -> list[str]:
        return [self.title]


def usual_method(fit: Fit) -> str:
    """Return the method of comparison that a fit's test requires: Satorra (2000) for scaled and
    shifted statistics (WLSMV, MLMV), which cannot be subtracted, and Satorra and Bentler (2001) for
    mean-corrected ones (MLR, MLM)."""
    if fit.exact.scaled is None:
        return "standard"
    shifted = fit.exact.name in {"scaled.shifted", "mean.var.adjusted"}
    return "satorra.2000" if shifted else "satorra.bentler.2001"


def compare_fits(smaller: Fit, larger: Fit, *, method: str | None = None) -> ChiSquareDifference:
    """Test the restrictions that distinguish a fitted model from a larger one.

    Parameters
    ----------
    smaller : Fit
        The model with fewer parameters.
    larger : Fit
        The model in which it is nested, fitted to the same sample.
    method : str, optional
        "standard", "satorra.bentler.2001", "satorra.bentler.2010" or "satorra.2000"; by default the
        method that suits the estimator.

    Returns
    -------
    ChiSquareDifference
        The difference of chi-square with its df and p, and `diagnostics`. A negative scaling
        factor (Satorra and Bentler 2001 allow it) gives no test and a diagnostic that says so.
        Equivalent models have a df of 0 and a diagnostic.

    Raises
    ------
    ParameterError
        If the models are not of the same sample, or not nested by their degrees of freedom, or if
        the method needs a scaled test that the fits do not have.

    References
    ----------
    Satorra, A., Bentler, P. M. (2001). A scaled difference chi-square test statistic for moment
    structure analysis. Psychometrika 66, 507-514.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> g = random.normal(size=300)
    >>> data = pd.DataFrame({f"x{k}": g + random.normal(size=300) for k in range(1, 5)})
    >>> larger = gf.sem("g =~ x1 + x2 + x3 + x4", data)
    >>> smaller = gf.sem("g =~ a*x1 + a*x2 + a*x3 + a*x4", data)
    >>> gf.compare_fits(smaller, larger).df
    3
    """
    method = usual_method(larger) if method is None else method
    if method not in METHODS:
        raise UnknownNameError("method of comparison", method, METHODS)
    _check_samples(smaller, larger)
    if are_equivalent(smaller, larger):
        finding = equivalence(smaller)
        return ChiSquareDifference(method, 0.0, 0, math.nan, 0.0, 1.0, 0.0, (finding,))
    _check(smaller, larger, method)
    df = smaller.problem.df - larger.problem.df
    plain = smaller.exact.chisq - larger.exact.chisq
    factor, shift = 1.0, 0.0
    if method == "satorra.2000":
        factor, shift = _satorra_2000(smaller, larger, df)
    elif method != "standard":
        first = larger.estimated if method.endswith("2001") else _at(larger, smaller)
        factor = (_scaled_df(smaller.estimated) - _scaled_df(first)) / df
    diagnostics: list[Diagnostic] = []
    chisq = plain / factor + shift if factor > 0 else math.nan
    if factor <= 0:
        diagnostics.append(
            Diagnostic(
                "negative_scaling",
                "warning",
                f"The scaling factor of the difference is {factor:.3f}: the test by {method} has "
                "no value.",
                "Use satorra.bentler.2010 or satorra.2000, which stay positive.",
                (),
                {"factor": factor, "plain": plain},
            )
        )
    if plain < -1e-6 * max(1.0, larger.exact.chisq):
        diagnostics.append(
            Diagnostic(
                "worse_with_more_parameters",
                "warning",
                f"The model with fewer parameters fits better by {-plain:.3f}: the models are not "
                "nested, or one search ended in a local minimum.",
                "Check the models, or give start values.",
                (),
                {"plain": plain},
            )
        )
    chisq = max(chisq, 0.0) if math.isfinite(chisq) else chisq
    pvalue = float(chdtrc(df, chisq)) if math.isfinite(chisq) else math.nan
    return ChiSquareDifference(method, chisq, df, pvalue, plain, factor, shift, tuple(diagnostics))


def are_equivalent(one: Fit, other: Fit) -> bool:
    """Return True if two fits have the same degrees of freedom and imply the same moments."""
    if set(one.sample.variables) != set(other.sample.variables):
        return False
    if (one.problem.df, one.options.estimator, one.sample.labels) != (
        other.problem.df, other.options.estimator, other.sample.labels
    ):  # fmt: skip
        return False
    if abs(one.exact.chisq - other.exact.chisq) > _SAME * max(1.0, one.exact.chisq):
        return False
    positions = [other.sample.variables.index(name) for name in one.sample.variables]
    if any(len(group.sigma) != len(positions) for group in one.point.groups):
        return False  # The moments are those of two levels.
    return all(
        np.abs(here.sigma - there.sigma[np.ix_(positions, positions)]).max()
        <= _ALIKE * np.abs(here.sigma).max()
        for here, there in zip(one.point.groups, other.point.groups, strict=True)
    )


def equivalence(fit: Fit) -> Diagnostic:
    """Return the finding that another model is equivalent to that of a fit."""
    return Diagnostic(
        "equivalent_models",
        "note",
        f"The models are equivalent: both have {fit.problem.df} degrees of freedom and a "
        f"chi-square of {fit.exact.chisq:.3f}, and imply the same covariances.",
        "No data of these variables can decide between them; choose by theory or design.",
        (),
        {"df": fit.problem.df, "chisq": fit.exact.chisq},
    )


def _check_samples(smaller: Fit, larger: Fit) -> None:
    if set(smaller.sample.variables) != set(larger.sample.variables) or smaller.n != larger.n:
        raise ParameterError(
            "models are compared on one sample and the same variables; these have "
            f"{smaller.n} and {larger.n} cases of {len(smaller.sample.variables)} and "
            f"{len(larger.sample.variables)} variables."
        )


def _check(smaller: Fit, larger: Fit, method: str) -> None:
    if smaller.problem.df == larger.problem.df:
        raise ParameterError(
            f"both models have {smaller.problem.df} degrees of freedom and fit differently, so "
            "that neither is a special case of the other; compare AIC and BIC, or test them with "
            "gf.compare_fits(one, other, nested=False) (Vuong)."
        )
    if smaller.problem.df < larger.problem.df:
        raise ParameterError(
            f"the smaller model must have more degrees of freedom; got {smaller.problem.df} and "
            f"{larger.problem.df}."
        )
    if method == "satorra.2000":
        larger.table.refuse_levels("comparisons by satorra.2000")
        if smaller.sample.variables != larger.sample.variables:
            raise ParameterError(
                "satorra.2000 compares models that name their observed variables in the same "
                f"order; write {larger.sample.variables[0]!r} first in both, and so on."
            )
    if method == "satorra.2000" and larger.options.full_information:
        raise ParameterError(
            "satorra.2000 needs complete cases; compare fits with missing = 'ml' by "
            "satorra.bentler.2001 or 2010."
        )
    if method.startswith("satorra.bentler") and larger.exact.factor is None:
        raise ParameterError(
            f"{method} needs a scaled test; fit with estimator MLR or MLM, or compare by "
            "'standard'."
        )


def _scaled_df(estimated: Estimated) -> float:
    """Degrees of freedom times the scaling factor of the mean."""
    if estimated.problem.df == 0:
        return 0.0
    test = exact_fit(estimated)
    return estimated.problem.df * float(test.mean_factor or test.factor or 1.0)


def _at(larger: Fit, smaller: Fit) -> Estimated:
    """The larger model at the smaller one's estimates."""
    values = {
        (row.lhs, row.op, row.rhs, row.group): (
            smaller.theta[row.free - 1] if row.free else (row.value or 0.0)
        )
        for row in smaller.table.rows
        if row.group
    }
    theta = larger.theta.copy()
    for row in larger.table.rows:
        if row.free:
            theta[row.free - 1] = values.get((row.lhs, row.op, row.rhs, row.group), 0.0)
    point = larger.problem.discrepancy.at(theta)
    return replace(larger.estimated, point=point, value=larger.problem.discrepancy.value(point))


def _satorra_2000(smaller: Fit, larger: Fit, df: int) -> tuple[float, float]:
    """Scaling factor and shift, as lavTestLRT has them."""
    estimated, n_groups = larger.estimated, len(larger.sample.groups)
    shares = [float(share) for share in larger.sample.shares]
    jacobians = [d @ estimated.directions for d in estimated.deltas()]
    weights = [_weight(estimated, g) for g in range(n_groups)]
    information = estimated.directions.T @ estimated.information(1) @ estimated.directions
    stacked = np.vstack(jacobians)
    other = np.vstack(smaller.estimated.deltas()) @ smaller.estimated.directions
    # The directions in which the larger model moves and the smaller one does not.
    projection = np.linalg.pinv(stacked) @ other
    a = linalg.null_space(projection.T, rcond=1e-9).T
    bread = np.linalg.pinv(information, hermitian=True)
    middle = bread @ a.T @ np.linalg.pinv(a @ bread @ a.T) @ a @ bread
    inner = np.zeros_like(middle)
    for g in range(n_groups):
        pulled = weights[g] @ jacobians[g]
        inner += shares[g] * (pulled.T @ estimated.gamma(g) @ pulled)
    product = inner @ middle
    first, second = float(np.trace(product)), float((product * product.T).sum())
    if np.linalg.matrix_rank(information, hermitian=True) < len(information) or not second > 0:
        raise ParameterError(
            "the larger model is not identified by these data, so there is no difference test; "
            "look at its diagnostics (rare categories, negative variances)."
        )
    stretch = math.sqrt(df / second)
    return 1 / stretch, df - stretch * first


def _weight(estimated: Estimated, group: int) -> Weight:
    problem = estimated.problem
    if problem.likelihood_based:
        sigma = estimated.point.groups[group].sigma
        return normal_weight(inv(sigma), means=problem.use_mean)
    return problem.weights[group].weight
