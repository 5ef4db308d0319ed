"""The replicates of a batch on their way: directions, steps, damping."""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.batches.likelihood import Likelihood, Slopes
from gfactor.psychometrics.sem.batches.linear import cholesky, solved
from gfactor.psychometrics.sem.constraints import Reduction

_SCORING_ABOVE = 0.02
"""While a step gains more, the expected Hessian is used (as `optimize.newton` does)."""
_NUDGE = 1e-10
_OWN = ("which", "x", "low", "high", "scoring", "share", "almost", "pivot", "own")


def mirrored(matrices: np.ndarray) -> np.ndarray:
    """Whole matrices from lower triangles."""
    below = np.tri(len(matrices), k=-1)[:, :, None] > 0
    return matrices + np.where(below, matrices, 0.0).transpose(1, 0, 2)


def reduced(matrices: np.ndarray, reduction: Reduction) -> np.ndarray:
    """K' M K of lower triangles, K the basis of what linear equalities leave free."""
    if reduction.trivial:
        return matrices
    n, _, count = matrices.shape
    basis = reduction.basis
    half = (basis.T @ mirrored(matrices).reshape(n, -1)).reshape(-1, n, count)
    turned = np.ascontiguousarray(half.transpose(1, 0, 2)).reshape(n, -1)
    return (basis.T @ turned).reshape(basis.shape[1], -1, count)


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
        if self.reduction.trivial:
            return full.T.copy()
        return (self.reduction.basis.T @ full).T.copy()

    def free(self, slope: np.ndarray) -> np.ndarray | None:
        """Which coordinates may move: not those that a bound holds."""
        if self.low is None or self.high is None:
            return None
        return ~(((self.x <= self.low) & (slope > 0)) | ((self.x >= self.high) & (slope < 0)))

    def directions(self, slopes: Slopes, slope: np.ndarray, free: np.ndarray | None) -> np.ndarray:
        """Steps of shape (R, k); zero where none could be computed."""
        step = np.zeros_like(slope)
        self.pivot[:] = np.nan
        plain = self.scoring
        if plain.any():
            self._solve(slopes, slope, free, np.flatnonzero(plain), step, exact=False)
        if not plain.all():
            left = np.flatnonzero(~plain)
            left = self._solve(slopes, slope, free, left, step, exact=True)
            for _ in range(16):
                if not len(left):
                    break
                self.share[left] = np.maximum(3 * self.share[left], 0.03)
                left = self._solve(slopes, slope, free, left, step, exact=True)
        return step

    def _solve(
        self,
        slopes: Slopes,
        slope: np.ndarray,
        free: np.ndarray | None,
        mine: np.ndarray,
        step: np.ndarray,
        *,
        exact: bool,
    ) -> np.ndarray:
        """Fills in steps of the replicates `mine`; returns those whose matrix is not positive."""
        some = slopes if len(mine) == len(slope) else slopes.take(mine)
        share = self.share[mine]
        if exact:
            matrix = self.likelihood.hessian(some)
            if share.any():
                matrix += share * self.likelihood.expected(some)
        else:
            matrix = self.likelihood.expected(some)
        matrix = reduced(matrix, self.reduction)
        places = np.arange(matrix.shape[0])
        if not exact:
            own = matrix[places, places]
            matrix[places, places] += _NUDGE * np.maximum(own, 1e-6 * own.max(axis=0))
        right = -slope[mine].T
        if free is not None:
            loose = free[mine].T
            matrix *= loose[:, None] & loose
            matrix[places, places] += ~loose
            right = np.where(loose, right, 0.0)
        own = matrix[places, places].T
        roots, pivot = cholesky(matrix)
        good = pivot > 0
        found = solved(roots, right).T
        ready = mine[good]
        step[ready] = found[good]
        self.own[ready] = own[good]
        self.pivot[ready] = np.where(exact & (share == 0), pivot, np.nan)[good]
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
