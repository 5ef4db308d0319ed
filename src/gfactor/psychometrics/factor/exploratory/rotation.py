"""Rotation by gradient projection from several random starts, and promax.

All starts are rotated together, with one pass of linear algebra per step for the whole batch.

References
----------
Jennrich, R. I. (2001). A simple general procedure for orthogonal rotation. Psychometrika 66,
    289-306; (2002). A simple general method for oblique rotation. Psychometrika 67, 7-19.
Barzilai, J., Borwein, J. M. (1988). Two-point step size gradient methods. IMA Journal of Numerical
    Analysis 8, 141-148.
Hendrickson, A. E., White, P. O. (1964). Promax. British Journal of Statistical Psychology 17.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gfactor.psychometrics.factor.exploratory.criteria import Criterion
from gfactor.psychometrics.factor.exploratory.named_rotations import (
    ROTATIONS,
    RotationSettings,
    named_criterion,
    rotation_name,
)
from gfactor.psychometrics.float_arrays import eigvalsh, inv

Array = NDArray[np.float64]

SAME_VALUE = 1e-6
"""Relative difference of criteria below which two starts found the same rotation."""

MAX_ITERATIONS = 3000
"""Iterations of a rotation, at most."""

_NO_SLOPE, _NEAR = 1e-14, 1e-4
"""Lengths of a projected gradient below which it counts as zero, and as near a minimum."""


COLLAPSED = 1e-6
"""Smallest eigenvalue of factor correlations below which two factors are the same."""


@dataclass(frozen=True)
class Rotated:
    """Rotated loadings (p, m), factor correlations (m, m), and the results of the starts.

    `value` is the criterion, `agreeing` the share of starts that reached it, `optima` the number
    of different local optima among the starts that converged, `others` the number of those that are
    not the best, and `unfinished` the number of starts that neither converged nor reached it.
    `moving` is True if the best start has not converged.
    """

    loadings: Array
    correlations: Array
    value: float
    starts: int
    agreeing: float
    optima: int
    converged: bool
    others: int = 0
    unfinished: int = 0
    moving: bool = False


def rotate(
    loadings: Array,
    rotation: str,
    *,
    starts: int = 30,
    seed: int = 0,
    kaiser: bool | None = None,
    gamma: float = 0.0,
    delta: float = 0.01,
    kappa: float = 0.0,
    power: float = 4.0,
    zeros: int | None = None,
    target: Array | None = None,
    tolerance: float = 1e-9,
    max_iterations: int = MAX_ITERATIONS,
) -> Rotated:
    """Rotate unrotated `loadings` (p, m); factors come in the order of the variance they explain.

    The general factor of a bifactor rotation stays the first, and factors that are turned to a
    target stay in the target's order and direction.

    Parameters
    ----------
    loadings : Array
        Unrotated, (p, m).
    rotation : str
        "none" or a name of `ROTATIONS`, in capitals or not; GPArotation's and lavaan's names of the
        same rotations ("geominQ", "pstT", "tandem1") are understood.
    starts : int
        Number of starts: the identity (with a target, the orthogonal rotation that is closest to
        it) and `starts - 1` random rotations from `seed`. Criteria have local optima. In practice
        30 starts nearly always find the best one; `agreeing` counts the starts that found it.
    seed : int
        Seed of the random starts.
    kaiser : bool, optional
        True to scale rows to length one before rotation; None for the rotation's usual choice
        (`ROTATIONS`).
    gamma, delta, kappa, power : float
        Parameters of oblimin, geomin, Crawford and Ferguson's family (cfT, cfQ) and promax.
    zeros : int, optional
        Number of loadings that simplimax makes small; by default the number of indicators.
    target : Array, optional
        Loadings (p, m) that targetT and targetQ approach; NaN where nothing is specified.
    tolerance : float
        Limit of the length of the projected gradient at the end.
    max_iterations : int
        Largest number of iterations.

    Returns
    -------
    Rotated
        Loadings, factor correlations, and how many starts agree.

    Raises
    ------
    UnknownNameError
        For another rotation.
    ParameterError
        If the target or a parameter does not fit the loadings.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics.factor.exploratory import rotate
    >>> loadings = np.array([[0.6, 0.5], [0.6, 0.5], [0.6, -0.5], [0.6, -0.5]])
    >>> abs(rotate(loadings, "varimax", starts=5).loadings).round(2).max(axis=1).tolist()
    [0.78, 0.78, 0.78, 0.78]
    """
    settings = RotationSettings(kaiser, gamma, delta, kappa, power, zeros, target)
    return rotate_by(
        loadings, rotation, settings, starts=starts, seed=seed, tolerance=tolerance,
        max_iterations=max_iterations,
    )  # fmt: skip


def rotate_by(
    loadings: Array,
    rotation: str,
    settings: RotationSettings,
    *,
    starts: int = 30,
    seed: int = 0,
    tolerance: float = 1e-9,
    max_iterations: int = MAX_ITERATIONS,
) -> Rotated:
    """Return `rotate`, with the parameters of the rotation in one object."""
    p, m = loadings.shape
    name = rotation_name(rotation)
    if m == 1 or name == "none":
        alone = Rotated(loadings, np.eye(m), 0.0, 1, 1.0, 1, True)
        return _in_order(alone, np.arange(m), np.ones(m, bool))
    settings.for_loadings(name, p, m)
    kind = ROTATIONS[name]
    criterion = named_criterion(name, settings)
    length = np.sqrt((loadings**2).sum(axis=1, keepdims=True))
    scale = np.where(length > 0, length, 1.0)
    if not (kind.kaiser if settings.kaiser is None else settings.kaiser):
        scale = np.ones_like(scale)
    oblique = kind.oblique and name != "promax"
    a = loadings / scale
    turns = _starts(m, starts, seed)
    if "target" in kind.takes and settings.target is not None and np.nansum(settings.target**2) > 0:
        left, _, right = np.linalg.svd(a.T @ np.nan_to_num(settings.target))
        turns[0] = left @ right
    turns, values, small, going = _projected(
        a, criterion, oblique, turns, tolerance, max_iterations
    )
    if oblique:
        values, small = _without_collapsed(turns, values, small)
    # Among equal ones the first start is taken, so that rounding does not decide.
    value = values.min()
    near = values <= value + SAME_VALUE * max(1e-12, abs(value))
    best, elsewhere = int(np.argmax(near)), small & ~near
    turn = _polished(a, criterion, oblique, turns[best])
    turned, phi = _applied(a, turn, oblique)
    if name == "promax":
        turned, phi = _promax(turned, settings.power)
    rotated = Rotated(
        turned * scale,
        phi,
        float(values[best]),
        starts,
        float(near.mean()),
        _distinct(values[small]),
        bool(small[best]),
        _distinct(values[elsewhere]) if elsewhere.any() else 0,
        int((~small & ~near).sum()),
        bool(going[best]),
    )
    movable = {"none": np.arange(m), "first": np.arange(1, m), "all": np.arange(0)}[kind.in_place]
    may_turn = np.ones(m, bool)
    if "target" in kind.takes and settings.target is not None:
        # The direction of a factor whose target has only zeros is free.
        may_turn = np.nan_to_num(settings.target).any(axis=0) == 0
    return _in_order(rotated, movable, may_turn)


def _starts(m: int, starts: int, seed: int) -> Array:
    """The identity and random orthogonal matrices (starts, m, m)."""
    draws = np.random.default_rng(seed).normal(size=(max(starts - 1, 0), m, m))
    q, r = np.linalg.qr(draws)
    q = q * np.sign(np.diagonal(r, axis1=1, axis2=2))[:, None, :]
    return np.concatenate([np.eye(m)[None], q])


def _applied(a: Array, turn: Array, oblique: bool) -> tuple[Array, Array]:
    if oblique:
        return a @ inv(turn).T, turn.T @ turn
    return a @ turn, np.eye(turn.shape[0])


def _projected(
    a: Array,
    criterion: Criterion,
    oblique: bool,
    turns: Array,
    tolerance: float,
    max_iterations: int,
) -> tuple[Array, Array, NDArray[np.bool_], NDArray[np.bool_]]:
    """Gradient projection of all starts; transformations, values, which converged, and which were
    still moving at the last iteration."""
    step = np.ones(len(turns))
    value, gradient = _at(a, criterion, oblique, turns)
    size, going = np.full(len(turns), np.inf), np.ones(len(turns), bool)
    for _ in range(max_iterations):
        projected = _projection(gradient, turns, oblique)
        size = np.sqrt((projected**2).sum(axis=(1, 2)))
        going &= size > tolerance
        if not going.any():
            break
        step[going] *= 2
        waiting = going.copy()
        for _ in range(15):
            rows = np.flatnonzero(waiting)
            tried = _onto(turns[rows] - step[rows, None, None] * projected[rows], oblique)
            new_value, new_gradient = _at(a, criterion, oblique, tried)
            better = new_value < value[rows] - 0.5 * size[rows] ** 2 * step[rows]
            taken = rows[better]
            turns[taken], value[taken] = tried[better], new_value[better]
            gradient[taken] = new_gradient[better]
            waiting[taken] = False
            step[rows[~better]] /= 2
            if not waiting.any():
                break
        # If no step gains anything, rounding has been reached.
        going &= ~waiting
    return turns, value, size < max(1e-6, tolerance), going


def _polished(a: Array, criterion: Criterion, oblique: bool, turn: Array) -> Array:
    """Continue a finished search to the point at which the projected gradient is zero.

    Near its minimum a criterion is constant to half of its digits, so that a search that compares
    values stops at a point that depends on rounding. Steps of Barzilai and Borwein (1988) need only
    the gradient. The point with the smallest gradient is returned.
    """
    here, step = turn[None].copy(), 1.0
    slope = _projection(_at(a, criterion, oblique, here)[1], here, oblique)
    best, least = here, float(np.sqrt((slope**2).sum()))
    first = least
    for _ in range(500):
        if not _NO_SLOPE < least < _NEAR or float(np.sqrt((slope**2).sum())) > 100 * first:
            break
        there = _onto(here - step * slope, oblique)
        new = _projection(_at(a, criterion, oblique, there)[1], there, oblique)
        moved, bent = there - here, new - slope
        curve = float((moved * bent).sum())
        step = float((moved**2).sum()) / curve if curve > 0 else 1.0
        here, slope = there, new
        size = float(np.sqrt((slope**2).sum()))
        if size < least:
            best, least = here, size
    return best[0]


def _without_collapsed(
    turns: Array, values: Array, small: NDArray[np.bool_]
) -> tuple[Array, NDArray[np.bool_]]:
    """Return values and convergence of the starts without those in which factors became the same.
    Some criteria, such as oblimax, fall without a minimum while two factors approach each other.
    """
    collapsed = eigvalsh(turns.transpose(0, 2, 1) @ turns)[:, 0] < COLLAPSED
    worst = np.inf if not collapsed.all() else 0.0
    return np.where(collapsed, values + worst, values), small & ~collapsed


def _at(a: Array, criterion: Criterion, oblique: bool, turns: Array) -> tuple[Array, Array]:
    if not oblique:
        value, gradient = criterion(a @ turns)
        return value, a.T @ gradient
    inverse = _inverses(turns)
    turned = a @ inverse.transpose(0, 2, 1)
    value, gradient = criterion(turned)
    return value, -(turned.transpose(0, 2, 1) @ gradient @ inverse).transpose(0, 2, 1)


def _inverses(turns: Array) -> Array:
    """Return the inverses; NaN, so that the start never counts as the best, if factors have become
    the same."""
    regular = np.linalg.slogdet(turns)[0] != 0
    out = np.full_like(turns, np.nan)
    out[regular] = inv(turns[regular])
    return out


def _projection(gradient: Array, turns: Array, oblique: bool) -> Array:
    if oblique:
        return gradient - turns * (turns * gradient).sum(axis=1, keepdims=True)
    inner = turns.transpose(0, 2, 1) @ gradient
    return gradient - turns @ (inner + inner.transpose(0, 2, 1)) / 2


def _onto(x: Array, oblique: bool) -> Array:
    if oblique:
        return x / np.sqrt((x**2).sum(axis=1, keepdims=True))
    u, _, v = np.linalg.svd(x)
    return u @ v


def _promax(varimax: Array, power: float) -> tuple[Array, Array]:
    target = varimax * np.abs(varimax) ** (power - 1)
    u = np.linalg.lstsq(varimax, target, rcond=None)[0]
    u = u * np.sqrt(inv(u.T @ u).diagonal())
    inverse = inv(u)
    return varimax @ u, inverse @ inverse.T


def _distinct(values: Array) -> int:
    ordered = np.sort(values)
    return 1 + int((np.diff(ordered) > 1e-5 * np.maximum(1e-12, np.abs(ordered[1:]))).sum())


def _in_order(rotated: Rotated, movable: NDArray[np.intp], may_turn: NDArray[np.bool_]) -> Rotated:
    """Order the movable factors by explained variance, and give factors with free signs the signs
    that make most loadings positive."""
    loadings, phi = rotated.loadings, rotated.correlations
    signs = np.where((loadings.sum(axis=0) < 0) & may_turn, -1.0, 1.0)
    explained = np.diag(phi @ loadings.T @ loadings)
    order = np.arange(len(phi))
    order[movable] = movable[np.argsort(-explained[movable], kind="stable")]
    turned = (loadings * signs)[:, order]
    phi = (phi * np.outer(signs, signs))[np.ix_(order, order)]
    return replace(rotated, loadings=turned, correlations=phi)
