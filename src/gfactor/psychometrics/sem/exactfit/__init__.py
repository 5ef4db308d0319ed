"""Tests of exact fit: one file per family, found by name."""

from gfactor.psychometrics.sem.exactfit import browne, satorra_bentler, standard, yuan_bentler
from gfactor.psychometrics.sem.exactfit.result import ExactFit, exact_fit

__all__ = ["ExactFit", "browne", "exact_fit", "satorra_bentler", "standard", "yuan_bentler"]
