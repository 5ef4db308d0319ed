"""The replicates of a batch in progress, those that wait, and the results of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.sem.batches.derivatives import DerivativeParts
from gfactor.psychometrics.sem.batches.likelihood import ReplicateLikelihood, State
from gfactor.psychometrics.sem.batches.moments import solved
from gfactor.psychometrics.sem.constraints import Reduction
from gfactor.psychometrics.sem.optimize import SCORING_ABOVE

_NUDGE = 1e-10
_FIELDS = ("which", "x", "low", "high", "scoring", "share", "almost", "pivot", "diagonal")


def reduced(matrices: np.ndarray, reduction: Reduction) -> np.ndarray:
    """Return K' M K for lower triangles M, shape (R, n, n), where K is the basis of the directions
    that linear equalities leave free."""
    if reduction.trivial:
        return matrices
    whole = matrices + np.tril(matrices, -1).mT
    return np.ascontiguousarray(reduction.basis.T @ whole @ reduction.basis)


class OpenReplicates:
    """The replicates whose search is in progress."""

    def __init__(
        self,
        likelihood: ReplicateLikelihood,
        reduction: Reduction,
        which: np.ndarray,
        start: np.ndarray,
        bounds: tuple[np.ndarray, np.ndarray] | None,
    ) -> None:
        self.likelihood = likelihood
        self.reduction = reduction
        self.which = which
        self.x: np.ndarray = start[:, reduction.kept]
        self.low: np.ndarray | None = None
        self.high: np.ndarray | None = None
        if bounds is not None:
            self.low, self.high = (side[:, reduction.kept] for side in bounds)
            self.x = np.clip(self.x, self.low, self.high)
        self.state: State = likelihood.at(self.theta(self.x), which)
        count = len(which)
        self.scoring: np.ndarray = np.ones(count, dtype=bool)
        self.share: np.ndarray = np.zeros(count)
        self.almost: np.ndarray = np.zeros(count, dtype=bool)
        self.pivot: np.ndarray = np.full(count, np.nan)
        self.diagonal: np.ndarray = np.ones((count, len(reduction.kept)))

    def theta(self, x: np.ndarray) -> np.ndarray:
        if self.reduction.trivial:
            return x
        return self.reduction.offset + x @ self.reduction.basis.T

    def keep(self, mask: np.ndarray) -> None:
        """Keep some replicates and remove all others."""
        if mask.all():
            return
        which = np.flatnonzero(mask)
        self.state = self.state.take(which)
        for name in _FIELDS:
            value = getattr(self, name)
            if value is not None:
                setattr(self, name, value[which])

    def take_in(self, other: OpenReplicates) -> None:
        """Add replicates."""
        self.state = self.state.joined(other.state)
        for name in _FIELDS:
            ours, theirs = getattr(self, name), getattr(other, name)
            if ours is not None:
                setattr(self, name, np.concatenate([ours, theirs]))

    def gradient(self, parts: DerivativeParts) -> np.ndarray:
        """Shape (R, k)."""
        full = self.likelihood.gradient(parts)
        return full if self.reduction.trivial else full @ self.reduction.basis

    def free(self, gradient: np.ndarray, part: slice = slice(None)) -> np.ndarray | None:
        """Return True for coordinates (of some replicates) that no bound holds."""
        if self.low is None or self.high is None:
            return None
        x, low, high = self.x[part], self.low[part], self.high[part]
        return ~(((x <= low) & (gradient > 0)) | ((x >= high) & (gradient < 0)))

    def directions(
        self, parts: DerivativeParts, gradient: np.ndarray, free: np.ndarray | None
    ) -> np.ndarray:
        """Return steps of shape (R, k); zero if none could be computed."""
        step = np.zeros_like(gradient)
        self.pivot[:] = np.nan
        right = -gradient
        rows = np.flatnonzero(self.scoring)
        if len(rows):
            self._solve(rows, self._matrices(parts, rows, exact=False), right, free, step)
        rows = np.flatnonzero(~self.scoring)
        if len(rows):
            left = self._solve(rows, self._damped(parts, rows), right, free, step)
            self._insist(parts, left, right, free, step)
        return step

    def _matrices(self, parts: DerivativeParts, rows: np.ndarray, *, exact: bool) -> np.ndarray:
        """Return the matrices of the replicates `rows` for solving the step, without damping."""
        some = parts if len(rows) == len(self.which) else parts.take(rows)
        if exact:
            return reduced(self.likelihood.hessian(some), self.reduction)
        matrix = reduced(self.likelihood.expected(some), self.reduction)
        diagonal = np.arange(matrix.shape[1])
        squares = matrix[:, diagonal, diagonal]
        least = 1e-6 * squares.max(axis=1, keepdims=True, initial=0.0)
        matrix[:, diagonal, diagonal] += _NUDGE * np.maximum(squares, least)
        return matrix

    def _damped(self, parts: DerivativeParts, rows: np.ndarray) -> np.ndarray:
        """Hessians, with as much of the expected ones added as they needed last time."""
        matrix = self._matrices(parts, rows, exact=True)
        shared = np.flatnonzero(self.share[rows])
        if len(shared):
            model = self._matrices(parts, rows[shared], exact=False)
            matrix[shared] += self.share[rows[shared], None, None] * model
        return matrix

    def _insist(
        self,
        parts: DerivativeParts,
        left: np.ndarray,
        right: np.ndarray,
        free: np.ndarray | None,
        step: np.ndarray,
    ) -> None:
        """Add more and more of the expected Hessian until the sum is positive definite."""
        if not len(left):
            return
        bent = self._matrices(parts, left, exact=True)
        model = self._matrices(parts, left, exact=False)
        for _ in range(16):
            self.share[left] = np.maximum(3 * self.share[left], 0.03)
            trial = bent + self.share[left, None, None] * model
            still = np.isin(left, self._solve(left, trial, right, free, step))
            if not still.any():
                break
            left, bent, model = left[still], bent[still], model[still]

    def _solve(
        self,
        rows: np.ndarray,
        matrix: np.ndarray,
        right: np.ndarray,
        free: np.ndarray | None,
        step: np.ndarray,
    ) -> np.ndarray:
        """Fill in the steps of the replicates `rows`, overwriting their matrices; return those
        whose matrix is not positive definite."""
        diagonal = np.arange(matrix.shape[1])
        wanted = right[rows]
        if free is not None:
            loose = free[rows]
            matrix *= loose[:, :, None] & loose[:, None]
            matrix[:, diagonal, diagonal] += ~loose
            wanted = np.where(loose, wanted, 0.0)
        squares = matrix[:, diagonal, diagonal]
        steps, pivot = solved(matrix, wanted)
        good = pivot > 0
        ready = rows[good]
        step[ready] = steps[good]
        self.diagonal[ready] = squares[good]
        # Only the pivots of Hessians with nothing added show a minimum.
        bare = ~self.scoring[ready] & (self.share[ready] == 0)
        self.pivot[ready] = np.where(bare, pivot[good], np.nan)
        return rows[~good]

    def advance(self, step: np.ndarray, gradient: np.ndarray, gain: np.ndarray) -> np.ndarray:
        """Move all replicates, with shorter steps where needed; return those that could not
        move."""
        length = np.ones(len(step))
        idle = np.asarray(~step.any(axis=1))
        todo = np.flatnonzero(~idle)
        before = self.state.value
        x = self.x.copy()
        state = self.state.take(np.arange(len(step))) if idle.any() else None
        for _ in range(30 if len(todo) else 0):
            trial = self.x[todo] + length[todo, None] * step[todo]
            if self.low is not None and self.high is not None:
                trial = np.clip(trial, self.low[todo], self.high[todo])
            there = self.likelihood.at(self.theta(trial), self.which[todo])
            promised = -einsum("rk,rk->r", gradient[todo], trial - self.x[todo])
            fell = there.value <= before[todo] - 1e-4 * promised
            fell |= (gain[todo] < 1e-13) & np.isfinite(there.value)
            if state is None:
                state = there
                x = trial
            elif fell.any():
                state.put(todo[fell], there.take(np.flatnonzero(fell)))
                x[todo[fell]] = trial[fell]
            usable = np.isfinite(there.value) & (promised > 0)
            bend = np.where(usable, 2 * (there.value - before[todo] + promised), 1.0)
            better = np.where(bend > 0, promised / np.where(bend > 0, bend, 1.0), 0.1)
            length[todo] *= np.where(usable, np.clip(better, 0.1, 0.5), 0.3)
            todo = todo[~fell]
            if not len(todo):
                break
        assert state is not None
        stuck = np.array(idle)
        stuck[todo] = True
        if len(todo):
            x[todo] = self.x[todo]
            state.put(todo, self.state.take(todo))
        self.scoring = before - state.value > SCORING_ABOVE
        self.share = np.where(self.share > 0.02, self.share / 9, 0.0)
        self.x, self.state = x, state
        return stuck


_WIDTH = 256
"""Number of replicates in progress at once: enough to make numpy's calls cheap, and few enough for
their matrices to stay in the cache."""


@dataclass
class SearchTask:
    """Task of a search: numbers of replicates, shape (R,), starts (R, n_free), lower and upper
    bounds, shape (R, n_free) each, if there are any; and minima from earlier searches, (R, n_free),
    with their values, NaN for none. A search that comes near its earlier minimum ends as "known".
    """

    which: np.ndarray
    start: np.ndarray
    bounds: tuple[np.ndarray, np.ndarray] | None = None
    minima: tuple[np.ndarray, np.ndarray] | None = None


@dataclass
class Ends:
    """Ends of searches: theta (R, n_free), value, largest gradient along free directions, steps,
    status as in `optimize.Outcome`, and the parameters (R, n_free) that diverge or, at the limit of
    steps, have extreme values.
    """

    theta: np.ndarray
    value: np.ndarray
    gradient: np.ndarray
    steps: np.ndarray
    status: np.ndarray
    running: np.ndarray

    def take(self, which: np.ndarray) -> Ends:
        """Return the ends of some replicates."""
        return Ends(*(one[which] for one in vars(self).values()))

    def put(self, which: np.ndarray, other: Ends) -> None:
        """Replace some replicates by all replicates of another `Ends`."""
        for name, values in vars(self).items():
            values[which] = getattr(other, name)


def _begun(start: np.ndarray) -> Ends:
    """Return ends of searches that have not begun."""
    count = len(start)
    return Ends(
        theta=start.copy(),
        value=np.full(count, np.inf),
        gradient=np.full(count, np.inf),
        steps=np.zeros(count, dtype=int),
        status=np.full(count, "undefined", dtype=object),
        running=np.zeros(start.shape, dtype=bool),
    )


class Queue:
    """The replicates in progress, those that wait, and the results of the others."""

    def __init__(
        self, likelihood: ReplicateLikelihood, reduction: Reduction, task: SearchTask
    ) -> None:
        self._likelihood, self._reduction, self._task = likelihood, reduction, task
        self._begun = 0
        self.ends = _begun(task.start)
        self.batch = self._next(0)
        self.row: np.ndarray = np.arange(0)
        self.steps: np.ndarray = np.zeros(0, dtype=int)
        self.minima, self.minima_value = None, np.zeros(0)
        if task.minima is not None:
            self.minima, self.minima_value = task.minima[0][:, reduction.kept], task.minima[1]

    def _next(self, count: int) -> OpenReplicates:
        task, some = self._task, slice(self._begun, self._begun + count)
        self._begun += count
        bounds = None
        if task.bounds is not None:
            bounds = task.bounds[0][some], task.bounds[1][some]
        return OpenReplicates(
            self._likelihood, self._reduction, task.which[some], task.start[some], bounds
        )

    def refill(self) -> bool:
        """Start as many fits as there is room for; return True if any are in progress."""
        waiting = len(self._task.which) - self._begun
        room = min(_WIDTH - len(self.row), waiting)
        if room and (room >= _WIDTH // 4 or not len(self.row) or room == waiting):
            first = self._begun
            fresh = self._next(room)
            sound = np.isfinite(fresh.state.value)
            fresh.keep(sound)
            self.row = np.concatenate([self.row, first + np.flatnonzero(sound)])
            self.steps = np.concatenate([self.steps, np.zeros(int(sound.sum()), dtype=int)])
            self.batch.take_in(fresh)
            return bool(len(self.row)) or self.refill()
        return bool(len(self.row))

    @property
    def waiting(self) -> bool:
        """Return True if any searches have not begun."""
        return self._begun < len(self._task.which)

    def leave(self, mask: np.ndarray, status: str, gradient: np.ndarray) -> None:
        """Store the results of some replicates."""
        at, ends, batch = self.row[mask], self.ends, self.batch
        ends.theta[at] = batch.theta(batch.x[mask])
        ends.value[at] = batch.state.value[mask]
        ends.gradient[at] = np.abs(gradient[mask]).max(axis=1, initial=0.0)
        ends.steps[at] = self.steps[mask]
        ends.status[at] = status

    def drop(self, mask: np.ndarray) -> None:
        """Continue without these replicates."""
        self.batch.keep(~mask)
        self.row, self.steps = self.row[~mask], self.steps[~mask]
