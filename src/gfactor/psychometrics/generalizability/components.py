"""Variance components: by mean squares, restricted maximum likelihood, or a logistic model.

The mixed models are lme4's: random effects are scaled to unit variance, the deviance is profiled
over the mean and the residual variance, or approximated by Laplace's method at the mode.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import optimize, sparse, special
from scipy.sparse.linalg import lsqr, splu

from gfactor.errors import ParameterError
from gfactor.psychometrics.generalizability.designs import (
    Codes,
    Design,
    Effect,
    conditions,
    joint_levels,
)

Floats = NDArray[np.float64]
Estimated = tuple[pd.DataFrame, pd.DataFrame, float, float]
"""Components, draws of them (by mean squares also below 0), mean, criterion."""

_LOGISTIC_RESIDUAL = math.pi**2 / 3
_DRAWS = 4000
"""Number of draws of mean squares, for intervals: an end lies within 2 % of the width."""
_MODEL_DRAWS = 400
"""Number of draws of a mixed model's parameters, each of which needs the criterion once."""

_BOUNDARY = 1e-3
"""A standard deviation below this share of the residual's is 0: the bound of the search."""
_LARGEST_RATIO = 1e3
"""The largest standard deviation that is tried, in those of the residual."""
_RISE = float(special.chdtri(1, 0.05))
"""Rise of minus twice the log-likelihood from its minimum to the end of a 95 % interval."""
_ROUNDING = 1e-15
_CANCELED = 1e-12
"""Share of the whole sum of squares below which one of its parts is rounding."""
_EXACT = 1e-9
"""Scores whose rest is below this share of their spread are explained exactly."""


def by_mean_squares(design: Design, codes: Codes, y: Floats, seed: int) -> Estimated:
    sizes = {name: conditions(design, codes, name) for name in design.facets}
    sizes[design.object] = float(codes[design.object].max() + 1)
    centered = y - y.mean()

    def total(effect: Effect) -> float:
        if not effect:
            return 0.0
        of = joint_levels(codes, effect)
        sums, counts = np.bincount(of, centered), np.bincount(of)
        return float((sums**2 / counts).sum())

    totals = {effect: total(effect) for effect in design.effects} | {frozenset(): 0.0}
    squares, df = [], []
    for effect in design.effects:
        primary = design.primary(effect)
        nesting = effect - primary
        degrees = math.prod(sizes[name] - 1 for name in primary)
        df.append(degrees * math.prod(sizes[name] for name in nesting))
        squares.append(
            sum(
                (-1) ** (len(primary) - size) * totals[frozenset(chosen) | nesting]
                for size in range(len(primary) + 1)
                for chosen in combinations(sorted(primary), size)
            )
        )
    # What cancels to the last digits is no variation: it is 0 on every machine.
    varied = np.abs(squares) > _CANCELED * float((centered**2).sum())
    ms = np.where(varied, squares, 0.0) / np.array(df)
    # Expected mean squares: every effect that contains this one, times how often it is repeated.
    k = len(design.effects)
    expected = np.zeros((k, k))
    everything = design.effects[-1]
    for i, inner in enumerate(design.effects):
        for j, outer in enumerate(design.effects):
            if inner <= outer:
                expected[i, j] = math.prod(sizes[name] for name in everything - outer)
    solved = np.linalg.inv(expected)
    se = np.sqrt((solved**2) @ (2 * ms**2 / (np.array(df) + 2)))
    rng = np.random.default_rng(seed)
    drawn = ms * np.array(df) / rng.chisquare(df, (_DRAWS, k))
    labels = pd.Index([design.label(effect) for effect in design.effects], name="effect")
    samples = pd.DataFrame(drawn @ solved.T, columns=labels)
    table = pd.DataFrame({"variance": solved @ ms, "df": df, "ms": ms, "se": se}, index=labels)
    return table, samples, float(y.mean()), np.nan


