"""The search for the minimum, and the proof that it is one."""

from gfactor.psychometrics.sem.optimize.bounds import bounds_of
from gfactor.psychometrics.sem.optimize.convergence import (
    STATUS_WORDS,
    Convergence,
    prove,
    step_sizes,
)
from gfactor.psychometrics.sem.optimize.multistart import mobile_parameters, search, solve
from gfactor.psychometrics.sem.optimize.newton import SCORING_ABOVE, SearchOutcome, minimise
from gfactor.psychometrics.sem.optimize.runaway import follow
from gfactor.psychometrics.sem.optimize.starts import eta_sizes, parameter_scales, start_values

__all__ = [
    "SCORING_ABOVE",
    "STATUS_WORDS",
    "Convergence",
    "SearchOutcome",
    "bounds_of",
    "eta_sizes",
    "follow",
    "minimise",
    "mobile_parameters",
    "parameter_scales",
    "prove",
    "search",
    "solve",
    "start_values",
    "step_sizes",
]
