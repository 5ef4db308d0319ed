"""Exploratory factor analysis: extraction, rotation, the number of factors, a general factor."""

from gfactor.lazy import former_names
from gfactor.psychometrics.factor.exploratory.analysis import bootstrap_efa, efa
from gfactor.psychometrics.factor.exploratory.errors import EfaErrors
from gfactor.psychometrics.factor.exploratory.extraction import METHODS, FactorExtraction, extract
from gfactor.psychometrics.factor.exploratory.fit import EfaFit, degrees_of_freedom, efa_fit
from gfactor.psychometrics.factor.exploratory.named_rotations import ROTATIONS
from gfactor.psychometrics.factor.exploratory.omega import SchmidLeiman, schmid_leiman
from gfactor.psychometrics.factor.exploratory.parallel import KINDS, Parallel, parallel_analysis
from gfactor.psychometrics.factor.exploratory.result import Efa
from gfactor.psychometrics.factor.exploratory.rotation import Rotated, rotate

__all__ = [
    "KINDS",
    "METHODS",
    "ROTATIONS",
    "Efa",
    "EfaErrors",
    "EfaFit",
    "FactorExtraction",
    "Parallel",
    "Rotated",
    "SchmidLeiman",
    "bootstrap_efa",
    "degrees_of_freedom",
    "efa",
    "efa_fit",
    "extract",
    "parallel_analysis",
    "rotate",
    "schmid_leiman",
]

__getattr__ = former_names(__name__, {"Extraction": "FactorExtraction"})
