"""Structural equation models: lavaan syntax, estimators, fit, scores, diagnostics.

Names are loaded when they are first used, so that a plain fit does not load the code of bootstraps
and ordinal variables.
"""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.bootstrapping import FitBootstrap, bootstrap
    from gfactor.psychometrics.sem.choices import from_lavaan, resolved
    from gfactor.psychometrics.sem.comparison import compare_fits
    from gfactor.psychometrics.sem.exactfit import ExactFit
    from gfactor.psychometrics.sem.fitted import Fit
    from gfactor.psychometrics.sem.fitting import fit
    from gfactor.psychometrics.sem.measurement_invariance import invariance
    from gfactor.psychometrics.sem.measures import Context, Measures, all_measures
    from gfactor.psychometrics.sem.model_reliability import ModelReliability, reliability
    from gfactor.psychometrics.sem.modification import modification_indices, score_tests
    from gfactor.psychometrics.sem.optimize import Convergence
    from gfactor.psychometrics.sem.options import Options
    from gfactor.psychometrics.sem.ordinal import OrdinalFit
    from gfactor.psychometrics.sem.parameters import Parameter, ParameterTable
    from gfactor.psychometrics.sem.problem import Problem, problem_of
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
    from gfactor.psychometrics.sem.vuong import NonNestedFits, compare_non_nested
    from gfactor.psychometrics.sem.wald import WaldTest, wald_test

__all__ = [
    "FitBootstrap",
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
    "NonNestedFits",
    "Options",
    "OrdinalFit",
    "Parameter",
    "ParameterTable",
    "Problem",
    "Sample",
    "SimulationStudy",
    "WaldTest",
    "all_measures",
    "bootstrap",
    "build_table",
    "compare_fits",
    "compare_non_nested",
    "factor_scores",
    "fit",
    "from_lavaan",
    "invariance",
    "modification_indices",
    "parse_model",
    "problem_of",
    "reliability",
    "resolved",
    "sample_from_data",
    "sample_from_moments",
    "score_tests",
    "simulate_data",
    "simulation_study",
    "wald_test",
]

_MODULES = {
    "bootstrapping": (
        "FitBootstrap",
        "bootstrap",
    ),
    "choices": (
        "from_lavaan",
        "resolved",
    ),
    "comparison": ("compare_fits",),
    "exactfit": ("ExactFit",),
    "fitted": ("Fit",),
    "fitting": ("fit",),
    "measurement_invariance": ("invariance",),
    "measures": (
        "Context",
        "Measures",
        "all_measures",
    ),
    "model_reliability": (
        "ModelReliability",
        "reliability",
    ),
    "modification": (
        "modification_indices",
        "score_tests",
    ),
    "optimize": ("Convergence",),
    "options": ("Options",),
    "ordinal": ("OrdinalFit",),
    "parameters": (
        "Parameter",
        "ParameterTable",
    ),
    "problem": (
        "Problem",
        "problem_of",
    ),
    "sample": (
        "GroupSample",
        "Sample",
        "sample_from_data",
        "sample_from_moments",
    ),
    "scores": (
        "FactorScores",
        "factor_scores",
    ),
    "simulation": (
        "Missing",
        "SimulationStudy",
        "simulate_data",
        "simulation_study",
    ),
    "syntax": (
        "ModelSyntaxError",
        "build_table",
        "parse_model",
    ),
    "vuong": ("NonNestedFits", "compare_non_nested"),
    "wald": ("WaldTest", "wald_test"),
}

__getattr__, __dir__ = lazy_names(__name__, _MODULES)
