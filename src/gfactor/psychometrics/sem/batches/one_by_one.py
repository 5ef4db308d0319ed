"""Fits that cannot go in a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

import numpy as np

from gfactor.computing import each
from gfactor.errors import GfactorError
from gfactor.psychometrics.sem.batches.outcome import (
    FAILED,
    IMPROPER,
    PROPER,
    ManyFits,
    concatenated,
    improprieties,
)
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.options import Options
from gfactor.psychometrics.sem.ordinal import OrdinalFit
from gfactor.psychometrics.sem.parameters import ParameterTable
from gfactor.psychometrics.sem.problem import problem_of
from gfactor.psychometrics.sem.sample import Sample

_AT_ONCE = 4
"""Number of samples that one process fits before it takes more."""


def fit_alone(
    table: ParameterTable, sample: Sample, options: Options, start: np.ndarray
) -> Fit | None:
    """Return the result of a single-fit search from a given start, or else from its own start; None
    if there is no fit."""
    try:
        problem = problem_of(table, sample, options)
        first = Fit.searched("", table, problem, start)
        if first.converged:
            return first
        other = Fit.searched("", table, problem)
    except (GfactorError, np.linalg.LinAlgError):
        return None
    return other if other.converged or other.outcome.value < first.outcome.value else first


def fit_each(
    fit: Fit, samples: Iterable[Sample], *, watch: Callable[[int], object] | None = None
) -> ManyFits:
    """Fit the fit's model to each sample separately, as incomplete cases, least squares and
    nonlinear constraints require."""
    some = iter(samples)
    parts = iter(lambda: list(islice(some, _AT_ONCE)), [])
    return concatenated(each(_fitted, ((fit, part) for part in parts)), watch)


def _fitted(fit: Fit, samples: Sequence[Sample]) -> ManyFits:
    rows = len(fit.table)
    theta, values, standard, chisq, gradient, kind, reason, steps = ([] for _ in range(8))
    for sample in samples:
        refitted, why = _refit(fit, sample)
        if refitted is not None:
            theta.append(refitted.theta)
            values.append(refitted.row_values())
            standard.append(refitted.row_standardized())
            chisq.append(2 * refitted.problem.cases * refitted.outcome.value)
            gradient.append(refitted.convergence.max_gradient)
            steps.append(refitted.convergence.iterations)
            why = improprieties(refitted.problem.structure, refitted.theta[None])[0]
            kind.append(IMPROPER if why else PROPER)
        else:
            theta.append(np.full(fit.table.n_free, np.nan))
            values.append(np.full(rows, np.nan))
            standard.append(np.full(rows, np.nan))
            chisq.append(np.nan)
            gradient.append(np.nan)
            steps.append(0)
            kind.append(FAILED)
        reason.append(why)
    numbers = [np.array(one, dtype=float) for one in (theta, values, standard, chisq, gradient)]
    return ManyFits(
        theta=numbers[0],
        values=numbers[1],
        standardized=numbers[2],
        chisq=numbers[3],
        gradient=numbers[4],
        kind=np.array(kind, dtype=object),
        reason=np.array(reason, dtype=object),
        steps=np.array(steps),
    )


def _refit(fit: Fit, sample: Sample) -> tuple[Fit | None, str]:
    """Return a converged fit, or the reason why there is none."""
    try:
        if isinstance(fit, OrdinalFit):
            refitted = fit.again(sample)
            return (refitted, "") if refitted.converged else (None, refitted.convergence.sentence)
        problem = problem_of(fit.table, sample, fit.options)
        refitted = Fit.searched(fit.model, fit.table, problem, fit.theta)
        if not refitted.converged:
            refitted = Fit.searched(fit.model, fit.table, problem)
    except (GfactorError, np.linalg.LinAlgError) as error:
        return None, str(error)
    return (refitted, "") if refitted.converged else (None, refitted.convergence.sentence)
