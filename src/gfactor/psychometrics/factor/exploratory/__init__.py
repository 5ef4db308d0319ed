"""Exploratory factor analysis: extraction, rotation, the number of factors, a general factor."""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.psychometrics.factor.exploratory.analysis import bootstrap_efa as bootstrap_efa
    from gfactor.psychometrics.factor.exploratory.analysis import efa as efa
    from gfactor.psychometrics.factor.exploratory.errors import EfaErrors as EfaErrors
    from gfactor.psychometrics.factor.exploratory.extraction import METHODS as METHODS
    from gfactor.psychometrics.factor.exploratory.extraction import (
        FactorExtraction as FactorExtraction,
    )
    from gfactor.psychometrics.factor.exploratory.extraction import extract as extract
    from gfactor.psychometrics.factor.exploratory.fit import EfaFit as EfaFit
    from gfactor.psychometrics.factor.exploratory.fit import (
        degrees_of_freedom as degrees_of_freedom,
    )
    from gfactor.psychometrics.factor.exploratory.fit import efa_fit as efa_fit
    from gfactor.psychometrics.factor.exploratory.named_rotations import ROTATIONS as ROTATIONS
    from gfactor.psychometrics.factor.exploratory.omega import SchmidLeiman as SchmidLeiman
    from gfactor.psychometrics.factor.exploratory.omega import schmid_leiman as schmid_leiman
    from gfactor.psychometrics.factor.exploratory.parallel import KINDS as KINDS
    from gfactor.psychometrics.factor.exploratory.parallel import Parallel as Parallel
    from gfactor.psychometrics.factor.exploratory.parallel import (
        parallel_analysis as parallel_analysis,
    )
    from gfactor.psychometrics.factor.exploratory.result import Efa as Efa
    from gfactor.psychometrics.factor.exploratory.rotation import Rotated as Rotated
    from gfactor.psychometrics.factor.exploratory.rotation import rotate as rotate
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
