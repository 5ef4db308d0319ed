"""Comparison of two fitted models of one kind."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, overload

import pandas as pd

from gfactor.errors import ParameterError
from gfactor.numbers_in_text import printed
from gfactor.psychometrics import sem as models
from gfactor.psychometrics.class_results import LatentClasses
from gfactor.psychometrics.diagnostic import Diagnostic, by_severity
from gfactor.psychometrics.given import kind_of
from gfactor.psychometrics.irt.checks.comparison import (
    IRTComparison,
    compare_irt_fits,
    name_of_model,
)
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.sem.comparison import ChiSquareDifference, are_equivalent
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.measures.selection import reported
from gfactor.psychometrics.sem.vuong import NonNestedFits
from gfactor.results import Result


@dataclass(frozen=True, repr=False)
class FitTable(Result):
    """Three or more models of one sample in one table.

    Parameters
    ----------
    fits : DataFrame
        A row per model, the one with the most parameters first: `model` (its position in the
        call), parameters, fit, information criteria, and the test of the difference from the row
        above (`d_chisq`, `d_df`, `d_pvalue`), if there is one.
    diagnostics : tuple of Diagnostic
        Limits of the comparisons, errors first.
    """

    fits: pd.DataFrame
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def title(self) -> str:
        return f"{len(self.fits)} models of one sample"

    @property
    def facts(self) -> Mapping[str, Any]:
        return {"n_models": len(self.fits)}

    @property
    def tables(self) -> Mapping[str, pd.DataFrame]:
        return {"fits": self.fits}

    def sentences(self) -> Iterator[str]:
        """Return the sentences of `paragraph`."""
        # Loads what writes all paragraphs, which a table does not need.
        from gfactor.reports.paragraphs.comparisons import (  # noqa: PLC0415
            sentences_on_fit_table,
        )

        yield from sentences_on_fit_table(self.fits)

    def _lines(self) -> list[str]:
        table = printed(self.fits, index=False)
        return [self.title, "", table]


@overload
def compare_fits(
    smaller: Fit, larger: Fit, *, method: str | None = None, nested: Literal[True] | None = None
) -> ChiSquareDifference: ...


@overload
def compare_fits(
    smaller: Fit, larger: Fit, *, method: None = None, nested: Literal[False]
) -> NonNestedFits: ...


@overload
def compare_fits(
    smaller: IRTFit, larger: IRTFit, *, method: None = None, nested: bool | None = None
) -> IRTComparison: ...


@overload
def compare_fits(
    smaller: Fit | IRTFit,
    larger: Fit | IRTFit,
    third: Fit | IRTFit,
    /,
    *others: Fit | IRTFit,
    method: str | None = None,
    nested: bool | None = None,
) -> FitTable: ...


def compare_fits(
    smaller: Fit | IRTFit,
    larger: Fit | IRTFit,
    *others: Fit | IRTFit,
    method: str | None = None,
    nested: bool | None = None,
) -> ChiSquareDifference | NonNestedFits | IRTComparison | FitTable:
    """Compare two fitted models: structural equation models, or item response models.

    Parameters
    ----------
    smaller : Fit or IRTFit
        The model with fewer parameters. The two models may be given in either order.
    larger : Fit or IRTFit
        The other model, of the same kind, fitted to the same sample.
    *others : Fit or IRTFit
        Further models. All models then stand in one table.
    method : str, optional
        Method of the chi-square difference test of structural equation models: "standard",
        "satorra.bentler.2001", "satorra.bentler.2010" or "satorra.2000"; by default the one that
        goes with the estimator.
    nested : bool, optional
        True if the smaller model is a special case of the larger one, False to compare them by
        Vuong's test. By default nesting is detected for item response models, and assumed for
        structural equation models.

    Returns
    -------
    ChiSquareDifference, NonNestedFits, IRTComparison or FitTable
        For two structural equation models the chi-square difference with its df and p value, or
        Vuong's test; a finding says if the models are equivalent. For item response models AIC,
        BIC and SABIC, with the likelihood ratio test if the models are nested (and have no priors),
        and Vuong's test otherwise. For three or more models a table, in which each model is tested
        against the next larger one.

    Raises
    ------
    ParameterError
        If the models are of different kinds or were fitted to different samples, or if the
        comparison is not possible for them; the message says why.

    References
    ----------
    Satorra, A., Bentler, P. M. (2001). A scaled difference chi-square test statistic for moment
    structure analysis. Psychometrika 66, 507-514.
    Vuong, Q. H. (1989). Likelihood ratio tests for model selection and non-nested hypotheses.
    Econometrica 57, 307-333.

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
    >>> answers = (data > 0).astype(int)
    >>> gf.compare_fits(gf.irt("rasch", answers), gf.irt("2pl", answers)).df
    3
    """
    fits = (smaller, larger, *others)
    if not all(isinstance(one, IRTFit | Fit) for one in fits):
        raise _not_compared(*fits)
    if others:
        return _table(fits, method, nested)
    return _pair(smaller, larger, method, nested)


def _pair(
    smaller: object, larger: object, method: str | None = None, nested: bool | None = None
) -> ChiSquareDifference | NonNestedFits | IRTComparison:
    if isinstance(smaller, IRTFit) and isinstance(larger, IRTFit):
        if method is not None:
            raise ParameterError(
                "method is for structural equation models; leave it out for item response models"
            )
        return compare_irt_fits(smaller, larger, nested=nested)
    if isinstance(smaller, Fit) and isinstance(larger, Fit):
        if nested is False:
            if method is not None:
                raise ParameterError(
                    "method is for nested models; leave out method, or nested=False"
                )
            return models.compare_non_nested(smaller, larger)
        if smaller.problem.df < larger.problem.df:
            smaller, larger = larger, smaller
        return models.compare_fits(smaller, larger, method=method)
    raise _not_compared(smaller, larger)


def _table(fits: Sequence[Fit | IRTFit], method: str | None, nested: bool | None) -> FitTable:
    """Return all models, those with more parameters first, each tested against the one before."""

    def size(index: int) -> int:
        fit = fits[index]
        return fit.n_free if isinstance(fit, IRTFit) else -fit.problem.df

    order = sorted(range(len(fits)), key=lambda index: (-size(index), index))
    rows: list[dict[str, Any]] = []
    findings: list[Diagnostic] = []
    for position, index in enumerate(order):
        row, test = {"model": index + 1, **_measures(fits[index])}, None
        if position:
            larger = fits[order[position - 1]]
            if size(index) < size(order[position - 1]):
                test = _pair(fits[index], larger, method, nested)
            elif _are_equivalent(fits[index], larger):
                test = _pair(fits[index], larger)
            elif type(fits[index]) is not type(larger):
                _pair(fits[index], larger)
        tested = isinstance(test, ChiSquareDifference) or (
            isinstance(test, IRTComparison) and test.nested and math.isfinite(test.chisq)
        )
        row |= {
            f"d_{name}": getattr(test, name) if tested else math.nan
            for name in ("chisq", "df", "pvalue")
        }
        findings += [] if test is None else [one for one in test.diagnostics if one not in findings]
        rows.append(row)
    return FitTable(pd.DataFrame(rows), by_severity(findings))


def _are_equivalent(one: object, other: object) -> bool:
    return isinstance(one, Fit) and isinstance(other, Fit) and are_equivalent(one, other)


def _measures(fit: Fit | IRTFit) -> dict[str, Any]:
    if isinstance(fit, IRTFit):
        return {
            "name": name_of_model(fit), "n_free": fit.n_free,
            "loglik": fit.loglik, "aic": fit.aic, "bic": fit.bic, "sabic": fit.sabic,
        }  # fmt: skip
    measures, chosen = fit.measures, reported(fit.measures)
    values = {
        "npar": fit.problem.n_parameters, "df": fit.problem.df, "chisq": chosen.chisq,
        "cfi": chosen.cfi, "tli": chosen.tli, "rmsea": chosen.rmsea, "srmr": chosen.srmr,
        "aic": measures.get("aic"), "bic": measures.get("bic"),
    }  # fmt: skip
    return {name: math.nan if value is None else value for name, value in values.items()}


def _kind(given: object) -> str:
    if isinstance(given, IRTFit):
        return "an item response model"
    if isinstance(given, LatentClasses):
        return "a latent class model"
    if isinstance(given, Result):
        return f"a result of another analysis ({type(given).__name__})"
    return "a structural equation model" if isinstance(given, Fit) else kind_of(given)


def _not_compared(*given: object) -> ParameterError:
    """Return the error for models that are not of one kind, or of no kind that has a test."""
    instead = ""
    if any(isinstance(one, LatentClasses) for one in given):
        instead = "; of latent class models compare `bic`, the smallest is best"
    return ParameterError(
        "compare_fits takes structural equation models (gf.sem) or item response models (gf.irt), "
        f"all of one kind, got {' and '.join(map(_kind, given))}{instead}"
    )