class Gaussian:
    """REML criterion of a linear mixed model with one mean, profiled over mean and residual."""

    extra = 0

    def __init__(self, z: sparse.csc_matrix, blocks: NDArray[np.intp], y: Floats) -> None:
        self.z, self.blocks, self.y = z, blocks, y
        self.gram = (z.T @ z).tocsc()
        self.zy = z.T @ y
        self.z1 = np.asarray(z.sum(axis=0)).ravel()

    def __call__(self, x: Floats) -> float:
        return self.solve(x)[0]

    def solve(self, x: Floats) -> tuple[float, float, float]:
        """Criterion, residual variance and mean at the ratios x of standard deviations."""
        scale = x[self.blocks]
        lu, log_determinant = _factor(self.gram, scale)
        by, b1 = scale * self.zy, scale * self.z1
        n, total = self.y.size, self.y.sum()
        solved_y, solved_1 = lu.solve(by), lu.solve(b1)
        # Both are positive; where the search tries ratios of millions, rounding leaves less.
        ones = max(n - b1 @ solved_1, n * _ROUNDING)
        mean = (total - b1 @ solved_y) / ones
        rss = self.y @ self.y - by @ solved_y - mean**2 * ones
        rss = max(rss, (self.y @ self.y) * _ROUNDING)
        df = n - 1
        value = log_determinant + math.log(ones) + df * (1 + math.log(2 * math.pi * rss / df))
        return float(value), float(rss / df), float(mean)

    def has_residual(self) -> bool:
        """Return True if the effects leave a part of the scores unexplained.

        Without a residual the criterion falls without end as the ratios grow.
        """
        rest = lsqr(self.z, self.y, atol=1e-14, btol=1e-14, iter_lim=10_000)[3]
        return bool(rest > _EXACT * np.linalg.norm(self.y - self.y.mean()))

    def variances(self, x: Floats) -> Floats:
        """Return the variance of every random effect, the residual last."""
        residual = self.solve(x)[1]
        return np.append(residual * x**2, residual)

    def drawn(self, x: Floats, rng: np.random.Generator) -> Floats:
        """Variances at drawn ratios: the residual's is an inverse chi-square given these."""
        df = self.y.size - 1
        return self.variances(x) * df / rng.chisquare(df)

    def reported(self, x: Floats) -> tuple[float, float]:
        """Mean and criterion."""
        value, _, mean = self.solve(x)
        return mean, value


class Logistic:
    """Minus twice the Laplace log-likelihood of a logistic mixed model; the mean is the last x."""

    extra = 1

    def __init__(self, z: sparse.csc_matrix, blocks: NDArray[np.intp], y: Floats) -> None:
        self.z, self.blocks, self.y = z, blocks, y
        self.u = np.zeros(blocks.size)

    def __call__(self, x: Floats) -> float:
        scale, mean = x[:-1][self.blocks], x[-1]
        u = self.u.copy()
        value = self._penalized(u, scale, mean)
        for _ in range(100):
            p, lu, _ = self._curvature(u, scale, mean)
            step, size = lu.solve(scale * (self.z.T @ (self.y - p)) - u), 1.0
            while (trial := self._penalized(u + size * step, scale, mean)) > value + 1e-12:
                size /= 2
                if size < 1e-6:
                    break
            u, before, value = u + size * step, value, trial
            if abs(before - value) < 1e-12 * (1 + abs(value)):
                break
        self.u = u
        return value + self._curvature(u, scale, mean)[2]

    def _curvature(self, u: Floats, scale: Floats, mean: float) -> tuple[Floats, Any, float]:
        """Probabilities at u, and the factored curvature there with its log determinant."""
        p = special.expit(mean + self.z @ (scale * u))
        weighted = (self.z.T @ self.z.multiply((p * (1 - p))[:, None])).tocsc()
        return p, *_factor(weighted, scale)

    def _penalized(self, u: Floats, scale: Floats, mean: float) -> float:
        eta = mean + self.z @ (scale * u)
        return float(2 * (np.logaddexp(0, eta) - self.y * eta).sum() + u @ u)

    def variances(self, x: Floats) -> Floats:
        """Return the variance of every random effect, the residual last; no search is needed."""
        return np.append(x[:-1] ** 2, _LOGISTIC_RESIDUAL)

    def drawn(self, x: Floats, _rng: np.random.Generator) -> Floats:
        """Variances at drawn standard deviations."""
        return self.variances(x)

    def reported(self, x: Floats) -> tuple[float, float]:
        """Mean in logits and log-likelihood."""
        return float(x[-1]), -self(x) / 2


