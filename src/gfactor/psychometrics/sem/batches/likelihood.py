"""The normal likelihood of complete data for many replicates of one model.

The same numbers as `discrepancy.normal` and `model.point` give one at a time. Matrices of a
replicate are multiplied with the replicate's axis in front, everything else has it last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import numpy as np

from gfactor.psychometrics.sem.batches.layout import Layout
from gfactor.psychometrics.sem.batches.linear import inverted
from gfactor.psychometrics.sem.batches.moments import Moments
from gfactor.psychometrics.sem.model import Structure
from gfactor.psychometrics.sem.model.structure import COVARIANCE, RESIDUAL
from gfactor.psychometrics.sem.parameters import Parameter


@dataclass
class GroupState:
    """One group's matrices at a point of each replicate; the first axis is the replicates'."""

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
    """All groups, and the discrepancy of each replicate (infinite where it is not defined)."""

    value: np.ndarray
    groups: tuple[GroupState, ...]

    def take(self, which: np.ndarray) -> State:
        return State(self.value[which], tuple(group.take(which) for group in self.groups))

    def joined(self, other: State) -> State:
        """This and another's replicates."""
        pairs = zip(self.groups, other.groups, strict=True)
        groups = tuple(mine.joined(theirs) for mine, theirs in pairs)
        return State(np.concatenate([self.value, other.value]), groups)

    def put(self, which: np.ndarray, other: State) -> None:
        self.value[which] = other.value
        for mine, theirs in zip(self.groups, other.groups, strict=True):
            mine.put(which, theirs)


@dataclass
class Slopes:
    """What gradient, information and Hessian are picked from: per group Z W Z', Z W T W Z', Z u,
    eta (with a last row of ones), and (I - Beta)^-1 on top of Cov(eta); replicates last."""

    groups: tuple[tuple[np.ndarray, ...], ...]

    def take(self, which: np.ndarray) -> Slopes:
        """Of some replicates (a mask or their numbers)."""
        if which.dtype == bool and which.all():
            return self
        return Slopes(tuple(tuple(one[..., which] for one in group) for group in self.groups))


