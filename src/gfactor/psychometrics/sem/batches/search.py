"""Newton's method for many replicates at once, each with its own steps, damping and end.

The rules are those of `optimize.newton`: scoring while a step gains much, then the exact Hessian
(with as much of the expected one added as makes it positive definite), steps shortened until the
value falls as promised, bounds by an active set. Replicates that have ended leave the batch.
"""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.float_arrays import einsum
from gfactor.psychometrics.sem.batches.batch import Ends, Queue, SearchTask
from gfactor.psychometrics.sem.batches.likelihood import ReplicateLikelihood
from gfactor.psychometrics.sem.constraints import Reduction
from gfactor.psychometrics.sem.optimize import minimise

_ALMOST = 1e-10
"""After a full step of exact Newton with a smaller expected gain, only the gradient is checked."""
_DONE_BELOW = 1e-20
_FLAT_SLOPE = 1e-11
"""Largest gradient, in units of the root of the parameter's own curvature, that counts as zero."""
_FAR = 8.0
"""Value, in usual sizes of a parameter, from which on it may be one that grows without limit."""
_FAR_GAIN = 1e-7
_NEAR = 0.1
"""Distance, in usual sizes of all parameters: closer minima of equal value are the same."""
_FEW = 3
"""Up to this number, the remaining replicates are faster one by one than as a batch."""


def search_many(
    likelihood: ReplicateLikelihood,
    reduction: Reduction,
    task: SearchTask,
    scale: np.ndarray,
    *,
    limit: int = 70,
) -> Ends:
    """Return the nearest minimum of each replicate; when one search has ended, the next begins.

    Parameters
    ----------
    scale: usual sizes of the parameters, by which those that run away are recognized, shape
    (n_free,). limit: largest number of steps of a replicate. Parameters with extreme values after
    this number of steps count as running away.
    """
    unit = scale[reduction.kept]
    queue = Queue(likelihood, reduction, task)
    batch = queue.batch
    while queue.refill():
        if len(queue.row) <= _FEW and not queue.waiting and not any(likelihood.given):
            _one_by_one(queue, likelihood, scale, limit)
            break
        parts = likelihood.parts(batch.state, batch.which)
        gradient = batch.gradient(parts)
        free = batch.free(gradient)
        loose = _loose(gradient, free)
        over = _arrived(queue, unit, loose, limit)
        if over.any():
            queue.drop(over)
            gradient, loose, parts = gradient[~over], loose[~over], parts.take(~over)
            free = None if free is None else free[~over]
            if not len(queue.row):
                continue
        step = batch.directions(parts, loose, free)
        gain = -einsum("rk,rk->r", gradient, step) / 2
        over = _finished(queue, unit, loose, step, gain)
        if over.any():
            queue.drop(over)
            gradient, loose, step, gain = gradient[~over], loose[~over], step[~over], gain[~over]
            if not len(queue.row):
                continue
        exact = ~batch.scoring & np.isfinite(batch.pivot)
        stuck = batch.advance(step, gradient, gain)
        batch.almost = exact & (gain < _ALMOST) & ~stuck
        queue.steps += 1
        if stuck.any():
            queue.leave(stuck, "stuck", loose)
            queue.drop(stuck)
    return queue.ends


