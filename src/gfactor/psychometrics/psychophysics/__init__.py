"""Psychometric functions: accuracy as a function of size."""

from gfactor.psychometrics.psychophysics.curves import accuracy_at
from gfactor.psychometrics.psychophysics.fits import CurveFits, fit_curves

__all__ = ["CurveFits", "accuracy_at", "fit_curves"]
