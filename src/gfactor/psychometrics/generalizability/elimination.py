"""The mixed-model equations at one point: criterion, slopes and average information."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from gfactor.psychometrics.float_arrays import cholesky, inv

if TYPE_CHECKING:
    from gfactor.psychometrics.generalizability.equations import Equations

Floats = NDArray[np.float64]

_LEAST_RATIO = 1e-13
"""Share of the residual variance that replaces a variance of 0, so that slopes exist at 0."""


class Elimination:
    """The mixed-model equations at one point after elimination of the random effects; variances are
    divided by the residual variance."""

    def __init__(self, equations: Equations, variances: Floats) -> None:
        self._of, self._residual = equations, float(variances[-1])
        self._ratios: Floats = np.maximum(variances[:-1] / self._residual, _LEAST_RATIO)
        first = equations.layers.first
        sizes = equations.sizes
        self._diagonal: Floats = 1 + self._ratios[first] * sizes
        reduced = equations.summed(np.append(1.0, -self._ratios[first] / self._diagonal))
        scale = np.append(np.sqrt(self._ratios), 0.0)[equations.effect_of]
        b, m, inner = equations.widths
        self._scale: Floats = scale
        left, right = scale[:inner].reshape(equations.layers.n_blocks, b), scale[inner:]
        blocks, across, rest = equations.folded(reduced)
        self._blocks: Floats = blocks * left[:, :, None] * left[:, None, :]
        self._across: Floats = across * left[:, :, None] * right
        self._rest: Floats = rest * right[:, None] * right
        inside = self._blocks + np.eye(b)
        self._inverse: Floats = np.asarray(inv(inside), float)
        self._weights: Floats = self._inverse @ self._across
        flat = self._weights.reshape(inner, m)
        schur = self._rest + np.eye(m) - self._across.reshape(inner, m).T @ flat
        factor = np.asarray(cholesky(schur), float)
        self._rest_inverse: Floats = _inverse_of(factor)
        counted = np.bincount(np.searchsorted(sizes, equations.first_counts))
        self._log_determinant = float(
            counted @ np.log(self._diagonal)
            + np.linalg.slogdet(inside)[1].sum()
            + 2 * np.log(np.diag(factor)).sum()
        )

    def _solved(self, right: Floats) -> Floats:
        """V^-1 times columns over scores, times the residual variance."""
        of, theta = self._of, math.sqrt(self._ratios[self._of.layers.first])
        (b, m, inner), count = of.widths, right.shape[1]
        d = (1 + theta**2 * of.first_counts)[:, None]
        top = theta * (of.first @ right) / d
        below = self._scale[:, None] * (of.zt @ right - theta * (of.coupled @ top))
        start = below[:inner].reshape(of.layers.n_blocks, b, count)
        flat = self._weights.reshape(inner, m)
        rest = self._rest_inverse @ (below[inner:] - flat.T @ below[:inner])
        inside = (self._inverse @ start).reshape(inner, count) - flat @ rest
        solution = self._scale[:, None] * np.vstack([inside, rest])
        top = top - theta * (of.coupling @ solution) / d
        return right - of.z @ solution - theta * top[of.first_levels]

    @cached_property
    def _inverses(self) -> Floats:
        """The inverse of the eliminated matrix, in the layout of the assembled one."""
        across = -(self._weights @ self._rest_inverse)
        blocks = self._inverse - across @ self._weights.transpose(0, 2, 1)
        return np.concatenate([blocks.ravel(), across.ravel(), self._rest_inverse.ravel()])

    @cached_property
    def _both(self) -> Floats:
        return self._solved(np.column_stack([np.ones(self._of.n), self._of.y]))

    @cached_property
    def _ones(self) -> float:
        return float(self._both[:, 0].sum())

    @cached_property
    def mean(self) -> float:
        """Return the estimate of the mean."""
        return float(self._both[:, 1].sum() / self._ones)

    @cached_property
    def _rest_of_scores(self) -> Floats:
        """P y times the residual variance."""
        return self._both[:, 1] - self.mean * self._both[:, 0]

    @cached_property
    def rss(self) -> float:
        """Return y' P y times the residual variance."""
        return max(float(self._of.y @ self._rest_of_scores), np.finfo(float).tiny)

    @cached_property
    def value(self) -> float:
        df = self._of.n - 1
        return (
            df * math.log(2 * math.pi * self._residual)
            + self._log_determinant
            + math.log(self._ones)
            + self.rss / self._residual
        )

    @cached_property
    def traces(self) -> Floats:
        """Return tr(P V_k)."""
        of, k = self._of, len(self._ratios)
        b, _, inner = of.widths
        inverses = self._inverses
        parts = of.folded(
            inverses * np.concatenate([x.ravel() for x in (self._blocks, self._across, self._rest)])
        )
        inside = parts[0].sum(axis=2).ravel() + parts[1].sum(axis=2).ravel()
        rest = parts[1].sum(axis=(0, 1)) + parts[2].sum(axis=1)
        traces = np.bincount(of.effect_of, np.concatenate([inside, rest]), k + 1)[:k]
        traces = traces / self._ratios
        first = of.layers.first
        left, right = self._scale[:inner].reshape(of.layers.n_blocks, b), self._scale[inner:]
        blocks, across, below = of.folded(inverses)
        spread = np.concatenate([
            (blocks * left[:, :, None] * left[:, None, :]).ravel(),
            (2 * across * left[:, :, None] * right).ravel(),
            (below * right[:, None] * right).ravel(),
        ])  # fmt: skip
        counted = np.bincount(np.searchsorted(of.sizes, of.first_counts))
        traces[first] = counted @ (of.sizes / self._diagonal)
        traces[first] -= spread @ of.summed(np.append(0.0, self._diagonal**-2))
        for number, levels in enumerate(of.levels):
            sums = np.bincount(levels, self._both[:, 0])
            traces[number] -= sums @ sums / self._ones
        of_residual = of.n - 1 - self._ratios @ traces
        return np.asarray(np.append(traces, of_residual), float) / self._residual

    @cached_property
    def _directions(self) -> Floats:
        """V_k P y, times the residual variance: scores by effects."""
        rest = self._rest_of_scores
        columns = [np.bincount(levels, rest)[levels] for levels in self._of.levels]
        return np.asarray(np.column_stack([*columns, rest]), float)

    @cached_property
    def gradient(self) -> Floats:
        squares = self._rest_of_scores @ self._directions
        return self.traces - squares / self._residual**2

    @cached_property
    def information(self) -> Floats:
        solved = self._solved(self._directions)
        solved -= np.outer(self._both[:, 0], solved.sum(axis=0) / self._ones)
        average = np.asarray(self._directions.T @ solved, float) / self._residual**3
        return (average + average.T) / 2


def _inverse_of(factor: Floats) -> Floats:
    """The inverse of a symmetric matrix by its Cholesky factor."""
    if not factor.size:
        return factor
    half = linalg.solve_triangular(factor, np.eye(len(factor)), lower=True)
    return np.asarray(half.T @ half, float)
