"""Exploratory factor analysis: extraction, rotation, the number of factors, a general factor."""

from gfactor.psychometrics.efa.analysis import efa
from gfactor.psychometrics.efa.criteria import ROTATIONS
from gfactor.psychometrics.efa.errors import EfaErrors
from gfactor.psychometrics.efa.extraction import METHODS, Extraction, extract
from gfactor.psychometrics.efa.fit import EfaFit, degrees_of_freedom, efa_fit
from gfactor.psychometrics.efa.omega import SchmidLeiman, schmid_leiman
from gfactor.psychometrics.efa.parallel import KINDS, Parallel, parallel_analysis
from gfactor.psychometrics.efa.result import Efa
from gfactor.psychometrics.efa.rotation import Rotated, rotate

__all__ = [
    "KINDS",
    "METHODS",
    "ROTATIONS",
    "Efa",
    "EfaErrors",
    "EfaFit",
    "Extraction",
    "Parallel",
    "Rotated",
    "SchmidLeiman",
    "degrees_of_freedom",
    "efa",
    "efa_fit",
    "extract",
    "parallel_analysis",
    "rotate",
    "schmid_leiman",
]
