"""The replicates of a batch on their way: directions, steps, damping."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.batches.derivatives import Slopes
from gfactor.psychometrics.sem.batches.likelihood import Likelihood
from gfactor.psychometrics.sem.batches.linear import solved
from gfactor.psychometrics.sem.constraints import Reduction

_SCORING_ABOVE = 0.02
"""While a step gains more, the expected Hessian is used (as `optimize.newton` does)."""
_NUDGE = 1e-10
_OWN = ("which", "x", "low", "high", "scoring", "share", "almost", "pivot", "own")


def reduced(matrices: np.ndarray, reduction: Reduction) -> np.ndarray:
    """K' M K of lower triangles M, shape (R, n, n); K the basis of what linear equalities leave
    free."""
    if reduction.trivial:
        return matrices
    whole = matrices + np.tril(matrices, -1).mT
    return np.ascontiguousarray(reduction.basis.T @ whole @ reduction.basis)


class Batch:
    """The replicates still on their way."""

    def __init__(
        self,
        likelihood: Likelihood,
        reduction: Reduction,
        which: np.ndarray,
        start: np.ndarray,
        bounds: tuple[np.ndarray, np.ndarray] | None,
    ) -> None:
        self.likelihood = likelihood
        self.reduction = reduction
        self.which = which
        self.x = start[:, reduction.kept]
        self.low = self.high = None
        if bounds is not None:
            self.low, self.high = (side[:, reduction.kept] for side in bounds)
            self.x = np.clip(self.x, self.low, self.high)
        self.state = likelihood.at(self.theta(self.x), which)
        count = len(which)
        self.scoring = np.ones(count, dtype=bool)
        self.share = np.zeros(count)
        self.almost = np.zeros(count, dtype=bool)
        self.pivot = np.full(count, np.nan)
        self.own = np.ones((count, len(reduction.kept)))

    def theta(self, x: np.ndarray) -> np.ndarray:
        if self.reduction.trivial:
            return x
        return self.reduction.offset + x @ self.reduction.basis.T

    def keep(self, mask: np.ndarray) -> None:
        """Drops all others."""
        if mask.all():
            return
        which = np.flatnonzero(mask)
        self.state = self.state.take(which)
        for name in _OWN:
            value = getattr(self, name)
            if value is not None:
                setattr(self, name, value[which])

    def take_in(self, other: Batch) -> None:
        """Adds replicates."""
        self.state = self.state.joined(other.state)
        for name in _OWN:
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine is not None:
                setattr(self, name, np.concatenate([mine, theirs]))

    def slope(self, slopes: Slopes) -> np.ndarray:
        """Shape (R, k)."""
        full = self.likelihood.gradient(slopes)
        return full if self.reduction.trivial else full @ self.reduction.basis

    def free(self, slope: np.ndarray, part: slice = slice(None)) -> np.ndarray | None:
        """Which coordinates may move (of some replicates): not those that a bound holds."""
        if self.low is None or self.high is None:
            return None
        x, low, high = self.x[part], self.low[part], self.high[part]
        return ~(((x <= low) & (slope > 0)) | ((x >= high) & (slope < 0)))

    def directions(self, slopes: Slopes, slope: np.ndarray, free: np.ndarray | None) -> np.ndarray:
        """Steps of shape (R, k); zero where none could be computed."""
        step = np.zeros_like(slope)
        self.pivot[:] = np.nan
        right = -slope
        mine = np.flatnonzero(self.scoring)
        if len(mine):
            self._solve(mine, self._matrices(slopes, mine, exact=False), right, free, step)
        mine = np.flatnonzero(~self.scoring)
        if len(mine):
            left = self._solve(mine, self._damped(slopes, mine), right, free, step)
            self._insist(slopes, left, right, free, step)
        return step

    def _matrices(self, slopes: Slopes, mine: np.ndarray, *, exact: bool) -> np.ndarray:
        """Of the replicates `mine`, what the step is solved with, without damping."""
        some = slopes if len(mine) == len(self.which) else slopes.take(mine)
        if exact:
            return reduced(self.likelihood.hessian(some), self.reduction)
        matrix = reduced(self.likelihood.expected(some), self.reduction)
        places = np.arange(matrix.shape[1])
        own = matrix[:, places, places]
        least = 1e-6 * own.max(axis=1, keepdims=True, initial=0.0)
        matrix[:, places, places] += _NUDGE * np.maximum(own, least)
        return matrix

    def _damped(self, slopes: Slopes, mine: np.ndarray) -> np.ndarray:
        """Hessians, with as much of the expected ones as they needed last time."""
        matrix = self._matrices(slopes, mine, exact=True)
        places = np.flatnonzero(self.share[mine])
        if len(places):
            model = self._matrices(slopes, mine[places], exact=False)
            matrix[places] += self.share[mine[places], None, None] * model
        return matrix

    def _insist(
        self,
        slopes: Slopes,
        left: np.ndarray,
        right: np.ndarray,
        free: np.ndarray | None,
        step: np.ndarray,
    ) -> None:
        """Adds more and more of the expected Hessian until the sum is positive definite."""
        if not len(left):
            return
        bent = self._matrices(slopes, left, exact=True)
        model = self._matrices(slopes, left, exact=False)
        for _ in range(16):
            self.share[left] = np.maximum(3 * self.share[left], 0.03)
            trial = bent + self.share[left, None, None] * model
            still = np.isin(left, self._solve(left, trial, right, free, step))
            if not still.any():
                break
            left, bent, model = left[still], bent[still], model[still]

    def _solve(
        self,
        mine: np.ndarray,
        matrix: np.ndarray,
        right: np.ndarray,
        free: np.ndarray | None,
        step: np.ndarray,
    ) -> np.ndarray:
        """Fills in steps of the replicates `mine` and overwrites their matrices; returns those
        whose matrix is not positive definite."""
        places = np.arange(matrix.shape[1])
        wanted = right[mine]
        if free is not None:
            loose = free[mine]
            matrix *= loose[:, :, None] & loose[:, None]
            matrix[:, places, places] += ~loose
            wanted = np.where(loose, wanted, 0.0)
        own = matrix[:, places, places]
        found, pivot = solved(matrix, wanted)
        good = pivot > 0
        ready = mine[good]
        step[ready] = found[good]
        self.own[ready] = own[good]
        # Only the pivots of Hessians as they are say anything about a minimum.
        bare = ~self.scoring[ready] & (self.share[ready] == 0)
        self.pivot[ready] = np.where(bare, pivot[good], np.nan)
        return mine[~good]

    def advance(self, step: np.ndarray, slope: np.ndarray, gain: np.ndarray) -> np.ndarray:
        """Moves all, shortening steps where needed; returns who could not move."""
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
            promised = -np.einsum("rk,rk->r", slope[todo], trial - self.x[todo])
            fell = there.value <= before[todo] - 1e-4 * promised
            fell |= (gain[todo] < 1e-13) & np.isfinite(there.value)
            if state is None:
                state = there
                x = trial
            elif fell.any():
                state.put(todo[fell], there.take(np.flatnonzero(fell)))
                x[todo[fell]] = trial[fell]
            known = np.isfinite(there.value) & (promised > 0)
            bend = np.where(known, 2 * (there.value - before[todo] + promised), 1.0)
            better = np.where(bend > 0, promised / np.where(bend > 0, bend, 1.0), 0.1)
            length[todo] *= np.where(known, np.clip(better, 0.1, 0.5), 0.3)
            todo = todo[~fell]
            if not len(todo):
                break
        assert state is not None
        stuck = np.array(idle)
        stuck[todo] = True
        if len(todo):
            x[todo] = self.x[todo]
            state.put(todo, self.state.take(todo))
        self.scoring = before - state.value > _SCORING_ABOVE
        self.share = np.where(self.share > 0.02, self.share / 9, 0.0)
        self.x, self.state = x, state
        return stuck
