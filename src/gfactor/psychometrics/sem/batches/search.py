"""Newton's method for many replicates at once, each with its own steps, damping and end.

The rules are those of `optimize.newton`: scoring while a step gains much, then the exact Hessian
(with as much of the expected one added as makes it positive definite), steps shortened until the
value falls as promised, bounds by an active set. Replicates that have ended leave the batch.
"""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.batches.batch import Ends, Task, Walk
from gfactor.psychometrics.sem.batches.likelihood import Likelihood
from gfactor.psychometrics.sem.constraints import Reduction
from gfactor.psychometrics.sem.optimize import minimise

_ALMOST = 1e-10
"""After a full step of exact Newton with a smaller expected gain, the slope alone is looked at."""
_DONE_BELOW = 1e-20
_FLAT_SLOPE = 1e-11
"""Largest slope, in units of the root of the parameter's own curvature, that counts as zero."""
_FAR = 8.0
"""In usual sizes of a parameter: from here on it may be one that grows without end."""
_FAR_GAIN = 1e-7
_NEAR = 0.1
"""In usual sizes of all parameters: two minima of the same value are not this close."""
_FEW = 3
"""So many stragglers are faster one by one than as a batch."""


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
    walk = Walk(likelihood, reduction, task)
    batch = walk.batch
    while walk.refill():
        if len(walk.place) <= _FEW and not walk.waiting and not any(likelihood.given):
            _one_by_one(walk, likelihood, scale, limit)
            break
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


def _one_by_one(walk: Walk, likelihood: Likelihood, scale: np.ndarray, limit: int) -> None:
    """Brings the last few to their ends by the single search, whose rules are the same."""
    batch, ends, kept = walk.batch, walk.ends, walk.batch.reduction.kept
    for k, place in enumerate(walk.place):
        part = slice(k, k + 1)
        single = likelihood.alone(int(batch.which[k]))
        low, high = (_sides(batch.low, k, kept, scale), _sides(batch.high, k, kept, scale))
        outcome = minimise(
            single,
            batch.reduction,
            batch.theta(batch.x[part])[0],
            scale,
            lower=low,
            upper=high,
            limit=limit - int(walk.steps[k]),
        )
        theta = outcome.point.theta
        batch.x[k] = theta[kept]
        slope = batch.reduction.vector(single.gradient(outcome.point))[None]
        ends.theta[place], ends.value[place] = theta, outcome.value
        ends.slope[place] = np.abs(_loose(slope, batch.free(slope, part))).max(initial=0.0)
        ends.steps[place] = walk.steps[k] + outcome.iterations
        far = np.abs(batch.x[k]) > _FAR * scale[kept]
        gone = outcome.status == "runaway" or (outcome.status == "limit" and far.any())
        ends.status[place] = "runaway" if gone else outcome.status
        ends.running[place, kept[far]] = gone


def _sides(
    side: np.ndarray | None, k: int, kept: np.ndarray, scale: np.ndarray
) -> np.ndarray | None:
    """A replicate's bounds as bounds of all parameters, of which only those kept are looked at."""
    if side is None:
        return None
    out = np.zeros(len(scale))
    out[kept] = side[k]
    return out


def _arrived(walk: Walk, unit: np.ndarray, slope: np.ndarray, limit: int) -> np.ndarray:
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


def _run(walk: Walk, far: np.ndarray) -> None:
    rows, columns = np.nonzero(far)
    walk.ends.running[walk.place[rows], walk.batch.reduction.kept[columns]] = True


def _loose(slope: np.ndarray, free: np.ndarray | None) -> np.ndarray:
    """The slope along what bounds do not hold."""
    return slope if free is None else np.where(free, slope, 0.0)


def _finished(
    walk: Walk,
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
    back = _returned(walk, unit, gain) & ~gone & ~away
    if back.any():
        walk.leave(back, "known", slope)
    if gone.any():
        walk.leave(gone, "converged", slope)
    if away.any():
        walk.leave(away, "runaway", slope)
        _run(walk, far & away[:, None])
    return gone | away | back


def _returned(walk: Walk, unit: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """Which replicates are about to end where they have been before: near a known minimum, at a
    point that is convex as well and promises the same value."""
    batch = walk.batch
    if walk.known is None:
        return np.zeros(len(walk.place), dtype=bool)
    apart = np.abs(batch.x - walk.known[walk.place])
    ahead = batch.state.value - gain - walk.known_value[walk.place]
    same = np.abs(ahead) < 0.2 * np.abs(gain) + 1e-9
    return same & np.isfinite(batch.pivot) & (apart < _NEAR * unit).all(axis=1)
