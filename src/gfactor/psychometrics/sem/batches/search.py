"""Newton's method for many replicates at once, each with its own steps, damping and end.

The rules are those of `optimize.newton`: scoring while a step gains much, then the exact Hessian
(with as much of the expected one added as makes it positive definite), steps shortened until the
value falls as promised, bounds by an active set. Replicates that have ended leave the batch.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gfactor.psychometrics.sem.batches.likelihood import Likelihood
from gfactor.psychometrics.sem.batches.travel import Batch
from gfactor.psychometrics.sem.constraints import Reduction

_ALMOST = 1e-10
"""After a full step of exact Newton with a smaller expected gain, the slope alone is looked at."""
_DONE_BELOW = 1e-20
_FLAT_SLOPE = 1e-11
"""Largest slope, in units of the root of the parameter's own curvature, that counts as zero."""
_FAR = 8.0
"""In usual sizes of a parameter: from here on it may be one that grows without end."""
_FAR_GAIN = 1e-7


_WIDTH = 96
"""Replicates on their way at once: their Hessians fit the second cache, numpy's calls weigh
little."""


@dataclass
class Task:
    """What is searched: numbers of replicates, shape (R,), starts (R, n_free), and lower and upper
    bounds, shape (R, n_free) each, where there are any."""

    which: np.ndarray
    start: np.ndarray
    bounds: tuple[np.ndarray, np.ndarray] | None = None


@dataclass
class Ends:
    """Where searches ended: theta (R, n_free), value, largest slope along free directions, smallest
    pivot of the Hessian (a share of its diagonal), steps, status as `optimize.Outcome` has it, and
    which parameters run away or, at the limit of steps, stand far out (R, n_free)."""

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


def _begun(start: np.ndarray) -> Ends:
    """Nothing found yet."""
    count = len(start)
    return Ends(
        theta=start.copy(),
        value=np.full(count, np.inf),
        slope=np.full(count, np.inf),
        pivot=np.full(count, np.nan),
        steps=np.zeros(count, dtype=int),
        status=np.full(count, "undefined", dtype=object),
        running=np.zeros(start.shape, dtype=bool),
    )


