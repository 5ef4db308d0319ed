"""Variance components of right and wrong answers: a logistic mixed model by Laplace's method.

The model is that of lme4's `glmer`: random effects are scaled to unit variance, and the likelihood
is approximated at their mode.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import linalg, optimize, sparse, special
from scipy.sparse.linalg import splu

from gfactor.psychometrics.float_arrays import eigvalsh, inv
from gfactor.psychometrics.generalizability.components import EstimatedComponents
from gfactor.psychometrics.generalizability.designs import Codes, FacetDesign, joint_levels

Floats = NDArray[np.float64]

_RESIDUAL = math.pi**2 / 3
"""Residual variance on the logit scale."""
_DRAWS = 400
"""Number of draws of the parameters."""
_BOUNDARY = 1e-3
"""Standard deviation in logits below which it counts as 0."""
_WEAK = 0.5
"""Standard error of the log of a standard deviation above which 0 is a possible value."""
_LARGEST = 1e3
"""Largest standard deviation of the search, in logits."""
_SMALL, _CELLS = 200, 1_000_000
"""Numbers of random effects, and of these times the scores, up to which dense matrices are
faster."""
_RISE = float(special.chdtri(1, 0.05))
"""Rise of minus twice the log-likelihood from its minimum to the end of a 95 % interval."""


class Logistic:
    """Minus twice the Laplace log-likelihood of a logistic mixed model, as a function of the
    standard deviations of the effects, followed by the mean."""

    def __init__(self, z: sparse.csc_matrix, blocks: NDArray[np.intp], y: Floats) -> None:
        small = blocks.size <= _SMALL and len(y) * blocks.size <= _CELLS
        self.z = z.toarray() if small else z
        self.blocks, self.y = blocks, y
        self.u = np.zeros(blocks.size)

    def __call__(self, x: Floats) -> float:
        scale, mean = x[:-1][self.blocks], x[-1]
        u = self.u.copy()
        value = self._penalized(u, scale, mean)
        for _ in range(100):
            p, solve, _ = self._curvature(u, scale, mean)
            step, size = solve(scale * (self.z.T @ (self.y - p)) - u), 1.0
            while (trial := self._penalized(u + size * step, scale, mean)) > value + 1e-12:
                size /= 2
                if size < 1e-6:
                    break
            u, before, value = u + size * step, value, trial
            if abs(before - value) < 1e-12 * (1 + abs(value)):
                break
        self.u = u
        return value + self._curvature(u, scale, mean)[2]

    def _curvature(
        self, u: Floats, scale: Floats, mean: float
    ) -> tuple[Floats, Callable[[Floats], Floats], float]:
        """Probabilities at u, a function that solves by the curvature there, and its log
        determinant."""
        p = special.expit(mean + self.z @ (scale * u))
        weights = (p * (1 - p))[:, None]
        if isinstance(self.z, np.ndarray):
            curvature = np.eye(scale.size)
            curvature += scale[:, None] * (self.z.T @ (self.z * weights)) * scale
            factor = linalg.cho_factor(curvature)
            size = 2 * float(np.log(np.diag(factor[0])).sum())
            return p, partial(linalg.cho_solve, factor), size
        return p, *_factor((self.z.T @ self.z.multiply(weights)).tocsc(), scale)

    def _penalized(self, u: Floats, scale: Floats, mean: float) -> float:
        eta = mean + self.z @ (scale * u)
        return float(2 * (np.logaddexp(0, eta) - self.y * eta).sum() + u @ u)

    def variances(self, x: Floats) -> Floats:
        """Return the variance of every random effect, the residual last; no search is needed."""
        return np.append(x[:-1] ** 2, _RESIDUAL)

    def reported(self, x: Floats) -> tuple[float, float]:
        """Return mean in logits and log-likelihood."""
        return float(x[-1]), -self(x) / 2


def _factor(gram: sparse.csc_matrix, scale: Floats) -> tuple[Callable[[Floats], Floats], float]:
    """Return a function that solves by Lambda Z'Z Lambda + I, and its log determinant."""
    scaled = sparse.diags(scale) @ gram @ sparse.diags(scale) + sparse.identity(scale.size)
    lu = splu(
        scaled.tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    return lu.solve, float(np.log(np.abs(lu.U.diagonal())).sum())


def by_logistic_model(
    design: FacetDesign, codes: Codes, y: Floats, seed: int
) -> EstimatedComponents:
    """Return the variance components of right and wrong answers, on the logit scale.

    Parameters
    ----------
    design : FacetDesign
        Effects of a score.
    codes : mapping of str to array
        By facet, its level at every score.
    y : array
        Scores of 0 and 1.
    seed : int
        Seed of the draws.
    """
    random = design.effects[:-1]
    levels = [joint_levels(codes, effect) for effect in random]
    counts = [int(of.max()) + 1 for of in levels]
    n = y.size
    parts = [
        sparse.csc_matrix((np.ones(n), (np.arange(n), of)), (n, count))
        for of, count in zip(levels, counts, strict=True)
    ]
    blocks = np.repeat(np.arange(len(random)), counts)
    criterion = Logistic(sparse.csc_matrix(sparse.hstack(parts)), blocks, y)
    share = np.clip(y.mean(), 0.02, 0.98)
    x = np.append(np.full(len(random), 0.5), math.log(share / (1 - share)))
    x = _minimized(criterion, x, [*[(0.0, None)] * len(random), (None, None)])
    x[:-1] = np.where(x[:-1] > _BOUNDARY, x[:-1], 0.0)
    mean, value = criterion.reported(x)
    labels = pd.Index([design.label(effect) for effect in design.effects], name="effect")
    draws = _drawn(criterion, x, len(random), np.random.default_rng(seed))
    if len(draws):
        _draw_at_boundary(criterion, x, len(random), draws, np.random.default_rng([seed, 1]))
    columns = np.array([criterion.variances(draw) for draw in draws]).reshape(-1, len(labels))
    samples = pd.DataFrame(columns, columns=labels)
    spread = samples.std() if len(samples) else np.nan
    table = {"variance": criterion.variances(x), "df": np.nan, "ms": np.nan, "se": spread}
    return EstimatedComponents(pd.DataFrame(table, index=labels), samples, mean, value)


def _minimized(
    f: Callable[[Floats], float],
    start: Floats,
    bounds: Sequence[tuple[float | None, float | None]],
) -> Floats:
    """The minimum from two starts, polished by Newton steps over parameters that are not at a
    bound."""
    best, best_value = start, math.inf
    for factor in (1.0, 0.4):
        ended = optimize.minimize(
            f,
            start * factor,
            method="L-BFGS-B",
            jac="3-point",
            bounds=bounds,
            options={"maxiter": 500, "ftol": 1e-14, "gtol": 1e-8},
        )
        if ended.fun < best_value - 1e-9:
            best, best_value = ended.x, float(ended.fun)
    lower = np.array([-np.inf if low is None else low for low, _ in bounds])
    for _ in range(6):
        free = np.flatnonzero(best > lower + 1e-4)
        gradient, hessian = _differences(f, best, free)
        if not free.size or eigvalsh(hessian).min() <= 0:
            break
        trial = best.copy()
        trial[free] -= np.linalg.solve(hessian, gradient)
        trial = np.maximum(trial, lower)
        value = f(trial)
        if value > best_value + 1e-9:
            break
        moved = float(np.abs(trial - best).max())
        best, best_value = trial, min(value, best_value)
        if moved < 1e-8:
            break
    return best


def _differences(
    f: Callable[[Floats], float], x: Floats, free: NDArray[np.intp], h: float = 1e-3
) -> tuple[Floats, Floats]:
    """Gradient and Hessian by central differences, extrapolated."""
    k = free.size
    here = f(x)

    def at(*moves: tuple[int, float]) -> float:
        moved = x.copy()
        for j, by in moves:
            moved[free[j]] += by
        return f(moved)

    gradient, hessian = np.empty(k), np.empty((k, k))
    for j in range(k):
        near, far = (at((j, h)), at((j, -h))), (at((j, 2 * h)), at((j, -2 * h)))
        gradient[j] = (8 * (near[0] - near[1]) - (far[0] - far[1])) / (12 * h)
        hessian[j, j] = (16 * (near[0] + near[1]) - (far[0] + far[1]) - 30 * here) / (12 * h**2)
        for i in range(j):
            cross = at((i, h), (j, h)) + at((i, -h), (j, -h))
            cross -= at((i, h), (j, -h)) + at((i, -h), (j, h))
            hessian[i, j] = hessian[j, i] = cross / (4 * h**2)
    return gradient, hessian


def _drawn(
    f: Callable[[Floats], float], x: Floats, random: int, rng: np.random.Generator
) -> Floats:
    """Draws around the estimates.

    They are normal in the logarithm of the standard deviations. A component that is smaller than
    its standard error is drawn from a normal distribution of the variance, cut off at 0: on the
    logarithmic scale its interval would span all orders of magnitude.
    """
    free = np.flatnonzero((x > _BOUNDARY) | (np.arange(x.size) >= random))
    if not free.size:
        return np.repeat(x[None, :], _DRAWS, axis=0)
    _, hessian = _differences(f, x, free)
    random_effect = free < random
    # The criterion is minus twice a log-likelihood.
    scale = np.where(random_effect, x[free], 1.0)
    information = hessian * scale[:, None] * scale / 2
    if eigvalsh(information).min() <= 0:
        return np.empty((0, x.size))
    weak = random_effect & (np.diag(inv(information)) > _WEAK**2)
    log = random_effect & ~weak
    scale = np.where(weak, 1 / (2 * x[free]), scale)
    eigenvalues, vectors = np.linalg.eigh(hessian * scale[:, None] * scale / 2)
    normal = rng.standard_normal((_DRAWS, free.size))
    steps = (normal / np.sqrt(eigenvalues)) @ vectors.T
    draws = np.repeat(x[None, :], len(steps), axis=0)
    grown = x[free] * np.exp(np.clip(np.where(log, steps, 0.0), -5, 5))
    squares = np.maximum(x[free] ** 2 + steps, 0.0)
    draws[:, free] = np.where(log, grown, np.where(weak, np.sqrt(squares), x[free] + steps))
    return draws


def _draw_at_boundary(
    f: Callable[[Floats], float], x: Floats, random: int, draws: Floats, rng: np.random.Generator
) -> None:
    """Replace the zeros of components at the boundary by normal draws cut off at 0.

    Half of the draws are 0, so that the interval begins there. The spread of the normal is such
    that the interval of 95 % ends where the criterion, the other parameters fixed, is higher by
    3.84 than at 0, as a profile likelihood interval does.
    """
    here = f(x)

    def rise(deviation: float, j: int) -> float:
        moved = x.copy()
        moved[j] = deviation
        return f(moved) - here - _RISE

    for j in np.flatnonzero(x[:random] == 0).tolist():
        end = 0.01
        while rise(end, j) < 0 and end < _LARGEST:
            end *= 2
        if end < _LARGEST:
            end = float(optimize.brentq(rise, 0.0, end, args=(j,)))  # pyright: ignore
        spread = end / math.sqrt(_RISE)
        draws[:, j] = np.maximum(spread * rng.standard_normal(len(draws)), 0.0)
