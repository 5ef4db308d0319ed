"""Standard errors of many fits."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.batches.likelihood import Likelihood, given_cells
from gfactor.psychometrics.sem.batches.linear import inverted
from gfactor.psychometrics.sem.batches.moments import Moments
from gfactor.psychometrics.sem.batches.travel import reduced
from gfactor.psychometrics.sem.fitted import Fit

_CHUNK = 128


def standard_errors(fit: Fit, moments: Moments, theta: np.ndarray) -> np.ndarray:
    """Roots of the diagonal of the inverse expected information at each solution, shape
    (R, n_free); NaN where a solution is not finite or the information is singular.

    Parameters
    ----------
    fit: whose model it is. theta: solutions, shape (R, n_free), one per sample of `moments`.
    """
    problem = fit.problem
    given = given_cells(
        problem.structure, fit.table.rows, problem.sample.variables, bool(problem.exogenous)
    )
    likelihood = Likelihood(problem.structure, moments, given)
    reduction = problem.constraints.linear
    out = np.full(theta.shape, np.nan)
    finite = np.flatnonzero(np.isfinite(theta).all(axis=1))
    with np.errstate(all="ignore"):
        for first in range(0, len(finite), _CHUNK):
            which = finite[first : first + _CHUNK]
            slopes = likelihood.slopes(likelihood.at(theta[which], which), which)
            matrix = reduced(likelihood.expected(slopes), reduction)
            inverse, _, good = inverted(matrix)
            if reduction.trivial:
                variance = np.diagonal(inverse, axis1=1, axis2=2)
            else:
                basis = reduction.basis
                variance = ((basis @ inverse) * basis).sum(axis=2)
            error = np.sqrt(np.where(variance > 0, variance, np.nan) / problem.cases)
            out[which] = np.where(good[:, None], error, np.nan)
    return out
