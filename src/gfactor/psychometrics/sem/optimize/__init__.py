"""The search for the minimum, and the proof that it is one."""

from gfactor.psychometrics.sem.optimize.bounds import bounds_of
from gfactor.psychometrics.sem.optimize.convergence import Convergence, prove
from gfactor.psychometrics.sem.optimize.newton import Outcome, minimise
from gfactor.psychometrics.sem.optimize.runaway import follow
from gfactor.psychometrics.sem.optimize.search import mobile_parameters, search
from gfactor.psychometrics.sem.optimize.starts import parameter_scales, start_values

__all__ = [
    "Convergence",
    "Outcome",
    "bounds_of",
    "follow",
    "minimise",
    "mobile_parameters",
    "parameter_scales",
    "prove",
    "search",
    "start_values",
]
