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


def joined_ends(parts: list[Ends]) -> Ends:
    """All parts in one."""
    names = list(vars(parts[0]))
    return Ends(**{name: np.concatenate([getattr(one, name) for one in parts]) for name in names})


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
    """A batch, where its replicates stand among the ends, and those ends."""

    def __init__(self, batch: Batch, start: np.ndarray) -> None:
        self.batch = batch
        self.ends = _begun(start)
        self.place = np.arange(len(start))
        self.drop(~np.isfinite(batch.state.value))

    def leave(self, mask: np.ndarray, status: str, slope: np.ndarray, steps: int) -> None:
        """Notes where some replicates ended."""
        at, ends, batch = self.place[mask], self.ends, self.batch
        ends.theta[at] = batch.theta(batch.x[mask])
        ends.value[at] = batch.state.value[mask]
        ends.slope[at] = np.abs(slope[mask]).max(axis=1, initial=0.0)
        ends.pivot[at] = batch.pivot[mask]
        ends.steps[at] = steps
        ends.status[at] = status

    def drop(self, mask: np.ndarray) -> None:
        """Goes on without them."""
        self.batch.keep(~mask)
        self.place = self.place[~mask]


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
    unit = scale[reduction.kept]
    walk = _Walk(Batch(likelihood, reduction, which, start, bounds), start)
    batch = walk.batch
    for steps in range(limit):
        if not len(walk.place):
            return walk.ends
        slopes = likelihood.slopes(batch.state, batch.which)
        slope = batch.slope(slopes)
        free = batch.free(slope)
        flat = batch.almost & (np.abs(_loose(slope, free)) < _FLAT_SLOPE * np.sqrt(batch.own)).all(
            axis=1
        )
        if flat.any():
            walk.leave(flat, "converged", _loose(slope, free), steps)
            walk.drop(flat)
            slope, slopes = slope[~flat], slopes.take(~flat)
            free = None if free is None else free[~flat]
            if not len(walk.place):
                return walk.ends
        shown = _loose(slope, free)
        step = batch.directions(slopes, shown, free)
        gain = -np.einsum("rk,rk->r", slope, step) / 2
        over = _finished(walk, unit, shown, step, gain, steps)
        if over.any():
            walk.drop(over)
            slope, shown, step, gain = slope[~over], shown[~over], step[~over], gain[~over]
            if not len(walk.place):
                return walk.ends
        exact = ~batch.scoring & np.isfinite(batch.pivot)
        stuck = batch.advance(step, slope, gain)
        batch.almost = exact & (gain < _ALMOST) & ~stuck
        if stuck.any():
            walk.leave(stuck, "stuck", shown, steps)
            walk.drop(stuck)
    if len(walk.place):
        slope = batch.slope(likelihood.slopes(batch.state, batch.which))
        slope = _loose(slope, batch.free(slope))
        walk.leave(np.ones(len(slope), dtype=bool), "limit", slope, limit)
        far = np.abs(batch.x) > _FAR * unit
        rows, columns = np.nonzero(far)
        walk.ends.running[walk.place[rows], reduction.kept[columns]] = True
    return walk.ends


def _loose(slope: np.ndarray, free: np.ndarray | None) -> np.ndarray:
    """The slope along what bounds do not hold."""
    return slope if free is None else np.where(free, slope, 0.0)


def _finished(
    walk: _Walk,
    unit: np.ndarray,
    slope: np.ndarray,
    step: np.ndarray,
    gain: np.ndarray,
    steps: int,
) -> np.ndarray:
    """Notes the ends of those that have nothing more to gain, or gain nothing while a parameter
    grows; says which."""
    batch = walk.batch
    gone = (gain < _DONE_BELOW) & ~batch.scoring & np.isfinite(batch.pivot)
    far = (np.abs(batch.x) > _FAR * unit) & (np.abs(step) > 0.05 * np.abs(batch.x))
    away = far.any(axis=1) & (gain < _FAR_GAIN) & ~batch.scoring & ~gone
    if gone.any():
        walk.leave(gone, "converged", slope, steps)
    if away.any():
        walk.leave(away, "runaway", slope, steps)
        rows, columns = np.nonzero(far & away[:, None])
        walk.ends.running[walk.place[rows], batch.reduction.kept[columns]] = True
    return gone | away
