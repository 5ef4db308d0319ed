"""Structural equation models: lavaan syntax, estimators, fit, scores, diagnostics."""

from gfactor.psychometrics.sem.bootstrap import Bootstrap, bootstrap
from gfactor.psychometrics.sem.choices import from_lavaan, resolved
from gfactor.psychometrics.sem.comparison import compare_fits
from gfactor.psychometrics.sem.diagnostics.hook import checked
from gfactor.psychometrics.sem.diagnostics.misfit import misfit
from gfactor.psychometrics.sem.exactfit import ExactFit
from gfactor.psychometrics.sem.fitted import Fit, inspector
from gfactor.psychometrics.sem.fitting import fit, fit_problem
from gfactor.psychometrics.sem.inspect_search import search_ended
from gfactor.psychometrics.sem.invariance import invariance
from gfactor.psychometrics.sem.measures import Context, Measures, all_measures
from gfactor.psychometrics.sem.modification import modification_indices, score_tests
from gfactor.psychometrics.sem.optimize import Convergence
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.ordinal import OrdinalFit
from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
from gfactor.psychometrics.sem.problem import Problem, problem_of
from gfactor.psychometrics.sem.reliability import ModelReliability, reliability
from gfactor.psychometrics.sem.sample import (
    GroupSample,
    Sample,
    sample_from_data,
    sample_from_moments,
)
from gfactor.psychometrics.sem.scores import FactorScores, factor_scores
from gfactor.psychometrics.sem.simulation import (
    Missing,
    SimulationStudy,
    simulate_data,
    simulation_study,
)
from gfactor.psychometrics.sem.syntax import ModelSyntaxError, build_table, parse_model

__all__ = [
    "Bootstrap",
    "Context",
    "Convergence",
    "ExactFit",
    "FactorScores",
    "Fit",
    "GroupSample",
    "Measures",
    "Missing",
    "ModelReliability",
    "ModelSyntaxError",
    "Options",
    "OrdinalFit",
    "Parameter",
    "ParameterTable",
    "Problem",
    "Sample",
    "SimulationStudy",
    "all_measures",
    "bootstrap",
    "build_table",
    "checked",
    "compare_fits",
    "factor_scores",
    "fit",
    "fit_problem",
    "from_lavaan",
    "inspector",
    "invariance",
    "misfit",
    "modification_indices",
    "parse_model",
    "problem_of",
    "reliability",
    "resolved",
    "sample_from_data",
    "sample_from_moments",
    "score_tests",
    "search_ended",
    "simulate_data",
    "simulation_study",
]
