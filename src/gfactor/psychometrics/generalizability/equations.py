"""The mixed-model equations of a design with missing cells, and how they are eliminated.

The matrix of the equations (Henderson) is eliminated in three layers: the effect with the most
levels, whose part is diagonal; the effects that hold one name in common, such as item, whose part
is a block per item; and the rest, dense.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gfactor.psychometrics.generalizability.elimination import Elimination
from gfactor.psychometrics.generalizability.likelihoods import CriterionPoint

Floats = NDArray[np.float64]
Integers = NDArray[np.intp]

_LARGEST_RATIO = 1e5
"""Ratio of an effect's variance to the residual variance at which it explains all it can."""
_STEP = 1e-4
"""Relative step of the differences of traces."""


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
        """Return the approximate number of multiplications of one elimination."""
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
        self.n, self.center = y.size, float(y.mean())
        self.y = y - self.center
        self.counts = [int(of.max()) + 1 for of in levels]
        self.first_levels = levels[layers.first]
        self.first_counts = np.bincount(self.first_levels).astype(float)
        slots, self.effect_of = self._slotted()
        n, columns = self.n, self.effect_of.size
        rows = np.tile(np.arange(n), len(slots))
        at = np.concatenate(slots) if slots else np.zeros(0, np.intp)
        self.z = sparse.csr_matrix((np.ones(at.size), (rows, at)), (n, columns))
        self.zt = sparse.csr_matrix(self.z.T)
        first = sparse.csr_matrix(
            (np.ones(n), (self.first_levels, np.arange(n))), (self.counts[layers.first], n)
        )
        self.first = first
        self.coupling = sparse.csr_matrix(first @ self.z)
        self.coupled = sparse.csr_matrix(self.coupling.T)
        self.sizes, size_of = np.unique(self.first_counts, return_inverse=True)
        self._assemble(size_of)

    def _slotted(self) -> tuple[list[Integers], Integers]:
        """By effect except the first, its column at every score; by column, the effect (or
        none)."""
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
        """Note the cell of every product of columns and the size of its first level."""
        b, m, inner = self.widths
        parts = [sparse.coo_matrix(self.zt @ self.z)]
        for size in range(self.sizes.size):
            rows = self.coupling[np.flatnonzero(size_of == size)]
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
    def widths(self) -> tuple[int, int, int]:
        layers = self.layers
        return layers.width, layers.n_rest, layers.n_blocks * layers.width

    def folded(self, flat: Floats) -> tuple[Floats, Floats, Floats]:
        """Split an assembled matrix into its blocks, their coupling with the rest, and the rest."""
        (b, m, inner), count = self.widths, self.layers.n_blocks
        blocks = flat[: inner * b].reshape(count, b, b)
        right = flat[inner * b : inner * (b + m)].reshape(count, b, m)
        return blocks, right, flat[inner * (b + m) :].reshape(m, m)

    def summed(self, weights: Floats) -> Floats:
        """Return the products of columns, weighted by the size of the first effect's levels."""
        weighted = self._values * weights[self._part_of]
        return np.asarray(np.bincount(self._positions, weighted, self._flat_size), float)

    def at(self, variances: Floats) -> Elimination:
        """Return the eliminated equations at these variances."""
        return Elimination(self, variances)

    def __call__(self, variances: Floats) -> CriterionPoint:
        at = self.at(variances)
        return CriterionPoint(at.value, at.gradient, at.information, at.mean + self.center)

    def expected(self, variances: Floats) -> Floats:
        """Return tr(P V_j P V_k), minus the derivative of tr(P V_j) with respect to the variance
        k."""
        columns = []
        # A step is a share of the variance or, if that is small, of its standard error.
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