def _factor(gram: sparse.csc_matrix, scale: Floats) -> tuple[Any, float]:
    """A factorization of Lambda Z'Z Lambda + I, and its log determinant."""
    scaled = sparse.diags(scale) @ gram @ sparse.diags(scale) + sparse.identity(scale.size)
    lu = splu(
        scaled.tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    return lu, float(np.log(np.abs(lu.U.diagonal())).sum())


def by_mixed_model(
    design: Design,
    codes: Codes,
    y: Floats,
    seed: int,
    kind: type[Gaussian] | type[Logistic],
) -> Estimated:
    random = design.effects[:-1]
    levels = [joint_levels(codes, effect) for effect in random]
    counts = [int(of.max()) + 1 for of in levels]
    n = y.size
    parts = [
        sparse.csc_matrix((np.ones(n), (np.arange(n), of)), (n, count))
        for of, count in zip(levels, counts, strict=True)
    ]
    blocks = np.repeat(np.arange(len(random)), counts)
    criterion = kind(sparse.csc_matrix(sparse.hstack(parts)), blocks, y)
    if isinstance(criterion, Gaussian) and not criterion.has_residual():
        raise ParameterError(
            f"the effects {', '.join(design.label(effect) for effect in random)} explain all "
            f"{n:,} scores exactly, so that nothing is left to estimate a residual variance from; "
            f"have every {design.object} answer again (more occasions, or more items), or leave a "
            "facet out"
        )
    x = np.full(len(random) + kind.extra, 0.5)
    bounds: list[tuple[float | None, float | None]] = [(0.0, None)] * len(random)
    if kind.extra:
        share = np.clip(y.mean(), 0.02, 0.98)
        x[-1] = math.log(share / (1 - share))
        bounds.append((None, None))
    x = _minimized(criterion, x, bounds)
    # A variance of less than a millionth of the residual's is none.
    x[: len(random)] = np.where(x[: len(random)] > _BOUNDARY, x[: len(random)], 0.0)
    mean, value = criterion.reported(x)
    labels = pd.Index([design.label(effect) for effect in design.effects], name="effect")
    rng = np.random.default_rng(seed)
    draws = _drawn(criterion, x, len(random), rng)
    if len(draws):
        _draw_at_boundary(criterion, x, len(random), draws, np.random.default_rng([seed, 1]))
    columns = np.array([criterion.drawn(draw, rng) for draw in draws]).reshape(-1, len(labels))
    samples = pd.DataFrame(columns, columns=labels)
    table = pd.DataFrame(
        {
            "variance": criterion.variances(x),
            "df": np.nan,
            "ms": np.nan,
            "se": samples.std() if len(samples) else np.nan,
        },
        index=labels,
    )
    return table, samples, mean, value


def _minimized(
    f: Callable[[Floats], float],
    start: Floats,
    bounds: Sequence[tuple[float | None, float | None]],
) -> Floats:
    """The minimum from two starts, polished by Newton steps over what is not at its bound."""
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
        if not free.size or np.linalg.eigvalsh(hessian).min() <= 0:
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
    """Draws around the estimates: normal in the logarithm of the standard deviations."""
    free = np.flatnonzero((x > _BOUNDARY) | (np.arange(x.size) >= random))
    if not free.size:
        return np.repeat(x[None, :], _MODEL_DRAWS, axis=0)
    log = free < random
    _, hessian = _differences(f, x, free)
    scale = np.where(log, x[free], 1.0)
    # The criterion is minus twice a log-likelihood.
    information = hessian * scale[:, None] * scale / 2
    eigenvalues, vectors = np.linalg.eigh(information)
    if eigenvalues.min() <= 0:
        return np.empty((0, x.size))
    normal = rng.standard_normal((_MODEL_DRAWS, free.size))
    steps = (normal / np.sqrt(eigenvalues)) @ vectors.T
    draws = np.repeat(x[None, :], len(steps), axis=0)
    draws[:, free] = np.where(log, x[free] * np.exp(np.clip(steps, -5, 5)), x[free] + steps)
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
        while rise(end, j) < 0 and end < _LARGEST_RATIO:
            end *= 2
        if end < _LARGEST_RATIO:
            end = float(optimize.brentq(rise, 0.0, end, args=(j,)))  # pyright: ignore
        spread = end / math.sqrt(_RISE)
        draws[:, j] = np.maximum(spread * rng.standard_normal(len(draws)), 0.0)
