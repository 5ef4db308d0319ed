"""Exploratory factor analysis: extraction, rotation, the number of factors, a general factor."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.psychometrics.factor.exploratory.analysis import bootstrap_efa, efa
    from gfactor.psychometrics.factor.exploratory.errors import EfaErrors
    from gfactor.psychometrics.factor.exploratory.extraction import (
        METHODS,
        FactorExtraction,
        extract,
    )
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

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "analysis": (
            "bootstrap_efa",
            "efa",
        ),
        "errors": ("EfaErrors",),
        "extraction": (
            "METHODS",
            "FactorExtraction",
            "extract",
        ),
        "fit": (
            "EfaFit",
            "degrees_of_freedom",
            "efa_fit",
        ),
        "named_rotations": ("ROTATIONS",),
        "omega": (
            "SchmidLeiman",
            "schmid_leiman",
        ),
        "parallel": (
            "KINDS",
            "Parallel",
            "parallel_analysis",
        ),
        "result": ("Efa",),
        "rotation": (
            "Rotated",
            "rotate",
        ),
    },
)
