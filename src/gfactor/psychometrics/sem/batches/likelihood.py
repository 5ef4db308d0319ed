"""The normal likelihood of complete data for many replicates of one model.

The numbers are those that `discrepancy.normal` and `model.point` give for one replicate at a time.
The axis of replicates is the first one of matrices that are multiplied, and the last one otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from gfactor.psychometrics.float_arrays import einsum, inv
from gfactor.psychometrics.sem.batches.derivatives import (
    DerivativeParts,
    GroupParts,
    ModelDerivatives,
    spread,
)
from gfactor.psychometrics.sem.batches.layout import DerivativeLayout
from gfactor.psychometrics.sem.batches.moments import Moments, inverted
from gfactor.psychometrics.sem.discrepancy import NormalLikelihood
from gfactor.psychometrics.sem.model import Structure
from gfactor.psychometrics.sem.model.derivative_index import COVARIANCE, RESIDUAL
from gfactor.psychometrics.sem.model.structure import GroupStructure
from gfactor.psychometrics.sem.parameters import Parameter
from gfactor.psychometrics.sem.sample import Blocks


@dataclass
class GroupState:
    """One group's matrices at a point of each replicate; the first axis is over replicates."""

    reduced: np.ndarray
    cross: np.ndarray
    total: np.ndarray
    latent_cov: np.ndarray
    inverse: np.ndarray
    away: np.ndarray
    eta: np.ndarray

    def take(self, which: np.ndarray) -> GroupState:
        return GroupState(*(getattr(self, one.name)[which] for one in fields(self)))

    def joined(self, other: GroupState) -> GroupState:
        names = [one.name for one in fields(self)]
        return GroupState(
            *(np.concatenate([getattr(self, name), getattr(other, name)]) for name in names)
        )

    def put(self, which: np.ndarray, other: GroupState) -> None:
        for one in fields(self):
            getattr(self, one.name)[which] = getattr(other, one.name)


@dataclass
class State:
    """All groups, and the discrepancy of each replicate (infinite if it is not defined)."""

    value: np.ndarray
    groups: tuple[GroupState, ...]

    def take(self, which: np.ndarray) -> State:
        return State(self.value[which], tuple(group.take(which) for group in self.groups))

    def joined(self, other: State) -> State:
        """Return the replicates of this state and of another."""
        pairs = zip(self.groups, other.groups, strict=True)
        groups = tuple(ours.joined(theirs) for ours, theirs in pairs)
        return State(np.concatenate([self.value, other.value]), groups)

    def put(self, which: np.ndarray, other: State) -> None:
        self.value[which] = other.value
        for ours, theirs in zip(self.groups, other.groups, strict=True):
            ours.put(which, theirs)


