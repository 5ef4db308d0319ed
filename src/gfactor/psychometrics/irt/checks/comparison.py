"""Two item response models of the same responses: which one do the responses support?

References
----------
Vuong, Q. H. (1989). Likelihood ratio tests for model selection and non-nested hypotheses.
    Econometrica 57, 307-333.
Sclove, S. L. (1987). Application of model-selection criteria to some problems in multivariate
    analysis. Psychometrika 52, 333-343.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import p_value, printed
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.irt.checks.nesting import is_nested, on_boundary
from gfactor.psychometrics.irt.estimation.errors import inverse
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.nonnested import CaseLikelihood, vuong
from gfactor.results import Result


@dataclass(frozen=True, repr=False)
class IRTComparison(Result):
    """Two item response models of the same responses, with information criteria and a test.

    Parameters
    ----------
    criteria : DataFrame
        Rows `first` and `second`: `model`, `n_free`, `loglik`, `aic`, `bic`, `sabic`.
    nested : bool
        True if one model was taken to be a special case of the other.
    chisq, df, pvalue : float
        The likelihood ratio test of the smaller model; NaN if the models are not nested, or
        parameters have priors (`df` is the difference in parameters).
    z, z_pvalue : float
        Vuong's statistic, positive if the first model fits better, and its two-sided p value; NaN
        if the models are nested.
    variance, variance_pvalue : float
        Variance of the persons' differences in log-likelihood, and the p value of the hypothesis
        that the models cannot be distinguished by these data; NaN if the models are nested.
    diagnostics : tuple of Diagnostic
        Limits of the comparison, errors first.
    """

    criteria: pd.DataFrame
    nested: bool
    chisq: float
    df: int
    pvalue: float
    z: float
    z_pvalue: float
    variance: float
    variance_pvalue: float
    diagnostics: tuple[Diagnostic, ...]

    @property
    def title(self) -> str:
        if self.nested and math.isnan(self.chisq):
            return "nested models with priors: there is no likelihood ratio test"
        if self.nested:
            return (
                f"likelihood ratio test: chi-square {self.chisq:.3f}, df {self.df}, "
                f"p {p_value(self.pvalue, '= ')}"
            )
        return (
            f"models that are not nested: Vuong's z {self.z:.3f}, "
            f"p {p_value(self.z_pvalue, '= ')}; indistinguishable: "
            f"p {p_value(self.variance_pvalue, '= ')}"
        )

    @property
    def facts(self) -> Mapping[str, Any]:
        left = ("criteria", "diagnostics")
        return {name: value for name, value in vars(self).items() if name not in left}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"criteria": self.criteria}

    def _lines(self) -> list[str]:
        return [self.title, "", printed(self.criteria)]


def compare_irt_fits(first: IRTFit, second: IRTFit, *, nested: bool | None = None) -> IRTComparison:
    """Compare two item response models of the same responses.

    Parameters
    ----------
    first, second : IRTFit
        Two fits to the same table; their order does not matter for the test.
    nested : bool, optional
        True if the model with fewer parameters is a special case of the other one. By default this
        is derived from the models, factors, groups, designs and constraints of the two fits.

    Returns
    -------
    IRTComparison
        AIC, BIC and SABIC of both; the likelihood ratio test if the models are nested (and have no
        priors), otherwise
        Vuong's test.

    Raises
    ------
    ParameterError
        If the fits are not of the same responses, or `nested` is true of two models with the same
        number of parameters.

    References
    ----------
    Vuong, Q. H. (1989). Likelihood ratio tests for model selection and non-nested hypotheses.
    Econometrica 57, 307-333.

    Examples
    --------
    >>> import gfactor as gf, numpy as np, pandas as pd
    >>> random = np.random.default_rng(1)
    >>> theta = random.normal(size=(400, 1))
    >>> right = random.uniform(size=(400, 5)) < 1 / (1 + np.exp(np.linspace(-1, 1, 5) - theta))
    >>> data = pd.DataFrame(right.astype(int))
    >>> compared = gf.compare_fits(gf.irt("rasch", data), gf.irt("2pl", data))
    >>> compared.nested, compared.df
    (True, 4)
    """
    _check(first, second)
    smaller, larger = sorted((first, second), key=lambda fit: fit.n_free)
    chain = is_nested(smaller, larger) if nested is None else nested
    df = larger.n_free - smaller.n_free
    if chain and df == 0:
        raise ParameterError(
            f"both models have {larger.n_free} free parameters, so that neither is a special case "
            "of the other; leave out nested"
        )
    chisq = 2 * (larger.loglik - smaller.loglik)
    test: dict[str, Any] = dict.fromkeys(("z", "z_pvalue", "variance", "variance_pvalue"), math.nan)
    if chain and (_has_priors(smaller) or _has_priors(larger)):
        # Twice the difference of these log-likelihoods has no chi-square distribution.
        test |= {"chisq": math.nan, "df": df, "pvalue": math.nan}
    elif chain:
        positive = max(chisq, 0.0)
        test |= {"chisq": positive, "df": df, "pvalue": float(special.chdtrc(df, positive))}
    else:
        cases = (_case_likelihood(first), _case_likelihood(second))
        test |= {"chisq": math.nan, "df": df, "pvalue": math.nan}
        test |= vuong(*cases, first.likelihood.data.weights)
    criteria = pd.DataFrame([_criteria(fit) for fit in (first, second)], index=["first", "second"])
    findings = by_severity([*_limits(smaller, larger, chain, chisq)])
    return IRTComparison(criteria=criteria, nested=chain, diagnostics=tuple(findings), **test)


def _check(first: IRTFit, second: IRTFit) -> None:
    a, b = first.table, second.table
    same = a.items == b.items and a.scores == b.scores and np.array_equal(a.codes, b.codes)
    if not same or not np.array_equal(
        first.likelihood.data.weights, second.likelihood.data.weights
    ):
        raise ParameterError(
            "item response models are compared on the same responses; these were fitted to "
            f"{first.n_persons} persons x {len(a.items)} items and {second.n_persons} persons x "
            f"{len(b.items)} items, or to other answers of them: fit both to one table"
        )


def _has_priors(fit: IRTFit) -> bool:
    return bool(fit.likelihood.model.priors)


def name_of_model(fit: IRTFit) -> str:
    """Return the model of a fit, with the number of its groups if there are several."""
    model = fit.request.model
    name, groups = model if isinstance(model, str) else "mixed", len(fit.likelihood.model.groups)
    return name if groups == 1 else f"{name} in {groups} groups"


def _criteria(fit: IRTFit) -> dict[str, Any]:
    return {
        "model": name_of_model(fit), "n_free": fit.n_free,
        "loglik": fit.loglik, "aic": fit.aic, "bic": fit.bic, "sabic": fit.sabic,
    }  # fmt: skip


def _case_likelihood(fit: IRTFit) -> CaseLikelihood:
    likelihood, information = fit.likelihood, fit.optimum.information
    scores = np.zeros((len(likelihood.data.weights), fit.n_free))
    for g in range(len(likelihood.model.groups)):
        rows = np.flatnonzero(likelihood.data.group == g)
        scores[rows] = likelihood.mean_scores(g, fit.optimum.at)
    inverted = None if information is None else inverse(information)
    return CaseLikelihood(fit.optimum.at.persons, scores, inverted)


def _limits(smaller: IRTFit, larger: IRTFit, nested: bool, chisq: float) -> Iterator[Diagnostic]:
    bad = [str(fit.request.model) for fit in (smaller, larger) if not fit.converged]
    if bad:
        yield Diagnostic(
            "not_converged", "error", f"The fit of {bad[0]} has not converged.",
            "Do not compare it; see its diagnostics.", tuple(bad),
        )  # fmt: skip
    if _has_priors(smaller) or _has_priors(larger):
        without = " There is no likelihood ratio test." if nested else ""
        yield Diagnostic(
            "priors_in_comparison", "warning",
            "Parameters have priors, so that the estimates do not maximize the likelihood."
            f"{without}",
            "Take the comparison as approximate, or fit both models without priors (priors: "
            '{"guess": null, "upper": null, "slope": null}; None in Python).',
        )  # fmt: skip
    if nested and not _has_priors(larger) and on_boundary(smaller, larger):
        yield Diagnostic(
            "boundary_of_larger_model", "note",
            "The smaller model lies at the boundary of the larger one (an asymptote of 0 or 1, a "
            "correlation of 1): the p-value is too large.",
            "A small p-value is safe; look at AIC and BIC if it is not.",
        )  # fmt: skip
    if nested and chisq < -1e-6 * max(1.0, abs(larger.loglik)):
        yield Diagnostic(
            "worse_with_more_parameters", "warning",
            f"The model with more parameters has the lower log-likelihood, by {-chisq / 2:.3f}.",
            "One search ended in a local maximum, or priors pull the estimates: try more starts.",
            values={"chisq": chisq},
        )  # fmt: skip
