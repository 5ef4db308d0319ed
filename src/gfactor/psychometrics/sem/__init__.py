"""Structural equation models: lavaan syntax, estimators, fit, scores, diagnostics.

Names are loaded when they are first used, so that a plain fit does not load the code of bootstraps
and ordinal variables.
"""

from typing import TYPE_CHECKING

from gfactor.lazy import lazy_names

if TYPE_CHECKING:
    from gfactor.psychometrics.sem.bootstrapping import FitBootstrap as FitBootstrap
    from gfactor.psychometrics.sem.bootstrapping import bootstrap as bootstrap
    from gfactor.psychometrics.sem.choices import from_lavaan as from_lavaan
    from gfactor.psychometrics.sem.choices import resolved as resolved
    from gfactor.psychometrics.sem.comparison import compare_fits as compare_fits
    from gfactor.psychometrics.sem.exactfit import ExactFit as ExactFit
    from gfactor.psychometrics.sem.fitted import Fit as Fit
    from gfactor.psychometrics.sem.fitting import fit as fit
    from gfactor.psychometrics.sem.measurement_invariance import invariance as invariance
    from gfactor.psychometrics.sem.measures import Context as Context
    from gfactor.psychometrics.sem.measures import Measures as Measures
    from gfactor.psychometrics.sem.measures import all_measures as all_measures
    from gfactor.psychometrics.sem.model_reliability import ModelReliability as ModelReliability
    from gfactor.psychometrics.sem.model_reliability import reliability as reliability
    from gfactor.psychometrics.sem.modification import modification_indices as modification_indices
    from gfactor.psychometrics.sem.modification import score_tests as score_tests
    from gfactor.psychometrics.sem.optimize import Convergence as Convergence
    from gfactor.psychometrics.sem.options import Options as Options
    from gfactor.psychometrics.sem.ordinal import OrdinalFit as OrdinalFit
    from gfactor.psychometrics.sem.parameters import Parameter as Parameter
    from gfactor.psychometrics.sem.parameters import ParameterTable as ParameterTable
    from gfactor.psychometrics.sem.problem import Problem as Problem
    from gfactor.psychometrics.sem.problem import problem_of as problem_of
    from gfactor.psychometrics.sem.sample import GroupSample as GroupSample
    from gfactor.psychometrics.sem.sample import Sample as Sample
    from gfactor.psychometrics.sem.sample import sample_from_data as sample_from_data
    from gfactor.psychometrics.sem.sample import sample_from_moments as sample_from_moments
    from gfactor.psychometrics.sem.scores import FactorScores as FactorScores
    from gfactor.psychometrics.sem.scores import factor_scores as factor_scores
    from gfactor.psychometrics.sem.simulation import Missing as Missing
    from gfactor.psychometrics.sem.simulation import SimulationStudy as SimulationStudy
    from gfactor.psychometrics.sem.simulation import simulate_data as simulate_data
    from gfactor.psychometrics.sem.simulation import simulation_study as simulation_study
    from gfactor.psychometrics.sem.syntax import ModelSyntaxError as ModelSyntaxError
    from gfactor.psychometrics.sem.syntax import build_table as build_table
    from gfactor.psychometrics.sem.syntax import parse_model as parse_model
    from gfactor.psychometrics.sem.vuong import NonNestedFits as NonNestedFits
    from gfactor.psychometrics.sem.vuong import compare_non_nested as compare_non_nested
    from gfactor.psychometrics.sem.wald import WaldTest as WaldTest
    from gfactor.psychometrics.sem.wald import wald_test as wald_test
else:
    __getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
