"""Ordinal variables: polychoric correlations, and estimators that fit them."""

from gfactor.psychometrics.sem.ordinal.bivariate import bivariate_normal_cdf, bivariate_normal_pdf
from gfactor.psychometrics.sem.ordinal.fit import OrdinalFit, fit_ordinal
from gfactor.psychometrics.sem.ordinal.moments import OrdinalMoments, ordinal_moments
from gfactor.psychometrics.sem.ordinal.scores import posterior_modes

__all__ = [
    "OrdinalFit",
    "OrdinalMoments",
    "bivariate_normal_cdf",
    "bivariate_normal_pdf",
    "fit_ordinal",
    "ordinal_moments",
    "posterior_modes",
]
