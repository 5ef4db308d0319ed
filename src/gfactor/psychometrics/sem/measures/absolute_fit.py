"""Absolute fit: Hoelter's critical N, goodness of fit, centrality, cross-validation."""

from __future__ import annotations

import math

from scipy.special import chdtri

from gfactor.psychometrics.sem.measures.context import Context, Kind, Measures
from gfactor.psychometrics.sem.measures.declared import Measure, family

_ONE_LEVEL: dict[Kind, str] = {"two-level": "lavaan gives none; cases are not independent"}
_CONTINUOUS: dict[Kind, str] = {**_ONE_LEVEL, "ordinal": "lavaan gives none"}


@family(
    Measure("cn_05", "c / (T / n) + 1, P(chi-square(df) > c) = .05; without misfit 1 under maximum "
            "likelihood, else none", "Hoelter (1983)", lacks=_ONE_LEVEL),
    Measure("cn_01", "the same with .01", "Hoelter (1983)", lacks=_ONE_LEVEL),
    order=5,
)  # fmt: skip
def critical_n(context: Context) -> Measures:
    """Return Hoelter's critical n, the number of cases at which the misfit would just be
    rejected."""
    chisq, df = context.exact.chisq, context.exact.df

    def critical(level: float) -> float:
        if df <= 0 or not chisq:
            return 1.0 if context.problem.likelihood_based else math.nan
        return float(chdtri(df, level)) / (chisq / context.n) + 1

    return {"cn_05": critical(0.05), "cn_01": critical(0.01)}


@family(
    Measure("gfi", "1 - e'Ve / s'Vs: sample moments s, residuals e, weight matrix V; groups by "
            "their sizes", "Tanaka & Huba (1985)", lacks=_ONE_LEVEL),
    Measure("agfi", "1 - moments / df (1 - GFI)", "Jöreskog & Sörbom (1981)", lacks=_ONE_LEVEL),
    Measure("pgfi", "df / moments GFI", "Mulaik et al. (1989)", lacks=_ONE_LEVEL),
    order=5,
)  # fmt: skip
def goodness_of_fit(context: Context) -> Measures:
    """Return GFI, unadjusted and adjusted for degrees of freedom."""
    df, moments = context.exact.df, context.n_moments
    gfi = math.nan
    # Moments that are all zero leave nothing to be explained.
    if context.explained is not None and all(one.whole for one in context.explained):
        gfi = 1 - sum(one.share * one.left / one.whole for one in context.explained)
    return {
        "gfi": gfi,
        "agfi": 1 - moments / df * (1 - gfi) if df > 0 else 1.0,
        "pgfi": df / moments * gfi,
    }


@family(
    Measure("mfi", "exp(-(T - df) / (2 n))", "McDonald (1989), whose name for it is Mc",
            lacks=_ONE_LEVEL),
    order=5,
)  # fmt: skip
def centrality(context: Context) -> float:
    """Return McDonald's measure of centrality."""
    chisq, df = context.exact.chisq, context.exact.df
    return math.exp(max(-0.5 * (chisq - df) / context.n, -700.0))


@family(
    Measure("ecvi", "T / n + 2 npar / n", "Browne & Cudeck (1989)", needs_df=False,
            lacks=_CONTINUOUS),
    order=5,
)  # fmt: skip
def cross_validation(context: Context) -> float:
    """Return the expected cross-validation index."""
    return (context.exact.chisq + 2 * context.problem.n_parameters) / context.n


@family(
    Measure("wrmr", "sqrt(T / moments of a group)", "Yu & Muthén (2002)", needs_df=False,
            lacks={"continuous": "lavaan gives none", "two-level": "lavaan gives none"}),
    order=6,
)  # fmt: skip
def weighted_residual(context: Context) -> float:
    """Return the weighted root mean square residual; by the moments of one group, as in lavaan."""
    return math.sqrt(context.exact.chisq / context.n_moments * context.n_groups)
