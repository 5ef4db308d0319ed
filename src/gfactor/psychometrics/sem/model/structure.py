"""A parameter table as matrices: which free parameter stands where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from gfactor.psychometrics.sem.model.derivative_index import (
    COVARIANCE,
    INTERCEPT,
    LOADING,
    MEAN,
    REGRESSION,
    RESIDUAL,
    DerivativeIndex,
    index_derivatives,
)


class MatrixCell(NamedTuple):
    """Position of one row of the table: the matrix and the cell in it."""

    matrix: int
    row: int
    column: int


Selector = tuple[Any, Any]


def span(positions: np.ndarray) -> np.ndarray | slice:
    """Return the positions as a slice if they are consecutive, as they often are: slices are
    several times as fast."""
    if (
        len(positions)
        and positions[-1] - positions[0] == len(positions) - 1
        and (np.diff(positions) == 1).all()
    ):
        return slice(int(positions[0]), int(positions[-1]) + 1)
    return positions


def block_of(rows: np.ndarray, columns: np.ndarray) -> Selector:
    """Return a selector of these rows and columns of a matrix, as slices if they are
    consecutive."""
    first, second = span(rows), span(columns)
    if isinstance(first, slice) and isinstance(second, slice):
        return first, second
    return rows[:, None], columns


@dataclass(frozen=True, eq=False)
class GroupStructure:
    """The matrices of one group: fixed values, and the positions of free parameters.

    The model is y = nu + Lambda eta + epsilon, eta = alpha + Beta eta + zeta, with Psi and Theta
    the covariances of zeta and epsilon (Joreskog and Sorbom's all-y form). An observed variable in
    a regression, or with a covariance with such a variable, is an eta of its own with a loading of
    one and no residual.

    Parameters
    ----------
    observed, latent: names; the latent ones hold such observed variables after the true ones.
    base: the six matrices with fixed values in place and zeros where parameters are free.
    kind, row, column, index: one entry per free parameter of the group: the matrix, the position in
    it, and its number in the parameter vector, from 0.
    """

    observed: tuple[str, ...]
    latent: tuple[str, ...]
    n_true_latent: int
    base: tuple[np.ndarray, ...]
    kind: np.ndarray
    row: np.ndarray
    column: np.ndarray
    index: np.ndarray

    @property
    def p(self) -> int:
        return len(self.observed)

    @property
    def q(self) -> int:
        return len(self.latent)

    @cached_property
    def acting(self) -> np.ndarray:
        """For each eta after the true latent variables: the observed variable that it represents,
        or -1 (given covariates of ordinal variables)."""
        loading = self.base[LOADING][:, self.n_true_latent :]
        if not loading.size:
            return np.full(loading.shape[1], -1)
        return np.where(loading.any(axis=0), (loading != 0).argmax(axis=0), -1)

    @cached_property
    def fixed_loadings(self) -> np.ndarray:
        """Fixed loadings on the true latent variables, shape (p, true latents): those of the matrix
        of loadings, and those of observed variables that are etas."""
        true = self.n_true_latent
        fixed = self.base[LOADING][:, :true].copy()
        for eta, k in enumerate(self.acting, start=true):
            if k >= 0:
                fixed[k] += self.base[REGRESSION][eta, :true]
        fixed.setflags(write=False)
        return fixed

    @cached_property
    def recursive(self) -> bool:
        """Return True if there are regressions among the etas."""
        return bool(self.base[REGRESSION].any() or (self.kind == REGRESSION).any())

    @cached_property
    def depth(self) -> int | None:
        """The longest chain of regressions, or None if there is a loop (or a very long chain):
        (I - Beta)^-1 is the sum of the powers of Beta up to it."""
        led = self.base[REGRESSION] != 0
        regressions = self.kind == REGRESSION
        led[self.row[regressions], self.column[regressions]] = True
        chain = led
        for length in range(4):
            if not chain.any():
                return length
            chain = chain @ led
        return None

    @cached_property
    def latent_means(self) -> bool:
        return bool(self.base[MEAN].any() or (self.kind == MEAN).any())

    @cached_property
    def free_elements(self) -> tuple[tuple[np.ndarray, np.ndarray, np.ndarray], ...]:
        """Per matrix: rows, columns and parameter numbers of its free elements, mirrored."""
        elements = []
        for kind, of_kind in enumerate(self.of_kind):
            row, column, index = self.row[of_kind], self.column[of_kind], self.index[of_kind]
            if kind in (COVARIANCE, RESIDUAL):
                off = row != column
                row, column, index = (
                    np.concatenate([row, column[off]]),
                    np.concatenate([column, row[off]]),
                    np.concatenate([index, index[off]]),
                )
            elements.append((row, column, index))
        return tuple(elements)

    @cached_property
    def filled(self) -> tuple[tuple[int, np.ndarray, np.ndarray, np.ndarray], ...]:
        """The matrices that have free elements, with `free_elements`."""
        return tuple(
            (kind, *elements)
            for kind, elements in enumerate(self.free_elements)
            if len(elements[0])
        )

    @cached_property
    def flat(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[slice, ...]]:
        """The six matrices as one vector: fixed values, the positions of free elements, the numbers
        of their parameters, and each matrix's part."""
        sizes = [matrix.size for matrix in self.base]
        ends = np.cumsum(sizes).tolist()
        parts = tuple(slice(end - size, end) for end, size in zip(ends, sizes, strict=True))
        positions = [
            parts[kind].start + row * self.base[kind].shape[1] + column
            for kind, (row, column, _) in enumerate(self.free_elements)
        ]
        numbers = [index for _, _, index in self.free_elements]
        fixed = np.concatenate([matrix.ravel() for matrix in self.base])
        return fixed, np.concatenate(positions), np.concatenate(numbers), parts

    @cached_property
    def identities(self) -> tuple[np.ndarray, np.ndarray]:
        """Identity matrices of p and of q rows."""
        return np.eye(self.p), np.eye(self.q)

    @cached_property
    def of_kind(self) -> tuple[np.ndarray, ...]:
        """Per matrix: the group's free parameters in it."""
        return tuple(np.flatnonzero(self.kind == kind) for kind in range(6))

    @cached_property
    def blocks(self) -> dict[tuple[int, int], Selector]:
        """Per pair of matrices: the block of the group's Hessian that belongs to them."""
        return {
            (one, other): block_of(self.of_kind[one], self.of_kind[other])
            for one in range(6)
            for other in range(6)
        }

    @cached_property
    def selectors(self) -> tuple[Selector, Selector, Selector, Selector]:
        """Return selectors for a group's Hessian: the blocks of the parameters that change Sigma
        and mu, and the mixed one; and the position of the group's Hessian in that of all
        parameters.
        """
        cov, mean = self.covariance_part[0], self.mean_part[0]
        whole = block_of(self.index, self.index)
        return block_of(cov, cov), block_of(mean, mean), block_of(mean, cov), whole

    @cached_property
    def covariance_part(self) -> tuple[np.ndarray, DerivativeIndex]:
        """The parameters that change Sigma: their positions among the group's, and the positions of
        their derivatives."""
        chosen = np.flatnonzero(self.kind <= RESIDUAL)
        kind, row, column = self.kind[chosen], self.row[chosen], self.column[chosen]
        return chosen, index_derivatives(kind, row, column, self.p, self.q)

    @cached_property
    def sigma_index(self) -> np.ndarray | slice:
        """Positions in the parameter vector of the parameters that change Sigma."""
        return span(self.index[self.covariance_part[0]])

    @cached_property
    def whole_sigma(self) -> Selector:
        """Block, in the Hessian of all parameters, of those that change Sigma."""
        index = self.index[self.covariance_part[0]]
        return block_of(index, index)

    @cached_property
    def mean_part(self) -> tuple[np.ndarray, ...]:
        """Return the parameters that change mu: their positions, the rows of the left factor, and
        the eta whose mean scales them (-1: none).
        """
        moves = self.kind >= INTERCEPT
        if self.latent_means:
            moves |= self.kind <= REGRESSION
        chosen = np.flatnonzero(moves)
        kind, row, column = self.kind[chosen], self.row[chosen], self.column[chosen]
        left = np.where((kind == LOADING) | (kind == INTERCEPT), row, self.p + row)
        return chosen, left, np.where(kind <= REGRESSION, column, -1)


@dataclass(frozen=True, eq=False)
class Structure:
    """All groups of a model."""

    groups: tuple[GroupStructure, ...]
    n_free: int
    cells: tuple[MatrixCell | None, ...]
    """One per row of the table: None for constraints, definitions and thresholds."""
    meanstructure: bool
