"""Fits that cannot go with the others."""

from __future__ import annotations

import numpy as np

from gfactor.errors import GfactorError
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.fitting import fit_problem
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.problem import problem_of
from gfactor.psychometrics.sem.sample import Sample


def fit_alone(
    table: ParameterTable, sample: Sample, options: Options, start: np.ndarray
) -> Fit | None:
    """The single-fit search from a start, then from its own; None where there is no fit at all."""
    try:
        problem = problem_of(table, sample, options)
        made = fit_problem("", table, problem, start=start)
        if made.converged:
            return made
        other = fit_problem("", table, problem)
    except (GfactorError, np.linalg.LinAlgError):
        return None
    return other if other.converged or other.outcome.value < made.outcome.value else made
