"""Restricted likelihoods of variance components, with derivatives.

The covariance matrix of the scores is V = sum of v_k Z_k Z_k' + v_e I, and the criterion is minus
twice the restricted log-likelihood (Patterson and Thompson 1971) in lme4's constant:

    log |V| + log (1' V^-1 1) + y' P y + (n - 1) log 2 pi.

`Strata` has it for a complete design, where V is diagonal in the strata of the mean squares.
`Equations` has it for any design, by the mixed-model equations (Henderson). Their matrix is
eliminated in three layers: the effect with the most levels, whose part is diagonal; the effects
that hold one name in common, such as item, whose part is a block per item; and the rest, dense.

References
----------
Patterson, H. D., Thompson, R. (1971). Recovery of inter-block information when block sizes are
    unequal. Biometrika 58, 545-554.
Gilmour, A. R., Thompson, R., Cullis, B. R. (1995). Average information REML: an efficient algorithm
    for variance parameter estimation in linear mixed models. Biometrics 51, 1440-1450.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

_LEAST_RATIO = 1e-13
"""Share of the residual variance that replaces a variance of 0, so that slopes exist at 0."""
_LARGEST_RATIO = 1e5
"""Ratio to the residual variance of effects that explain what they can."""
_STEP = 1e-4
"""Relative step of the differences of traces."""


@dataclass(frozen=True)
class Evaluation:
    """The criterion at one point.

    Parameters
    ----------
    value : float
        Minus twice the restricted log-likelihood.
    gradient : array
        Derivatives by the variances, the residual's last.
    information : array
        Positive matrix near the second derivatives: y' P V_j P V_k P y (average information).
    mean : float
        Estimate of the grand mean.
    """

    value: float
    gradient: Floats
    information: Floats
    mean: float


class Likelihood(Protocol):
    """A restricted likelihood of variances."""

    n: int
    """Number of scores."""

    def __call__(self, variances: Floats) -> Evaluation: ...

    def expected(self, variances: Floats) -> Floats:
        """Return the expected second derivatives: tr(P V_j P V_k)."""
        ...


class Strata:
    """The restricted likelihood of a complete design: independent mean squares.

    Parameters
    ----------
    ms, df : array
        Mean squares and their degrees of freedom.
    expected_ms : array
        Coefficients of the variances (columns) in the expected mean squares (rows).
    n : int
        Number of scores.
    mean : float
        Grand mean.
    """

    def __init__(self, ms: Floats, df: Floats, expected_ms: Floats, n: int, mean: float) -> None:
        self.ms, self.df, self.coefficients = ms, df, expected_ms
        self.n, self.mean = n, mean
        self._constant = math.log(n) + (n - 1) * math.log(2 * math.pi)

    def __call__(self, variances: Floats) -> Evaluation:
        of = self.coefficients @ variances
        ratio = self.ms / of
        value = float(self.df @ (np.log(of) + ratio)) + self._constant
        gradient = self.coefficients.T @ (self.df * (1 - ratio) / of)
        weights = self.df * np.maximum(ratio, 0.1) / of**2
        information = (self.coefficients.T * weights) @ self.coefficients
        return Evaluation(value, gradient, information, self.mean)

    def expected(self, variances: Floats) -> Floats:
        of = self.coefficients @ variances
        return (self.coefficients.T * (self.df / of**2)) @ self.coefficients


@dataclass(frozen=True)
class Layers:
    """The order in which effects are eliminated.

    Parameters
    ----------
    first : int
        Number of the effect that is eliminated first.
    inside : tuple of int
        Numbers of the effects that are eliminated in blocks.
    block_of : array
        By score, the number of its block.
    n_blocks, width, n_rest : int
        Number of blocks, levels in the largest block, levels of all other effects.
    """

    first: int
    inside: tuple[int, ...]
    block_of: Integers
    n_blocks: int
    width: int
    n_rest: int

    @property
    def cost(self) -> float:
        """Return the number of multiplications of one elimination, about."""
        b, m = self.width, self.n_rest
        return float(self.n_blocks * (b + 1) * (b**2 + 3 * b * m + 2 * m**2) + 2 * m**3)


def layers_of(
    levels: Sequence[Integers], containing: Sequence[frozenset[str]], blocks: dict[str, Integers]
) -> Layers:
    """Return the order of elimination with the fewest multiplications.

    Parameters
    ----------
    levels : sequence of array
        By effect, its level at every score.
    containing : sequence of set
        By effect, the names that it holds.
    blocks : dict
        By name, its level at every score.
    """
    counts = [int(of.max()) + 1 for of in levels]
    orders = []
    for first, names in enumerate(containing):
        for name in sorted(names):
            inside = tuple(
                k for k, others in enumerate(containing) if k != first and name in others
            )
            block_of = blocks[name]
            n_blocks = int(block_of.max()) + 1
            sizes = np.zeros(n_blocks, np.intp)
            for k in inside:
                sizes += np.bincount(_first_seen(levels[k], block_of), minlength=n_blocks)
            rest = sum(counts) - counts[first] - sum(counts[k] for k in inside)
            orders.append(Layers(first, inside, block_of, n_blocks, int(sizes.max()), rest))
    return min(orders, key=lambda one: one.cost)


def _first_seen(levels: Integers, block_of: Integers) -> Integers:
    """The block of every level."""
    of = np.zeros(int(levels.max()) + 1, np.intp)
    of[levels] = block_of
    return of


class Equations:
    """The restricted likelihood of any design, complete or not.

    Parameters
    ----------
    levels : sequence of array
        By random effect, its level at every score.
    layers : Layers
        Order of elimination.
    y : array
        Scores.
    """

    def __init__(self, levels: Sequence[Integers], layers: Layers, y: Floats) -> None:
        self.levels, self.layers = levels, layers
        self.n, self._center = y.size, float(y.mean())
        self.y = y - self._center
        self.counts = [int(of.max()) + 1 for of in levels]
        self._first_levels = levels[layers.first]
        self._first_counts = np.bincount(self._first_levels).astype(float)
        slots, self._effect_of = self._slotted()
        n, columns = self.n, self._effect_of.size
        rows = np.tile(np.arange(n), len(slots))
        at = np.concatenate(slots) if slots else np.zeros(0, np.intp)
        self._z = sparse.csr_matrix((np.ones(at.size), (rows, at)), (n, columns))
        self._zt = sparse.csr_matrix(self._z.T)
        first = sparse.csr_matrix(
            (np.ones(n), (self._first_levels, np.arange(n))), (self.counts[layers.first], n)
        )
        self._first = first
        self._coupling = sparse.csr_matrix(first @ self._z)
        self._coupled = sparse.csr_matrix(self._coupling.T)
        self._sizes, size_of = np.unique(self._first_counts, return_inverse=True)
        self._assemble(size_of)

    def _slotted(self) -> tuple[list[Integers], Integers]:
        """By effect but the first, its column at every score; by column, the effect (or none)."""
        layers = self.layers
        inner, none = layers.n_blocks * layers.width, len(self.levels)
        effect_of = np.full(inner + layers.n_rest, none, np.intp)
        filled = np.zeros(layers.n_blocks, np.intp)
        slots, end = [], inner
        for k, of in enumerate(self.levels):
            if k == layers.first:
                continue
            if k in layers.inside:
                block = _first_seen(of, layers.block_of)
                order = np.argsort(block, kind="stable")
                counts = np.bincount(block, minlength=layers.n_blocks)
                rank = np.empty(block.size, np.intp)
                starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
                rank[order] = np.arange(block.size) - starts[block[order]]
                column = block * layers.width + filled[block] + rank
                filled += counts
            else:
                column = end + np.arange(self.counts[k])
                end += self.counts[k]
            effect_of[column] = k
            slots.append(column[of])
        return slots, effect_of

    def _assemble(self, size_of: Integers) -> None:
        """Where every product of columns goes, and by which size of the first effect's levels."""
        b, m, inner = self._widths
        parts = [sparse.coo_matrix(self._zt @ self._z)]
        for size in range(self._sizes.size):
            rows = self._coupling[np.flatnonzero(size_of == size)]
            parts.append(sparse.coo_matrix(rows.T @ rows))
        positions, values, of = [], [], []
        for number, part in enumerate(parts):
            row, column = part.row.astype(np.intp), part.col.astype(np.intp)
            block = (row < inner) & (column < inner)
            right = (row < inner) & (column >= inner)
            below = (row >= inner) & (column >= inner)
            where = np.select(
                [block, right, below],
                [row * b + column % max(b, 1),
                 inner * b + row * m + column - inner,
                 inner * (b + m) + (row - inner) * m + column - inner],
                -1,
            )  # fmt: skip
            used = where >= 0
            positions.append(where[used])
            values.append(part.data[used])
            of.append(np.full(int(used.sum()), number, np.intp))
        self._positions = np.concatenate(positions)
        self._values, self._part_of = np.concatenate(values), np.concatenate(of)
        self._flat_size = inner * (b + m) + m * m

    @property
    def _widths(self) -> tuple[int, int, int]:
        layers = self.layers
        return layers.width, layers.n_rest, layers.n_blocks * layers.width

    def _folded(self, flat: Floats) -> tuple[Floats, Floats, Floats]:
        """Blocks, their coupling with the rest, and the rest of an assembled matrix."""
        (b, m, inner), count = self._widths, self.layers.n_blocks
        blocks = flat[: inner * b].reshape(count, b, b)
        right = flat[inner * b : inner * (b + m)].reshape(count, b, m)
        return blocks, right, flat[inner * (b + m) :].reshape(m, m)

    def _summed(self, weights: Floats) -> Floats:
        """The products of columns, weighted by the size of the first effect's levels."""
        weighted = self._values * weights[self._part_of]
        return np.asarray(np.bincount(self._positions, weighted, self._flat_size), float)

    def at(self, variances: Floats) -> _Elimination:
        """Return the eliminated equations at these variances."""
        return _Elimination(self, variances)

    def __call__(self, variances: Floats) -> Evaluation:
        at = self.at(variances)
        return Evaluation(at.value, at.gradient, at.information, at.mean + self._center)

    def expected(self, variances: Floats) -> Floats:
        """Return tr(P V_j P V_k): minus the derivatives of tr(P V_j) by the variance k."""
        columns = []
        # A step is a share of the variance or, where it is small, of its standard error.
        widths = np.sqrt(np.maximum(variances**2, 1 / np.diag(self(variances).information)))
        for step in np.diag(_STEP * widths):
            if np.all(variances > 2 * step):
                ends = self.at(variances - step).traces - self.at(variances + step).traces
            else:
                near, far = self.at(variances + step).traces, self.at(variances + 2 * step).traces
                ends = 3 * self.at(variances).traces - 4 * near + far
            columns.append(ends / (2 * step.sum()))
        return (np.array(columns) + np.array(columns).T) / 2

    @property
    def share_of_rest(self) -> float:
        """Return the share of the scores' variation that very large effects leave unexplained."""
        largest = np.append(np.full(len(self.levels), _LARGEST_RATIO), 1.0)
        return self.at(largest).rss / float(self.y @ self.y)


