"""Rotation by gradient projection from several random starts, and promax.

All starts are turned together: one pass of linear algebra per step for the whole batch.

References
----------
Jennrich, R. I. (2001). A simple general procedure for orthogonal rotation. Psychometrika 66,
    289-306; (2002). A simple general method for oblique rotation. Psychometrika 67, 7-19.
Barzilai, J., Borwein, J. M. (1988). Two-point step size gradient methods. IMA Journal of Numerical
    Analysis 8, 141-148.
Hendrickson, A. E., White, P. O. (1964). Promax. British Journal of Statistical Psychology 17.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import UnknownNameError
from gfactor.psychometrics.factor.exploratory.criteria import ROTATIONS, Criterion, named_criterion

Array = NDArray[np.float64]

SAME_VALUE = 1e-6
"""Starts whose criteria differ by less, relative to the best, found the same rotation."""

_NO_SLOPE, _NEAR = 1e-14, 1e-4
"""Lengths of a projected gradient: of one that is zero, and of one that is near a minimum."""


@dataclass(frozen=True)
class Rotated:
    """Rotated loadings (p, m), factor correlations (m, m), and what the starts found.

    `value` is the criterion, `agreeing` the share of starts that reached it, `optima` the number
    of different local optima among the starts that converged.
    """

    loadings: Array
    correlations: Array
    value: float
    starts: int
    agreeing: float
    optima: int
    converged: bool


def rotate(
    loadings: Array,
    rotation: str,
    *,
    starts: int = 30,
    seed: int = 0,
    kaiser: bool | None = None,
    gamma: float = 0.0,
    delta: float = 0.01,
    power: float = 4.0,
    tolerance: float = 1e-9,
    iterations: int = 3000,
) -> Rotated:
    """Rotate unrotated `loadings` (p, m); factors come in the order of the variance they explain.

    Parameters
    ----------
    loadings : Array
        Unrotated, (p, m).
    rotation : str
        "none", "varimax", "quartimax", "promax", "oblimin" or "geomin".
    starts : int
        Number of starts: the identity and `starts - 1` random rotations from `seed`. Criteria
        have local optima. In practice 30 starts nearly always find the best one; `agreeing`
        counts the starts that found it.
    seed : int
        Seed of the random starts.
    kaiser : bool, optional
        True to scale rows to length one before rotation; None for the rotation's usual choice
        (`ROTATIONS`).
    gamma, delta, power : float
        Parameters of oblimin, geomin and promax.
    tolerance : float
        Limit of the length of the projected gradient at the end.
    iterations : int
        Largest number of iterations.

    Returns
    -------
    Rotated
        Loadings, factor correlations, and how many starts agree.

    Raises
    ------
    UnknownNameError
        For another rotation.

    Examples
    --------
    >>> import numpy as np
    >>> from gfactor.psychometrics.factor.exploratory import rotate
    >>> loadings = np.array([[0.6, 0.5], [0.6, 0.5], [0.6, -0.5], [0.6, -0.5]])
    >>> abs(rotate(loadings, "varimax", starts=5).loadings).round(2).max(axis=1).tolist()
    [0.78, 0.78, 0.78, 0.78]
    """
    m = loadings.shape[1]
    if rotation != "none" and rotation not in ROTATIONS:
        raise UnknownNameError("rotation", rotation, ["none", *ROTATIONS])
    if m == 1 or rotation == "none":
        return _in_order(loadings, np.eye(m), Rotated(loadings, np.eye(m), 0.0, 1, 1.0, 1, True))
    kind = ROTATIONS[rotation]
    criterion = named_criterion(rotation, gamma=gamma, delta=delta)
    length = np.sqrt((loadings**2).sum(axis=1, keepdims=True))
    scale = np.where(length > 0, length, 1.0)
    if not (kind.kaiser if kaiser is None else kaiser):
        scale = np.ones_like(scale)
    oblique = kind.oblique and rotation != "promax"
    a = loadings / scale
    turns, values, small = _projected(
        a, criterion, oblique, _starts(m, starts, seed), tolerance, iterations
    )
    # Among equals the first start, so that rounding does not choose.
    value = values.min()
    near = values <= value + SAME_VALUE * max(1e-12, abs(value))
    best = int(np.argmax(near))
    turn = _polished(a, criterion, oblique, turns[best])
    turned, phi = _applied(a, turn, oblique)
    if rotation == "promax":
        turned, phi = _promax(turned, power)
    rotated = Rotated(
        turned * scale,
        phi,
        float(values[best]),
        starts,
        float(near.mean()),
        _distinct(values[small]),
        bool(small[best]),
    )
    return _in_order(rotated.loadings, phi, rotated)


def _starts(m: int, starts: int, seed: int) -> Array:
    """The identity and random orthogonal matrices (starts, m, m)."""
    draws = np.random.default_rng(seed).normal(size=(max(starts - 1, 0), m, m))
    q, r = np.linalg.qr(draws)
    q = q * np.sign(np.diagonal(r, axis1=1, axis2=2))[:, None, :]
    return np.concatenate([np.eye(m)[None], q])


def _applied(a: Array, turn: Array, oblique: bool) -> tuple[Array, Array]:
    if oblique:
        return a @ np.linalg.inv(turn).T, turn.T @ turn
    return a @ turn, np.eye(turn.shape[0])


def _projected(
    a: Array, criterion: Criterion, oblique: bool, turns: Array, tolerance: float, iterations: int
) -> tuple[Array, Array, NDArray[np.bool_]]:
    """Gradient projection of all starts; transformations, values, and which converged."""
    step = np.ones(len(turns))
    value, gradient = _at(a, criterion, oblique, turns)
    size, going = np.full(len(turns), np.inf), np.ones(len(turns), bool)
    for _ in range(iterations):
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
    return turns, value, size < max(1e-6, tolerance)


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


def _at(a: Array, criterion: Criterion, oblique: bool, turns: Array) -> tuple[Array, Array]:
    if not oblique:
        value, gradient = criterion(a @ turns)
        return value, a.T @ gradient
    inverse = np.linalg.inv(turns)
    turned = a @ inverse.transpose(0, 2, 1)
    value, gradient = criterion(turned)
    return value, -(turned.transpose(0, 2, 1) @ gradient @ inverse).transpose(0, 2, 1)


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
    u = u * np.sqrt(np.diag(np.linalg.inv(u.T @ u)))
    inverse = np.linalg.inv(u)
    return varimax @ u, inverse @ inverse.T


def _distinct(values: Array) -> int:
    ordered = np.sort(values)
    return 1 + int((np.diff(ordered) > 1e-5 * np.maximum(1e-12, np.abs(ordered[1:]))).sum())


def _in_order(loadings: Array, phi: Array, rotated: Rotated) -> Rotated:
    """Order factors by explained variance, with the signs that make most loadings positive."""
    signs = np.where(loadings.sum(axis=0) < 0, -1.0, 1.0)
    explained = np.diag(phi @ loadings.T @ loadings)
    order = np.argsort(-explained, kind="stable")
    turned = (loadings * signs)[:, order]
    phi = (phi * np.outer(signs, signs))[np.ix_(order, order)]
    return Rotated(
        turned,
        phi,
        rotated.value,
        rotated.starts,
        rotated.agreeing,
        rotated.optima,
        rotated.converged,
    )