class Likelihood:
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
        self.layouts = tuple(Layout(group, structure.n_free) for group in structure.groups)
        self.shares = moments.shares

    def matrices(self, number: int, theta: np.ndarray, which: np.ndarray) -> list[np.ndarray]:
        """One group's six matrices, replicates first, at theta of shape (R, n_free)."""
        s = self.structure.groups[number]
        out = [np.broadcast_to(one, (len(theta), *one.shape)) for one in s.base]
        for kind, row, column, index in s.filled:
            out[kind] = out[kind].copy()
            out[kind][:, row, column] = theta[:, index]
        for kind, row, column, first, second in self.given[number]:
            if not out[kind].flags.writeable:
                out[kind] = out[kind].copy()
            sample = self.moments.groups[number]
            if second < 0:
                out[kind][:, row, column] = sample.mean[which, first]
            else:
                out[kind][:, row, column] = sample.cov[which, first, second]
        return out

    def at(self, theta: np.ndarray, which: np.ndarray) -> State:
        """The point theta, shape (R, n_free), of the replicates `which`, shape (R,)."""
        value = np.zeros(len(theta))
        groups = []
        for number, s in enumerate(self.structure.groups):
            lam, beta, psi, resid, nu, alpha = self.matrices(number, theta, which)
            if s.recursive:
                total = np.linalg.inv(s.identities[1] - beta)
                reduced, cov = lam @ total, total @ psi @ total.mT
            else:
                total = np.broadcast_to(s.identities[1], beta.shape).copy()
                reduced, cov = lam.copy(), psi.copy()
            cross = lam @ cov
            sigma = cross @ lam.mT + resid
            inverse, logdet, good = inverted(np.ascontiguousarray(sigma.transpose(1, 2, 0)))
            inverse = np.ascontiguousarray(inverse.transpose(2, 0, 1))
            sample = self.moments.groups[number]
            trace = np.einsum("rij,rij->r", inverse, sample.cov[which])
            eta = (total @ alpha)[:, :, 0]
            away = np.zeros((len(theta), s.p))
            if self.use_mean:
                mu = nu[:, :, 0]
                if s.latent_means:
                    mu = mu + (lam @ eta[:, :, None])[:, :, 0]
                away = sample.mean[which] - mu
                trace += np.einsum("ri,rij,rj->r", away, inverse, away, optimize=True)
            own = self.shares[number] * ((logdet + trace) / 2 - sample.saturated[which])
            value += np.where(good & np.isfinite(trace), own, np.inf)
            groups.append(GroupState(reduced, cross, total, cov, inverse, away, eta))
        return State(value, tuple(groups))

    def slopes(self, state: State, which: np.ndarray) -> Slopes:
        """The products that derivatives are picked from, at a state of the replicates `which`."""
        found = []
        for number, group in enumerate(state.groups):
            s = self.structure.groups[number]
            count = len(state.value)
            z = np.empty((count, s.p + 2 * s.q, s.p))
            z[:, : s.p] = s.identities[0]
            z[:, s.p : s.p + s.q] = group.reduced.mT
            z[:, s.p + s.q :] = group.cross.mT
            sample = self.moments.groups[number].cov[which]
            if self.use_mean:
                sample = sample + group.away[:, :, None] * group.away[:, None, :]
            zw = z @ group.inverse
            plain = zw @ z.mT
            heavy = (zw @ sample) @ zw.mT
            pulled = (zw @ group.away[:, :, None])[:, :, 0]
            latent = np.concatenate(
                [group.total.reshape(count, -1), group.latent_cov.reshape(count, -1)], axis=1
            )
            found.append(
                (
                    np.ascontiguousarray(plain.reshape(count, -1).T),
                    np.ascontiguousarray(heavy.reshape(count, -1).T),
                    np.ascontiguousarray(pulled.T),
                    np.concatenate([group.eta.T, np.ones((1, count))]),
                    np.ascontiguousarray(latent.T),
                )
            )
        return Slopes(tuple(found))

    def gradient(self, slopes: Slopes) -> np.ndarray:
        """Shape (n_free, R)."""
        out = np.zeros((self.structure.n_free, slopes.groups[0][0].shape[1]))
        for layout, share, (plain, heavy, pulled, eta, _) in self._parts(slopes):
            index = layout.structure.index
            own = (plain[layout.slope] - heavy[layout.slope]) * layout.scale
            out[index[layout.chosen]] += share * own
            if self.use_mean:
                chosen, left, scale = layout.mean
                out[index[chosen]] -= share * pulled[left] * eta[scale]
        return out

    def _parts(self, slopes: Slopes) -> Iterator[tuple[Layout, float, tuple[np.ndarray, ...]]]:
        """Layout, share and slopes of every group."""
        return zip(self.layouts, self.shares, slopes.groups, strict=True)

    def expected(self, slopes: Slopes) -> np.ndarray:
        """The expected Hessian, lower triangle of shape (n_free, n_free, R)."""
        out = self._square(slopes)
        for layout, share, (plain, _, _, eta, _) in self._parts(slopes):
            ll, rr, lr, rl = (plain.take(place, axis=0) for place in layout.both)
            ll *= rr
            lr *= rl
            ll += lr
            packed = self._packed(layout, ll)
            self._add_means(packed, layout, plain, eta)
            packed *= share
            out[layout.target] = packed
        return self._shaped(out)

    def hessian(self, slopes: Slopes) -> np.ndarray:
        """The exact Hessian, as `expected`."""
        out = self._square(slopes)
        for layout, share, (plain, heavy, pulled, eta, latent) in self._parts(slopes):
            extra = plain * -0.5
            extra += heavy
            moved = _crossed(plain, extra, layout.both)
            packed = self._packed(layout, moved)
            omega = plain - heavy
            for products in layout.bends:
                products.add(packed, omega, latent)
            if self.use_mean:
                self._add_means(packed, layout, plain, eta)
                for products in layout.mixed:
                    products.add(packed, plain, pulled, eta)
                for products in layout.mean_bends:
                    products.add(packed, pulled, latent, eta)
            packed *= share
            out[layout.target] = packed
        return self._shaped(out)

    @staticmethod
    def _packed(layout: Layout, moved: np.ndarray) -> np.ndarray:
        """What covariances give, in its place in the group's packed triangle."""
        moved *= layout.pair_scale
        if len(layout.pairs) == layout.packed:
            return moved
        packed = np.zeros((layout.packed, moved.shape[1]))
        packed[layout.pairs] = moved
        return packed

    def _add_means(
        self, packed: np.ndarray, layout: Layout, plain: np.ndarray, eta: np.ndarray
    ) -> None:
        if self.use_mean:
            rows, place, first, second = layout.mean_pairs
            packed[rows] += plain[place] * eta[first] * eta[second]

    def _square(self, slopes: Slopes) -> np.ndarray:
        n = self.structure.n_free
        return np.zeros((n * n, slopes.groups[0][0].shape[1]))

    def _shaped(self, flat: np.ndarray) -> np.ndarray:
        n = self.structure.n_free
        return flat.reshape(n, n, -1)


def _crossed(plain: np.ndarray, extra: np.ndarray, both: tuple[np.ndarray, ...]) -> np.ndarray:
    """Sums of products of elements of two arrays, in place wherever it goes: these are the largest
    arrays of all."""
    ll, rr, lr, rl = both
    out = plain.take(ll, axis=0)
    more = extra.take(rr, axis=0)
    out *= more
    for one, other in ((rr, ll), (lr, rl), (rl, lr)):
        first = plain.take(one, axis=0)
        extra.take(other, axis=0, out=more, mode="clip")
        first *= more
        out += first
    return out


Cells = list[list[tuple[int, int, int, int, int]]]


def given_cells(
    structure: Structure, rows: Sequence[Parameter], variables: Sequence[str], fixed: bool
) -> Cells:
    """Per group, the cells of covariates taken as given: see `Likelihood`."""
    place = {name: k for k, name in enumerate(variables)}
    found: list[list[tuple[int, int, int, int, int]]] = [[] for _ in structure.groups]
    if not fixed:
        return found
    for row, cell in zip(rows, structure.cells, strict=True):
        if not row.exo or row.free or cell is None:
            continue
        first = place[row.lhs]
        second = -1 if row.op == "~1" else place[row.rhs]
        mine = found[row.group - 1]
        mine.append((cell.matrix, cell.row, cell.column, first, second))
        if cell.matrix in (COVARIANCE, RESIDUAL) and cell.row != cell.column:
            mine.append((cell.matrix, cell.column, cell.row, first, second))
    return found