class _Elimination:
    """The eliminated equations at one point; variances are divided by the residual's."""

    def __init__(self, equations: Equations, variances: Floats) -> None:
        self._of, self._residual = equations, float(variances[-1])
        self._ratios = np.maximum(variances[:-1] / self._residual, _LEAST_RATIO)
        first = equations.layers.first
        sizes = equations._sizes
        self._diagonal = 1 + self._ratios[first] * sizes
        reduced = equations._summed(np.append(1.0, -self._ratios[first] / self._diagonal))
        scale = np.append(np.sqrt(self._ratios), 0.0)[equations._effect_of]
        b, m, inner = equations._widths
        self._scale = scale
        left, right = scale[:inner].reshape(equations.layers.n_blocks, b), scale[inner:]
        blocks, across, rest = equations._folded(reduced)
        self._blocks = blocks * left[:, :, None] * left[:, None, :]
        self._across = across * left[:, :, None] * right
        self._rest = rest * right[:, None] * right
        inside = self._blocks + np.eye(b)
        self._inverse = np.linalg.inv(inside)
        self._weights = self._inverse @ self._across
        flat = self._weights.reshape(inner, m)
        schur = self._rest + np.eye(m) - self._across.reshape(inner, m).T @ flat
        factor = np.asarray(np.linalg.cholesky(schur), float)
        self._rest_inverse = _inverse_of(factor)
        counted = np.bincount(np.searchsorted(sizes, equations._first_counts))
        self._log_determinant = float(
            counted @ np.log(self._diagonal)
            + np.linalg.slogdet(inside)[1].sum()
            + 2 * np.log(np.diag(factor)).sum()
        )

    def _solved(self, right: Floats) -> Floats:
        """V^-1 times columns over scores, times the residual variance."""
        of, theta = self._of, math.sqrt(self._ratios[self._of.layers.first])
        (b, m, inner), count = of._widths, right.shape[1]
        d = (1 + theta**2 * of._first_counts)[:, None]
        top = theta * (of._first @ right) / d
        below = self._scale[:, None] * (of._zt @ right - theta * (of._coupled @ top))
        start = below[:inner].reshape(of.layers.n_blocks, b, count)
        flat = self._weights.reshape(inner, m)
        rest = self._rest_inverse @ (below[inner:] - flat.T @ below[:inner])
        inside = (self._inverse @ start).reshape(inner, count) - flat @ rest
        solution = self._scale[:, None] * np.vstack([inside, rest])
        top = top - theta * (of._coupling @ solution) / d
        return right - of._z @ solution - theta * top[of._first_levels]

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
        b, _, inner = of._widths
        inverses = self._inverses
        parts = of._folded(
            inverses * np.concatenate([x.ravel() for x in (self._blocks, self._across, self._rest)])
        )
        inside = parts[0].sum(axis=2).ravel() + parts[1].sum(axis=2).ravel()
        rest = parts[1].sum(axis=(0, 1)) + parts[2].sum(axis=1)
        traces = np.bincount(of._effect_of, np.concatenate([inside, rest]), k + 1)[:k]
        traces = traces / self._ratios
        first = of.layers.first
        left, right = self._scale[:inner].reshape(of.layers.n_blocks, b), self._scale[inner:]
        blocks, across, below = of._folded(inverses)
        spread = np.concatenate([
            (blocks * left[:, :, None] * left[:, None, :]).ravel(),
            (2 * across * left[:, :, None] * right).ravel(),
            (below * right[:, None] * right).ravel(),
        ])  # fmt: skip
        counted = np.bincount(np.searchsorted(of._sizes, of._first_counts))
        traces[first] = counted @ (of._sizes / self._diagonal)
        traces[first] -= spread @ of._summed(np.append(0.0, self._diagonal**-2))
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