class ReplicateLikelihood:
    """A model's discrepancy for replicates numbered from 0, as `discrepancy.NormalLikelihood`.

    Parameters
    ----------
    structure: the model. moments: the samples'.
    given: per group, the fixed cells that follow each sample's moments (covariates taken as given):
        matrix, row, column and the two variables (-1: a mean).
    """

    def __init__(
        self,
        structure: Structure,
        moments: Moments,
        given: Sequence[Sequence[tuple[int, int, int, int, int]]],
    ) -> None:
        self.structure = structure
        self.moments = moments
        self.use_mean = structure.meanstructure
        self.given = given
        self.shares = moments.shares
        layouts = [DerivativeLayout(group, structure.n_free) for group in structure.groups]
        self._derivatives = ModelDerivatives(layouts, self.shares, structure.n_free, self.use_mean)

    def matrices(self, number: int, theta: np.ndarray, which: np.ndarray) -> list[np.ndarray]:
        """Return one group's six matrices, replicates first, at theta of shape (R, n_free)."""
        s = self.structure.groups[number]
        fixed, positions, numbers, parts = s.flat
        flat = np.empty((len(theta), len(fixed)))
        flat[:] = fixed
        flat[:, positions] = theta[:, numbers]
        out = [
            flat[:, part].reshape(len(theta), *one.shape)
            for part, one in zip(parts, s.base, strict=True)
        ]
        for kind, row, column, first, second in self.given[number]:
            sample = self.moments.groups[number]
            if second < 0:
                out[kind][:, row, column] = sample.mean[which, first]
            else:
                out[kind][:, row, column] = sample.cov[which, first, second]
        return out

    def at(self, theta: np.ndarray, which: np.ndarray) -> State:
        """Return the state of the replicates `which`, shape (R,), at the point theta, shape (R,
        n_free)."""
        value = np.zeros(len(theta))
        groups = []
        for number, s in enumerate(self.structure.groups):
            lam, beta, psi, resid, nu, alpha = self.matrices(number, theta, which)
            if s.recursive:
                total = _total_effects(s, beta)
                reduced, cov = lam @ total, total @ psi @ total.mT
            else:
                total = np.broadcast_to(s.identities[1], beta.shape).copy()
                reduced, cov = lam.copy(), psi.copy()
            cross = lam @ cov
            sigma = cross @ lam.mT + resid
            inverse, logdet, good = inverted(sigma)
            sample = self.moments.groups[number]
            trace = einsum("rij,rij->r", inverse, sample.cov[which])
            eta = (total @ alpha)[:, :, 0]
            away = np.zeros((len(theta), s.p))
            if self.use_mean:
                mu = nu[:, :, 0]
                if s.latent_means:
                    mu = mu + (lam @ eta[:, :, None])[:, :, 0]
                away = sample.mean[which] - mu
                trace += einsum("ri,rij,rj->r", away, inverse, away, optimize=True)
            distance = self.shares[number] * ((logdet + trace) / 2 - sample.saturated[which])
            value += np.where(good & np.isfinite(trace), distance, np.inf)
            groups.append(GroupState(reduced, cross, total, cov, inverse, away, eta))
        return State(value, tuple(groups))

    def parts(self, state: State, which: np.ndarray) -> DerivativeParts:
        """Return the products from which derivatives are taken, at a state of the replicates
        `which`."""
        products = []
        for number, group in enumerate(state.groups):
            count = len(state.value)
            others = np.concatenate([group.reduced.mT, group.cross.mT], axis=1)
            sample = self.moments.groups[number].cov[which]
            pulled = eta = np.zeros((count, 0))
            if self.use_mean:
                sample = sample + group.away[:, :, None] * group.away[:, None, :]
                ahead = group.inverse @ group.away[:, :, None]
                pulled = np.concatenate([ahead, others @ ahead], axis=1)[:, :, 0]
                eta = np.concatenate([group.eta, np.ones((count, 1))], axis=1)
            latent = np.concatenate(
                [group.total.reshape(count, -1), group.latent_cov.reshape(count, -1)], axis=1
            )
            products.append(
                GroupParts(
                    spread(group.inverse, others),
                    spread(group.inverse @ sample @ group.inverse, others),
                    pulled,
                    eta,
                    latent,
                )
            )
        return DerivativeParts(tuple(products))

    def alone(self, replicate: int) -> NormalLikelihood:
        """Return the likelihood of one replicate, for single searches; it does not support `given`
        cells."""
        blocks = tuple(
            Blocks(
                np.array([share]),
                np.ones((1, group.mean.shape[1]), dtype=bool),
                group.mean[replicate, None],
                group.cov[replicate, None],
                None,
                share * float(group.saturated[replicate]),
            )
            for group, share in zip(self.moments.groups, self.shares, strict=True)
        )
        return NormalLikelihood(self.structure, blocks, use_mean=self.use_mean)

    def gradient(self, parts: DerivativeParts) -> np.ndarray:
        """Shape (R, n_free)."""
        return self._derivatives.gradient(parts)

    def expected(self, parts: DerivativeParts) -> np.ndarray:
        """Return the lower triangles of the expected Hessian, shape (R, n_free, n_free)."""
        return self._derivatives.expected(parts)

    def hessian(self, parts: DerivativeParts) -> np.ndarray:
        """Return the exact Hessian, as `expected`."""
        return self._derivatives.hessian(parts)


def _total_effects(s: GroupStructure, beta: np.ndarray) -> np.ndarray:
    """(I - Beta)^-1 of every replicate."""
    if s.depth is None:
        return inv(s.identities[1] - beta)
    total, power = s.identities[1] + beta, beta
    for _ in range(s.depth - 1):
        power = power @ beta
        total += power
    return total


Cells = list[list[tuple[int, int, int, int, int]]]


def given_cells(
    structure: Structure, rows: Sequence[Parameter], variables: Sequence[str], fixed: bool
) -> Cells:
    """Return for each group the cells of covariates taken as given; see `ReplicateLikelihood`."""
    index = {name: k for k, name in enumerate(variables)}
    cells: list[list[tuple[int, int, int, int, int]]] = [[] for _ in structure.groups]
    if not fixed:
        return cells
    for row, cell in zip(rows, structure.cells, strict=True):
        if not row.exo or row.free or cell is None:
            continue
        first = index[row.lhs]
        second = -1 if row.op == "~1" else index[row.rhs]
        of_group = cells[row.group - 1]
        of_group.append((cell.matrix, cell.row, cell.column, first, second))
        if cell.matrix in (COVARIANCE, RESIDUAL) and cell.row != cell.column:
            of_group.append((cell.matrix, cell.column, cell.row, first, second))
    return cells
