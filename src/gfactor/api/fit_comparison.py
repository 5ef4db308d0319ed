"""Comparison of two fitted models of one kind."""

from __future__ import annotations

from typing import overload

from gfactor.errors import ParameterError
from gfactor.psychometrics import sem as models
from gfactor.psychometrics.given import (
    kind_of,
)
from gfactor.psychometrics.irt.comparison import IRTComparison, compare_irt_fits
from gfactor.psychometrics.irt.result import IRTFit
from gfactor.psychometrics.sem.comparison import ChiSquareDifference
from gfactor.psychometrics.sem.fitted import Fit


@overload
def compare_fits(
    smaller: Fit, larger: Fit, *, method: str | None = None, nested: None = None
) -> ChiSquareDifference: ...


@overload
def compare_fits(
    smaller: IRTFit, larger: IRTFit, *, method: None = None, nested: bool | None = None
) -> IRTComparison: ...


def compare_fits(
    smaller: Fit | IRTFit,
    larger: Fit | IRTFit,
    *,
    method: str | None = None,
    nested: bool | None = None,
) -> ChiSquareDifference | IRTComparison:
    """Compare two fitted models: structural equation models, or item response models.

    Parameters
    ----------
    smaller : Fit or IRTFit
        The model with fewer parameters. The two may be given in either order.
    larger : Fit or IRTFit
        The other model, of the same kind, fitted to the same sample.
    method : str, optional
        Method for structural equation models: "standard", "satorra.bentler.2001",
        "satorra.bentler.2010" or "satorra.2000"; by default the one that goes with the estimator.
    nested : bool, optional
        True if the smaller of two item response models is a special case of the larger one; by
        default this is derived from the two models.

    Returns
    -------
    ChiSquareDifference or IRTComparison
        For structural equation models the difference of chi-square with its df and p. For item
        response models AIC, BIC and SABIC, with the likelihood ratio test if the models are nested
        and Vuong's test otherwise.

    Raises
    ------
    ParameterError
        If the models are not of one kind or not of the same sample, and what the two comparisons
        refuse.

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
    if isinstance(smaller, IRTFit) and isinstance(larger, IRTFit):
        if method is not None:
            raise ParameterError(
                "method is for structural equation models; leave it out for item response models"
            )
        return compare_irt_fits(smaller, larger, nested=nested)
    if isinstance(smaller, Fit) and isinstance(larger, Fit):
        if nested is not None:
            raise ParameterError(
                "nested is for item response models; leave it out for structural equation models"
            )
        if smaller.problem.df < larger.problem.df:
            smaller, larger = larger, smaller
        return models.compare_fits(smaller, larger, method=method)
    raise ParameterError(
        "compare_fits takes two structural equation models (gf.sem) or two item response models "
        f"(gf.irt), got {_kind(smaller)} and {_kind(larger)}"
    )


def _kind(given: object) -> str:
    if isinstance(given, IRTFit):
        return "an item response model"
    return "a structural equation model" if isinstance(given, Fit) else kind_of(given)