class _Walk:
    """The replicates on their way, those that wait, and where the others ended."""

    def __init__(self, likelihood: Likelihood, reduction: Reduction, task: Task) -> None:
        self._likelihood, self._reduction, self._task = likelihood, reduction, task
        self._begun = 0
        self.ends = _begun(task.start)
        self.batch = self._next(0)
        self.place = np.arange(0)
        self.steps = np.zeros(0, dtype=int)

    def _next(self, count: int) -> Batch:
        task, some = self._task, slice(self._begun, self._begun + count)
        self._begun += count
        bounds = None
        if task.bounds is not None:
            bounds = task.bounds[0][some], task.bounds[1][some]
        return Batch(self._likelihood, self._reduction, task.which[some], task.start[some], bounds)

    def refill(self) -> bool:
        """Takes in as many as there is room for; whether any are on their way."""
        waiting = len(self._task.which) - self._begun
        room = min(_WIDTH - len(self.place), waiting)
        if room and (room >= _WIDTH // 4 or not len(self.place) or room == waiting):
            first = self._begun
            fresh = self._next(room)
            sound = np.isfinite(fresh.state.value)
            fresh.keep(sound)
            self.place = np.concatenate([self.place, first + np.flatnonzero(sound)])
            self.steps = np.concatenate([self.steps, np.zeros(int(sound.sum()), dtype=int)])
            self.batch.take_in(fresh)
            return bool(len(self.place)) or self.refill()
        return bool(len(self.place))

    def leave(self, mask: np.ndarray, status: str, slope: np.ndarray) -> None:
        """Notes where some replicates ended."""
        at, ends, batch = self.place[mask], self.ends, self.batch
        ends.theta[at] = batch.theta(batch.x[mask])
        ends.value[at] = batch.state.value[mask]
        ends.slope[at] = np.abs(slope[mask]).max(axis=1, initial=0.0)
        ends.pivot[at] = batch.pivot[mask]
        ends.steps[at] = self.steps[mask]
        ends.status[at] = status

    def drop(self, mask: np.ndarray) -> None:
        """Goes on without them."""
        self.batch.keep(~mask)
        self.place, self.steps = self.place[~mask], self.steps[~mask]


def search_many(
    likelihood: Likelihood,
    reduction: Reduction,
    task: Task,
    scale: np.ndarray,
    *,
    limit: int = 70,
) -> Ends:
    """The nearest minimum of each replicate; where one has ended, the next takes its place.

    Parameters
    ----------
    scale: usual sizes of the parameters, for telling those that run away, shape (n_free,).
    limit: most steps of a replicate. One that is still on its way then and stands far out counts
        as one that runs away.
    """
    unit = scale[reduction.kept]
    walk = _Walk(likelihood, reduction, task)
    batch = walk.batch
    while walk.refill():
        slopes = likelihood.slopes(batch.state, batch.which)
        slope = batch.slope(slopes)
        free = batch.free(slope)
        shown = _loose(slope, free)
        over = _arrived(walk, unit, shown, limit)
        if over.any():
            walk.drop(over)
            slope, shown, slopes = slope[~over], shown[~over], slopes.take(~over)
            free = None if free is None else free[~over]
            if not len(walk.place):
                continue
        step = batch.directions(slopes, shown, free)
        gain = -np.einsum("rk,rk->r", slope, step) / 2
        over = _finished(walk, unit, shown, step, gain)
        if over.any():
            walk.drop(over)
            slope, shown, step, gain = slope[~over], shown[~over], step[~over], gain[~over]
            if not len(walk.place):
                continue
        exact = ~batch.scoring & np.isfinite(batch.pivot)
        stuck = batch.advance(step, slope, gain)
        batch.almost = exact & (gain < _ALMOST) & ~stuck
        walk.steps += 1
        if stuck.any():
            walk.leave(stuck, "stuck", shown)
            walk.drop(stuck)
    return walk.ends


def _arrived(walk: _Walk, unit: np.ndarray, slope: np.ndarray, limit: int) -> np.ndarray:
    """Notes those whose slope is zero after a last small step, and those with no steps left."""
    batch = walk.batch
    flat = batch.almost & (np.abs(slope) < _FLAT_SLOPE * np.sqrt(batch.own)).all(axis=1)
    late = (walk.steps >= limit) & ~flat
    if flat.any():
        walk.leave(flat, "converged", slope)
    if late.any():
        far = np.asarray((np.abs(batch.x) > _FAR * unit) & late[:, None])
        walk.leave(late, "limit", slope)
        walk.leave(np.any(far, axis=1), "runaway", slope)
        _run(walk, far)
    return flat | late


def _run(walk: _Walk, far: np.ndarray) -> None:
    rows, columns = np.nonzero(far)
    walk.ends.running[walk.place[rows], walk.batch.reduction.kept[columns]] = True


def _loose(slope: np.ndarray, free: np.ndarray | None) -> np.ndarray:
    """The slope along what bounds do not hold."""
    return slope if free is None else np.where(free, slope, 0.0)


def _finished(
    walk: _Walk,
    unit: np.ndarray,
    slope: np.ndarray,
    step: np.ndarray,
    gain: np.ndarray,
) -> np.ndarray:
    """Notes the ends of those that have nothing more to gain, or gain nothing while a parameter
    grows; says which."""
    batch = walk.batch
    gone = (gain < _DONE_BELOW) & ~batch.scoring & np.isfinite(batch.pivot)
    far = (np.abs(batch.x) > _FAR * unit) & (np.abs(step) > 0.05 * np.abs(batch.x))
    away = far.any(axis=1) & (gain < _FAR_GAIN) & ~batch.scoring & ~gone
    if gone.any():
        walk.leave(gone, "converged", slope)
    if away.any():
        walk.leave(away, "runaway", slope)
        _run(walk, far & away[:, None])
    return gone | away