def _one_by_one(
    queue: Queue, likelihood: ReplicateLikelihood, scale: np.ndarray, limit: int
) -> None:
    """Finish the last few replicates by the single search, whose rules are the same."""
    batch, ends, remaining = queue.batch, queue.ends, queue.batch.reduction.kept
    for k, row in enumerate(queue.row):
        part = slice(k, k + 1)
        single = likelihood.alone(int(batch.which[k]))
        low, high = (
            _sides(batch.low, k, remaining, scale),
            _sides(batch.high, k, remaining, scale),
        )
        outcome = minimise(
            single,
            batch.reduction,
            batch.theta(batch.x[part])[0],
            scale,
            lower=low,
            upper=high,
            limit=limit - int(queue.steps[k]),
        )
        theta = outcome.point.theta
        batch.x[k] = theta[remaining]
        gradient = batch.reduction.vector(single.gradient(outcome.point))[None]
        ends.theta[row], ends.value[row] = theta, outcome.value
        ends.gradient[row] = np.abs(_loose(gradient, batch.free(gradient, part))).max(initial=0.0)
        ends.steps[row] = queue.steps[k] + outcome.iterations
        far = np.abs(batch.x[k]) > _FAR * scale[remaining]
        gone = outcome.status == "runaway" or (outcome.status == "limit" and far.any())
        ends.status[row] = "runaway" if gone else outcome.status
        ends.running[row, remaining[far]] = gone


def _sides(
    side: np.ndarray | None, k: int, remaining: np.ndarray, scale: np.ndarray
) -> np.ndarray | None:
    """Return a replicate's bounds by parameter; only those of the `remaining` ones are used."""
    if side is None:
        return None
    out = np.zeros(len(scale))
    out[remaining] = side[k]
    return out


def _arrived(queue: Queue, unit: np.ndarray, gradient: np.ndarray, limit: int) -> np.ndarray:
    """Record the replicates with a gradient of zero after a last small step, or no steps left."""
    batch = queue.batch
    flat = batch.almost & (np.abs(gradient) < _FLAT_SLOPE * np.sqrt(batch.diagonal)).all(axis=1)
    late = (queue.steps >= limit) & ~flat
    if flat.any():
        queue.leave(flat, "converged", gradient)
    if late.any():
        far = np.asarray((np.abs(batch.x) > _FAR * unit) & late[:, None])
        queue.leave(late, "limit", gradient)
        queue.leave(np.any(far, axis=1), "runaway", gradient)
        _run(queue, far)
    return flat | late


def _run(queue: Queue, far: np.ndarray) -> None:
    rows, columns = np.nonzero(far)
    queue.ends.running[queue.row[rows], queue.batch.reduction.kept[columns]] = True


def _loose(gradient: np.ndarray, free: np.ndarray | None) -> np.ndarray:
    """Return the slope along the coordinates that no bound holds."""
    return gradient if free is None else np.where(free, gradient, 0.0)


def _finished(
    queue: Queue,
    unit: np.ndarray,
    gradient: np.ndarray,
    step: np.ndarray,
    gain: np.ndarray,
) -> np.ndarray:
    """Record the ends of replicates that have nothing more to gain, or gain nothing while a
    parameter grows; return which these are."""
    batch = queue.batch
    gone = (gain < _DONE_BELOW) & ~batch.scoring & np.isfinite(batch.pivot)
    far = (np.abs(batch.x) > _FAR * unit) & (np.abs(step) > 0.05 * np.abs(batch.x))
    away = far.any(axis=1) & (gain < _FAR_GAIN) & ~batch.scoring & ~gone
    back = _returned(queue, unit, gain) & ~gone & ~away
    if back.any():
        queue.leave(back, "known", gradient)
    if gone.any():
        queue.leave(gone, "converged", gradient)
    if away.any():
        queue.leave(away, "runaway", gradient)
        _run(queue, far & away[:, None])
    return gone | away | back


def _returned(queue: Queue, unit: np.ndarray, gain: np.ndarray) -> np.ndarray:
    """Return True for replicates that are about to end where they have been before: near a known
    minimum, at a point that is convex as well and leads to the same value.
    """
    batch = queue.batch
    if queue.minima is None:
        return np.zeros(len(queue.row), dtype=bool)
    apart = np.abs(batch.x - queue.minima[queue.row])
    ahead = batch.state.value - gain - queue.minima_value[queue.row]
    same = np.abs(ahead) < 0.2 * np.abs(gain) + 1e-9
    return same & np.isfinite(batch.pivot) & (apart < _NEAR * unit).all(axis=1)
