"""`fit_many`: one model fitted to the moments of many samples; standard errors of many fits."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gfactor.computing import each
from gfactor.errors import ParameterError
from gfactor.psychometrics.sem.batches.batch import Ends, SearchTask, reduced
from gfactor.psychometrics.sem.batches.likelihood import ReplicateLikelihood, given_cells
from gfactor.psychometrics.sem.batches.moments import Moments, inverted
from gfactor.psychometrics.sem.batches.one_by_one import fit_alone
from gfactor.psychometrics.sem.batches.outcome import (
    FAILED,
    IMPROPER,
    INFINITE,
    PROPER,
    ManyFits,
    concatenated,
    improprieties,
)
from gfactor.psychometrics.sem.batches.row_values import solutions
from gfactor.psychometrics.sem.batches.scaling import Scaling, first_steps, scaling_of
from gfactor.psychometrics.sem.batches.search import search_many
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.optimize import (
    STATUS_WORDS,
    bounds_of,
    mobile_parameters,
    parameter_scales,
    start_values,
)
from gfactor.psychometrics.sem.sample import GroupSample, Sample

_ZERO = 1e-9


def batchable(fit: Fit) -> bool:
    """Return True if batches are possible: a likelihood, complete cases, linear constraints."""
    problem = fit.problem
    return (
        problem.likelihood_based
        and problem.constraints.only_linear
        and all(block.complete for block in problem.blocks)
        and not problem.options.two_stage
        and not any(row.op == "|" for row in fit.table)
    )


def fit_many(
    fit: Fit, moments: Moments, *, watch: Callable[[int], object] | None = None
) -> ManyFits:
    """Fit the fit's model to each of many samples, starting from the fit's own estimates.

    Parameters
    ----------
    fit: fit of complete cases by maximum likelihood (`batchable`).
    moments: the samples', from `joined`. watch: called with the number of samples just done.

    Samples are fitted in parts, in the processes of `gfactor.computing`. Searches that do not end
    are repeated from cold start values, then by the single-fit search. Bounds hold; those that
    depend on the data are computed from the fit's own sample.

    Raises ParameterError for a fit that is not batchable.
    """
    if not batchable(fit):
        raise ParameterError(
            "many fits at once need maximum likelihood, complete cases and no nonlinear "
            "constraints; this model has something else."
        )
    return concatenated(each(_fitted, ((fit, some) for some in moments.parts())), watch)


def _fitted(fit: Fit, moments: Moments) -> ManyFits:
    with np.errstate(all="ignore"):
        return _Work(fit, moments).done()


class _Work:
    def __init__(self, fit: Fit, moments: Moments) -> None:
        self.fit, self.moments = fit, moments
        problem = fit.problem
        self.cold = start_values(fit.table, problem.structure, problem.sample)
        self.warm = fit.theta if fit.converged else self.cold
        self.bounds = bounds_of(
            fit.table, problem.structure, problem.bounding_variances, problem.options.bounds
        )
        self.reduction = problem.constraints.linear
        self.scaling = (
            scaling_of(fit.table, problem.structure, self.reduction, self.warm)
            if self.bounds is None
            else Scaling(fit.table, problem.structure, ())
        )
        structure = self.scaling.structure
        given = given_cells(
            structure, self.scaling.table.rows, problem.sample.variables, bool(problem.exogenous)
        )
        self.likelihood = ReplicateLikelihood(structure, moments, given)
        scale = parameter_scales(problem.structure, problem.sample)
        self.scale = np.maximum(self.scaling.inner(scale[None])[0], 1e-12)
        for one in self.scaling.freed:
            self.scale[one.parameter] = max(one.fixed, self.scale[one.parameter])

    def _search(
        self,
        which: np.ndarray,
        start: np.ndarray,
        bounds: tuple[np.ndarray, np.ndarray] | None = None,
        minima: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> Ends:
        given = bounds or self.bounds
        if given is not None:
            low, high = (np.broadcast_to(side, start.shape) for side in given)
            given = low, high
        task = SearchTask(which, start, given, minima)
        return search_many(self.likelihood, self.reduction, task, self.scale)

    def done(self) -> ManyFits:
        count = len(self.moments)
        regular = self.moments.regular
        which = np.flatnonzero(regular)
        n = len(self.warm)
        theta = np.full((count, n), np.nan)
        inner = np.full((count, n), np.nan)
        value, gradient = np.full(count, np.nan), np.full(count, np.nan)
        kind, reason = np.full(count, FAILED, dtype=object), np.full(count, "", dtype=object)
        steps = np.zeros(count, dtype=int)
        reason[~regular] = "the covariance matrix of the sample is singular"
        if len(which):
            ends = self._from_estimates(which)
            self._again(which, ends)
            limits = self._limits(which, ends)
            inner[which], value[which], gradient[which] = ends.theta, ends.value, ends.gradient
            steps[which] = ends.steps
            theta[which] = self.scaling.outer(ends.theta)
            good = ends.status == "converged"
            kind[which[good]] = PROPER
            at_zero = self._below(ends.theta)
            for row in np.flatnonzero(good):
                if limits[row] and at_zero[row]:
                    kind[which[row]], reason[which[row]] = INFINITE, limits[row]
            self._failures(which, ends, reason)
            ended = which[good]
            wrong = improprieties(self.scaling.structure, inner[ended])
            for row, words in zip(ended, wrong, strict=True):
                if words and kind[row] == PROPER:
                    kind[row], reason[row] = IMPROPER, words
        lost = kind == FAILED
        theta[lost] = inner[lost] = value[lost] = np.nan
        values = solutions(self.fit.table, self.likelihood, theta, inner)
        chisq = 2 * self.fit.problem.cases * value
        return ManyFits(theta, *values, chisq, gradient, kind, reason, steps)

    def _from_estimates(self, which: np.ndarray) -> Ends:
        """Search from the point after a first step from the fit's own estimates; from the estimates
        if the discrepancy is not defined there."""
        inner = self.scaling.inner(self.warm[None])
        if any(self.likelihood.given):
            return self._search(which, np.tile(inner, (len(which), 1)))
        some = self.moments.take(which)
        ends = self._search(
            which, first_steps(self.scaling.structure, self.reduction, some, inner[0])
        )
        nowhere = np.flatnonzero(ends.status == "undefined")
        if len(nowhere):
            start = np.tile(inner, (len(nowhere), 1))
            ends.put(nowhere, self._search(which[nowhere], start))
        return ends

    def _again(self, which: np.ndarray, ends: Ends) -> None:
        """Repeat searches without an end, or with an improper one, from cold starts; then use the
        single-fit search for those still without an end."""
        words = improprieties(self.scaling.structure, ends.theta)
        suspect = (ends.status != "converged") | (np.array(words, dtype=object) != "")
        # Searches whose disturbance will be held at zero are repeated with that bound.
        suspect &= ~(self._below(ends.theta) & (ends.status == "converged"))
        self._cold(which, np.flatnonzero(suspect), ends)
        for row in np.flatnonzero((ends.status != "converged") & (ends.status != "runaway")):
            self._alone(int(which[row]), int(row), ends)

    def _cold(
        self,
        which: np.ndarray,
        rows: np.ndarray,
        ends: Ends,
        bounds: tuple[np.ndarray, np.ndarray] | None = None,
    ) -> None:
        """Search once more from cold start values; keep the better end."""
        if not len(rows):
            return
        start = np.tile(self.scaling.inner(self.cold[None]), (len(rows), 1))
        ended = (ends.status[rows] == "converged")[:, None]
        minima = np.where(ended, ends.theta[rows], np.nan)
        more = self._search(which[rows], start, bounds, (minima, ends.value[rows]))
        better = (more.status == "converged") & (
            (ends.status[rows] != "converged") | (more.value < ends.value[rows] - 1e-7)
        )
        ends.put(rows[better], more.take(better))

    def _alone(self, replicate: int, row: int, ends: Ends) -> None:
        """Fit one replicate by the single-fit search; return its end in the form of the batch."""
        parts = tuple(
            GroupSample(group.label, group.n, ours.mean[replicate], ours.cov[replicate])
            for group, ours in zip(self.fit.sample.groups, self.moments.groups, strict=True)
        )
        sample = Sample(self.fit.sample.variables, parts, self.fit.sample.has_means)
        alone = fit_alone(self.scaling.table, sample, self.fit.options, ends.theta[row])
        if alone is None:
            return
        ends.theta[row], ends.value[row] = alone.theta, alone.outcome.value
        ends.gradient[row] = alone.convergence.max_gradient
        ends.status[row] = "converged" if alone.converged else alone.convergence.status
        ends.running[row] = False
        ends.running[row, list(alone.outcome.running)] = True

    def _limits(self, which: np.ndarray, ends: Ends) -> list[str]:
        """Set freed disturbances that came out negative to zero; return which these are."""
        notes = [""] * len(which)
        freed = self.scaling.freed
        if not freed:
            return notes
        columns = np.array([one.parameter for one in freed])
        rows = np.flatnonzero(self._below(ends.theta) & (ends.status == "converged"))
        if not len(rows):
            return notes
        low, high = np.full(ends.theta.shape[1], -np.inf), np.full(ends.theta.shape[1], np.inf)
        low[columns] = 0.0
        wanted = ends.theta[rows][:, columns].copy()
        more = self._search(which[rows], ends.theta[rows], (low, high))
        more.steps += ends.steps[rows]
        ends.put(rows, more)
        self._cold(which, rows, ends, (low, high))
        several = len({one.group for one in freed}) > 1
        labels = self.fit.sample.labels
        for row, replicate in enumerate(rows):
            names = [
                one.name + (f" ({labels[one.group]})" if several else "")
                for one, size in zip(freed, wanted[row], strict=True)
                if size < _ZERO
            ]
            notes[replicate] = f"the disturbance of {', '.join(names)} wants to be negative"
        return notes

    def _below(self, theta: np.ndarray) -> np.ndarray:
        """Return True for solutions with a freed disturbance at zero or below, shape (R,)."""
        columns = [one.parameter for one in self.scaling.freed]
        return np.asarray((theta[:, columns] < _ZERO).any(axis=1))

    def _running(self, running: np.ndarray) -> str:
        """Names of parameters that run away: loadings and slopes rather than the variances that
        follow them."""
        mobile = mobile_parameters(self.fit.problem.structure)
        chosen = running & mobile if (running & mobile).any() else running
        return ", ".join(self.fit.names[k] for k in np.flatnonzero(chosen))

    def _failures(self, which: np.ndarray, ends: Ends, reason: np.ndarray) -> None:
        for row in np.flatnonzero(ends.status != "converged"):
            status = str(ends.status[row])
            if status == "runaway":
                reason[which[row]] = f"{self._running(ends.running[row])} runs to infinity"
            else:
                reason[which[row]] = STATUS_WORDS.get(status, status)


_CHUNK = 128


def standard_errors(fit: Fit, moments: Moments, theta: np.ndarray) -> np.ndarray:
    """Return standard errors, the square roots of the diagonal of the inverse expected information,
    at each solution, shape (R, n_free); NaN if a solution is not finite or the information is
    singular.

    Parameters
    ----------
    fit: fit with the model. theta: solutions, shape (R, n_free), one per sample of `moments`.
    """
    problem = fit.problem
    given = given_cells(
        problem.structure, fit.table.rows, problem.sample.variables, bool(problem.exogenous)
    )
    likelihood = ReplicateLikelihood(problem.structure, moments, given)
    reduction = problem.constraints.linear
    out = np.full(theta.shape, np.nan)
    finite = np.flatnonzero(np.isfinite(theta).all(axis=1))
    with np.errstate(all="ignore"):
        for first in range(0, len(finite), _CHUNK):
            which = finite[first : first + _CHUNK]
            parts = likelihood.parts(likelihood.at(theta[which], which), which)
            matrix = reduced(likelihood.expected(parts), reduction)
            inverse, _, good = inverted(matrix)
            if reduction.trivial:
                variance = np.diagonal(inverse, axis1=1, axis2=2)
            else:
                basis = reduction.basis
                variance = ((basis @ inverse) * basis).sum(axis=2)
            error = np.sqrt(np.where(variance > 0, variance, np.nan) / problem.cases)
            out[which] = np.where(good[:, None], error, np.nan)
    return out
