"""Structural equation models: lavaan syntax, estimators, fit, scores, diagnostics."""

from gfactor.psychometrics.sem.choices import from_lavaan, resolved
from gfactor.psychometrics.sem.diagnostics.hook import checked
from gfactor.psychometrics.sem.exactfit import ExactFit
from gfactor.psychometrics.sem.fitted import Fit, inspector
from gfactor.psychometrics.sem.fitting import fit, fit_problem
from gfactor.psychometrics.sem.inspect_search import search_ended
from gfactor.psychometrics.sem.measures import Context, Measures, all_measures
from gfactor.psychometrics.sem.optimize import Convergence
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.problem import Problem, problem_of
from gfactor.psychometrics.sem.sample import (
    GroupSample,
    Sample,
    sample_from_data,
    sample_from_moments,
)

__all__ = [
    "Context",
    "Convergence",
    "ExactFit",
    "Fit",
    "GroupSample",
    "Measures",
    "Options",
    "Parameter",
    "ParameterTable",
    "Problem",
    "Sample",
    "all_measures",
    "checked",
    "fit",
    "fit_problem",
    "from_lavaan",
    "inspector",
    "problem_of",
    "resolved",
    "sample_from_data",
    "sample_from_moments",
    "search_ended",
]
