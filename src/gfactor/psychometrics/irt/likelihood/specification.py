"""Specification of a model: items in blocks of one kind, groups, and the free parameters.

All parameters of all items and groups stand in one vector `values`. The free ones `x` give it by a
linear map, values = base + design x, so that equality constraints, fixed values and explanatory
models (LLTM: difficulties are sums of effects) are one mechanism.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

from gfactor.psychometrics.float_arrays import eigvalsh
from gfactor.psychometrics.irt.likelihood.curves import Floats, Kind

Ints = NDArray[np.intp]
Density = Literal["normal", "lognormal", "beta"]

FEW_PARAMETERS = 200
"""With up to this number of parameters, fixed ones included, dense matrices take less time."""
_CHUNK = 4_000_000
"""Largest number of entries of a derivative array in memory."""


@dataclass(frozen=True)
class Block:
    """Items of one kind with equally many categories that measure the same factors.

    Parameters
    ----------
    kind : str
        Family of the items.
    categories : int
        Number of categories of every item.
    columns : integer array (J,)
        Columns of the data.
    index : integer array (J, M)
        Position of every parameter in `values`.
    factors : tuple of int
        Factors that the slopes belong to.
    """

    kind: Kind
    categories: int
    columns: Ints
    index: Ints
    factors: tuple[int, ...] = (0,)

    def chunks(self, nodes: int) -> Iterator[slice]:
        """Yield slices of items small enough for second derivatives to be held at `nodes` nodes."""
        each = self.categories * nodes * self.index.shape[1] ** 2
        step = max(1, _CHUNK // each)
        for start in range(0, len(self.columns), step):
            yield slice(start, start + step)


@dataclass(frozen=True)
class IrtGroup:
    """A population: its items' parameters and its distribution of ability.

    Parameters
    ----------
    name : str
        Name of the group in results.
    blocks : tuple of Block
        Its items.
    mean : integer array (F,)
        Positions of the means.
    covariance : integer array (F, F)
        Positions of variances and covariances, symmetric.
    regression : integer array (C, F) or None
        Positions of the slopes on covariates.
    latent_fixed : bool
        True if mean and covariance are fixed.
    """

    name: str
    blocks: tuple[Block, ...]
    mean: Ints
    covariance: Ints
    regression: Ints | None = None
    latent_fixed: bool = True

    @cached_property
    def latent(self) -> Ints:
        """Positions of means, then of the lower triangle of the covariance."""
        rows, columns = np.tril_indices(len(self.mean))
        return np.concatenate([self.mean, self.covariance[rows, columns]])


@dataclass(frozen=True)
class Prior:
    """A prior density of one entry of `values`.

    `normal` takes mean and standard deviation; `lognormal` those of the logarithm, as a density of
    the entry; `beta` (two shapes) is a density of the probability whose logit the entry is, without
    a Jacobian.
    """

    position: int
    density: Density
    first: float
    second: float

    def log_density(self, v: float) -> tuple[float, float, float]:
        """Return the log density with first and second derivatives; -inf outside the support."""
        a, b = self.first, self.second
        if self.density == "normal":
            z = (v - a) / b
            return -0.5 * z * z - np.log(b) - 0.5 * np.log(2 * np.pi), -z / b, -1 / b**2
        if self.density == "lognormal":
            if v <= 0:
                return -np.inf, 0.0, 0.0
            z = (np.log(v) - a) / b
            value = -0.5 * z * z - np.log(b) - 0.5 * np.log(2 * np.pi) - np.log(v)
            return value, -(z / b + 1) / v, (z / b + 1 - 1 / b**2) / v**2
        p = special.expit(v)
        value = (a - 1) * np.log(p) + (b - 1) * np.log1p(-p) - special.betaln(a, b)
        return value, (a - 1) * (1 - p) - (b - 1) * p, -(a + b - 2) * p * (1 - p)


@dataclass(frozen=True)
class IrtModel:
    """A model with its free parameters.

    Parameters
    ----------
    factors : int
        Number of abilities.
    groups : tuple of IrtGroup
        Populations.
    base : array (V,)
        Values of fixed parameters, zero elsewhere.
    design : sparse matrix (V, X)
        values = base + design x.
    start : array (X,)
        Starting values.
    labels : tuple of str
        Names of all entries of `values`, "GROUP:ITEM.PARAMETER".
    free_labels : tuple of str
        Names of the free parameters.
    priors : tuple of Prior
        Priors of entries of `values`.
    bifactor : bool
        Factor 0 is general, every block has one more at the most, and all are independent.
    """

    factors: int
    groups: tuple[IrtGroup, ...]
    base: Floats
    design: sparse.csr_matrix
    start: Floats
    labels: tuple[str, ...]
    free_labels: tuple[str, ...]
    priors: tuple[Prior, ...] = ()
    bifactor: bool = False
    ordered: tuple[Block, ...] = field(default=())

    def values(self, x: Floats) -> Floats:
        """Return all parameters, given the free ones."""
        return self.base + self.design @ x

    def summed(
        self, rows: Ints, columns: Ints, entries: Floats, diagonal: Floats
    ) -> Floats | sparse.csc_matrix:
        """Return the matrix (X, X) of the free parameters for one of all (V, V): entries are
        summed, and `diagonal` (V,) is added; dense for few parameters, else sparse."""
        size, design = len(self.base), self.design
        if size <= FEW_PARAMETERS:
            dense = np.zeros((size, size))
            np.add.at(dense, (rows, columns), entries)
            dense[np.diag_indices(size)] += diagonal
            return design.T @ (design.T @ dense).T
        full = sparse.coo_matrix((entries, (rows, columns)), shape=(size, size)).tocsr()
        return (design.T @ (full + sparse.diags(diagonal)) @ design).tocsc()

    def admissible(self, values: Floats) -> bool:
        """Return True if covariances are positive definite and thresholds are in order."""
        if not np.all(np.isfinite(values[self.design.getnnz(axis=1) > 0])):
            return False
        for group in self.groups:
            cov = values[group.covariance]
            if not group.latent_fixed and eigvalsh(cov)[0] <= 0:
                return False
            for block in group.blocks:
                if block.kind == "graded":
                    steps = values[block.index][:, len(block.factors) :]
                    if np.any(np.diff(steps, axis=1) >= 0):
                        return False
        return True

    def log_prior(self, values: Floats) -> tuple[float, Floats]:
        """Return the log density of the priors and its gradient in `values`."""
        total, gradient = 0.0, np.zeros(len(values))
        for prior in self.priors:
            value, slope, _ = prior.log_density(float(values[prior.position]))
            total += value
            gradient[prior.position] += slope
        return total, gradient

    def prior_precision(self, values: Floats, positive: bool) -> Floats:
        """Return diagonal of the negative Hessian of the log prior; not below zero if
        `positive`."""
        diagonal = np.zeros(len(values))
        for prior in self.priors:
            bend = -prior.log_density(float(values[prior.position]))[2]
            diagonal[prior.position] += max(bend, 0.0) if positive else bend
        return diagonal
