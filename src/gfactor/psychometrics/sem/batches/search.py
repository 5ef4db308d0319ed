"""Newton's method for many replicates at once, each with its own steps, damping and end.

The rules are those of `optimize.newton`: scoring while a step gains much, then the exact Hessian
(with as much of the expected one added as makes it positive definite), steps shortened until the
value falls as promised, bounds by an active set. Replicates that have ended leave the batch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gfactor.psychometrics.sem.batches.likelihood import Likelihood, Slopes, State
from gfactor.psychometrics.sem.batches.linear import cholesky, solved
from gfactor.psychometrics.sem.constraints import Reduction

_SCORING_ABOVE = 0.02
_ALMOST = 1e-9
"""After a full step of exact Newton with a smaller expected gain, the slope alone is looked at."""
_DONE_BELOW = 1e-20
_FLAT_SLOPE = 1e-9
"""Largest slope, in units of the root of the parameter's own curvature, that counts as zero."""
_FAR_GAIN = 1e-7
_NUDGE = 1e-10


@dataclass
class Ends:
    """Where searches ended: theta (R, n_free), value, largest slope along free directions, smallest
    pivot of the Hessian (a share of its diagonal), steps, status as `optimize.Outcome` has it, and
    which parameters run away (R, n_free)."""

    theta: np.ndarray
    value: np.ndarray
    slope: np.ndarray
    pivot: np.ndarray
    steps: np.ndarray
    status: np.ndarray
    running: np.ndarray

    def take(self, which: np.ndarray) -> Ends:
        """Of some replicates."""
        return Ends(*(one[which] for one in vars(self).values()))

    def put(self, which: np.ndarray, other: Ends) -> None:
        """Replaces some replicates by all of another's."""
        for name, mine in vars(self).items():
            mine[which] = getattr(other, name)


def _reduced(matrices: np.ndarray, reduction: Reduction) -> np.ndarray:
    """K' M K of lower triangles, K the basis of what linear equalities leave free."""
    if reduction.trivial:
        return matrices
    n, _, count = matrices.shape
    whole = matrices + np.where(np.tri(n, k=-1)[:, :, None] > 0, matrices, 0.0).transpose(1, 0, 2)
    basis = reduction.basis
    half = (basis.T @ whole.reshape(n, -1)).reshape(-1, n, count)
    turned = np.ascontiguousarray(half.transpose(1, 0, 2)).reshape(n, -1)
    return (basis.T @ turned).reshape(basis.shape[1], -1, count)


class _Batch:
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
        for name in ("which", "x", "low", "high", "scoring", "share", "almost", "pivot", "own"):
            value = getattr(self, name)
            if value is not None:
                setattr(self, name, value[which])

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

    def directions(
        self, slopes: Slopes, slope: np.ndarray, free: np.ndarray | None
    ) -> np.ndarray:
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
        matrix = _reduced(matrix, self.reduction)
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
        todo = np.arange(len(step))
        before = self.state.value
        x = self.x.copy()
        state: State | None = None
        todo = todo[step.any(axis=1)] if not step.any(axis=1).all() else todo
        for _ in range(30):
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
        stuck = np.zeros(len(step), dtype=bool)
        stuck[todo] = True
        if len(todo):
            x[todo] = self.x[todo]
            state.put(todo, self.state.take(todo))
        self.scoring = before - state.value > _SCORING_ABOVE
        self.share = np.where(self.share > 0.02, self.share / 9, 0.0)
        self.x, self.state = x, state
        return stuck


def search_many(
    likelihood: Likelihood,
    reduction: Reduction,
    which: np.ndarray,
    start: np.ndarray,
    scale: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray] | None = None,
    *,
    limit: int = 80,
) -> Ends:
    """The nearest minimum of each replicate.

    Parameters
    ----------
    which: numbers of the replicates, shape (R,). start: shape (R, n_free).
    scale: usual sizes of the parameters, for telling those that run away, shape (n_free,).
    bounds: lower and upper ones, shape (R, n_free) each.
    """
    count, n = start.shape
    ends = Ends(
        start.copy(), np.full(count, np.inf), np.full(count, np.inf), np.full(count, np.nan),
        np.zeros(count, dtype=int), np.full(count, "undefined", dtype=object),
        np.zeros((count, n), dtype=bool),
    )  # fmt: skip
    unit = scale[reduction.kept]
    batch = _Batch(likelihood, reduction, which, start, bounds)
    place = np.arange(count)

    def leave(mask: np.ndarray, status: str, slope: np.ndarray, steps: int) -> None:
        at = place[mask]
        ends.theta[at] = batch.theta(batch.x[mask])
        ends.value[at] = batch.state.value[mask]
        ends.slope[at] = np.abs(slope[mask]).max(axis=1, initial=0.0)
        ends.pivot[at] = batch.pivot[mask]
        ends.steps[at] = steps
        ends.status[at] = status

    alive = np.isfinite(batch.state.value)
    batch.keep(alive)
    place = place[alive]
    for steps in range(limit):
        if not len(place):
            return ends
        slopes = likelihood.slopes(batch.state, batch.which)
        slope = batch.slope(slopes)
        free = batch.free(slope)
        shown = slope if free is None else np.where(free, slope, 0.0)
        flat = batch.almost & (np.abs(shown) < _FLAT_SLOPE * np.sqrt(batch.own)).all(axis=1)
        if flat.any():
            leave(flat, "converged", shown, steps)
            batch.keep(~flat)
            place, slope, shown = place[~flat], slope[~flat], shown[~flat]
            free = None if free is None else free[~flat]
            slopes = slopes.take(~flat)
            if not len(place):
                return ends
        step = batch.directions(slopes, shown, free)
        gain = -np.einsum("rk,rk->r", slope, step) / 2
        exact = ~batch.scoring & np.isfinite(batch.pivot)
        gone = (gain < _DONE_BELOW) & exact
        far = (np.abs(batch.x) > 8 * unit) & (np.abs(step) > 0.05 * np.abs(batch.x))
        away = far.any(axis=1) & (gain < _FAR_GAIN) & ~batch.scoring & ~gone
        if gone.any():
            leave(gone, "converged", shown, steps)
        if away.any():
            leave(away, "runaway", shown, steps)
            rows, columns = np.nonzero(far & away[:, None])
            ends.running[place[rows], reduction.kept[columns]] = True
        over = gone | away
        if over.any():
            batch.keep(~over)
            place, slope, step, gain = place[~over], slope[~over], step[~over], gain[~over]
            exact = exact[~over]
            shown = shown[~over]
            if not len(place):
                return ends
        stuck = batch.advance(step, slope, gain)
        batch.almost = exact & (gain < _ALMOST) & ~stuck
        if stuck.any():
            leave(stuck, "stuck", shown, steps)
            batch.keep(~stuck)
            place = place[~stuck]
    if len(place):
        slope = batch.slope(likelihood.slopes(batch.state, batch.which))
        leave(np.ones(len(place), dtype=bool), "limit", slope, limit)
    return ends
