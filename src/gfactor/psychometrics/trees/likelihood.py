"""The likelihood of a processing tree, its maximum in the unit cube, and profile intervals."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from gfactor.psychometrics.float_arrays import eigvalsh, einsum
from gfactor.psychometrics.trees.model import TreeModel

Floats = NDArray[np.float64]

BOUNDARY = 1e-7
"""A parameter this close to 0 or 1 is at the boundary."""
_GRADIENT = 1e-6
TINY = 1e-100


def log_likelihood(model: TreeModel, counts: Floats, theta: Floats) -> float:
    used = counts > 0
    probabilities = np.maximum(model.probabilities(theta)[used], TINY)
    return float(counts[used] @ np.log(probabilities))


def gradient(model: TreeModel, counts: Floats, theta: Floats) -> Floats:
    used = counts > 0
    ratio = counts[used] / np.maximum(model.probabilities(theta)[used], TINY)
    return ratio @ model.jacobian(theta)[used]


def information(model: TreeModel, counts: Floats, theta: Floats) -> Floats:
    used = counts > 0
    p = np.maximum(model.probabilities(theta)[used], TINY)
    first, second = model.jacobian(theta)[used], model.hessians(theta)[used]
    outer = einsum("c,ci,cj->ij", counts[used] / p**2, first, first)
    return outer - einsum("c,cij->ij", counts[used] / p, second)


def expected_information(model: TreeModel, counts: Floats, theta: Floats) -> Floats:
    p = model.probabilities(theta)
    totals = model.totals(counts)
    used = p > TINY
    first = model.jacobian(theta)[used]
    return einsum("c,ci,cj->ij", totals[used] / p[used], first, first)


def maximize(
    model: TreeModel,
    counts: Floats,
    n_starts: int,
    seed: int,
    fixed: tuple[int, float] | None = None,
    start: Floats | None = None,
) -> tuple[Floats, bool]:
    """Return the maximum of the likelihood in the unit cube, and True if the gradient confirms it.

    `fixed` fixes one parameter at a value; `start` replaces the random starting values.
    """
    k = len(model.parameters)
    rng = np.random.default_rng(seed)
    starts = [np.full(k, 0.5), *rng.uniform(0.1, 0.9, (n_starts, k))] if start is None else [start]
    best, best_value = np.full(k, 0.5), -np.inf
    if start is not None:
        x = _newton(model, counts, np.clip(start, 0, 1), fixed)
        if _proven(model, counts, x, fixed):
            return x, True
    for first in starts:
        bounds = [(0.0, 1.0)] * k
        x = np.clip(first, 0.001, 0.999)
        if fixed is not None:
            bounds[fixed[0]] = (fixed[1], fixed[1])
            x[fixed[0]] = fixed[1]
        ended = optimize.minimize(
            lambda t: (-log_likelihood(model, counts, t), -gradient(model, counts, t)),
            x,
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options={"maxiter": 2000, "ftol": 1e-15, "gtol": 1e-10},
        )
        x = _newton(model, counts, np.clip(ended.x, 0, 1), fixed)
        value = log_likelihood(model, counts, x)
        if value > best_value + 1e-10:
            best, best_value = x, value
    return best, _proven(model, counts, best, fixed)


def _proven(model: TreeModel, counts: Floats, x: Floats, fixed: tuple[int, float] | None) -> bool:
    """Return True if the gradient is zero, except for parameters at their bounds, and the curvature
    there is negative.
    """
    if model.probabilities(x)[counts > 0].min() <= TINY:
        return False
    slope = gradient(model, counts, x)
    pressed = ((x <= BOUNDARY) & (slope < 0)) | ((x >= 1 - BOUNDARY) & (slope > 0))
    if fixed is not None:
        pressed[fixed[0]] = True
    free = ~pressed
    if np.abs(slope[free]).max(initial=0.0) > _GRADIENT * counts.sum():
        return False
    inner = information(model, counts, x)[np.ix_(free, free)]
    return not inner.size or bool(eigvalsh(inner).min() > -1e-6 * counts.sum())


def _newton(model: TreeModel, counts: Floats, x: Floats, fixed: tuple[int, float] | None) -> Floats:
    """Maximize by Newton steps over the parameters that are not at their bounds."""
    x, value = x.copy(), log_likelihood(model, counts, x)
    for _ in range(50):
        if model.probabilities(x)[counts > 0].min() <= TINY:
            return x  # An observed category is impossible here.
        slope = gradient(model, counts, x)
        pressed = ((x <= BOUNDARY) & (slope < 0)) | ((x >= 1 - BOUNDARY) & (slope > 0))
        x[pressed] = np.round(x[pressed])
        if fixed is not None:
            pressed[fixed[0]] = True
        free = np.flatnonzero(~pressed)
        if not free.size or np.abs(slope[free]).max() < 1e-11 * counts.sum():
            return x
        curvature = information(model, counts, x)[np.ix_(free, free)]
        step = np.zeros(x.size)
        step[free] = np.linalg.lstsq(curvature, slope[free], rcond=1e-12)[0]
        size = 1.0
        while size > 1e-8:
            trial = np.clip(x + size * step, 0, 1)
            reached = log_likelihood(model, counts, trial)
            if reached >= value - 1e-12 * abs(value):
                break
            size /= 2
        else:
            return x
        moved = float(np.abs(trial - x).max())
        x[:] = trial
        value = max(reached, value)
        if moved < 1e-15:
            return x
    return x


def profile_interval(
    model: TreeModel, counts: Floats, theta: Floats, j: int, level: float, scale: float
) -> tuple[float, float]:
    """Return the ends of the profile likelihood interval of parameter j."""
    best = log_likelihood(model, counts, theta)
    # The root of the loss is almost linear in the parameter, so that few steps find its zero.
    most = math.sqrt(float(special.chdtri(1, 1 - level)) * scale / 2)

    near = theta  # The last maximum is a start near the next one.

    def excess(value: float) -> float:
        nonlocal near
        near = np.where(np.arange(theta.size) == j, value, near)
        if theta.size > 1:
            near, _ = maximize(model, counts, 0, 0, (j, value), near)
        return math.sqrt(max(best - log_likelihood(model, counts, near), 0.0)) - most

    def end(limit: float) -> float:
        nonlocal near
        near = theta
        if abs(theta[j] - limit) < 1e-12 or excess(limit) <= 0:
            return limit
        return float(optimize.brentq(excess, limit, theta[j], xtol=1e-7, full_output=True)[0])

    return end(0.0), end(1.0)
