"""The normal likelihood of complete data, and of data missing at random (full information).

Both are sums over blocks of cases with the same observed variables. Matrices of a block have the
size of all variables, with zeros for those that are missing: a block's contribution then is the
complete-data formula unchanged, and all blocks are one batch of linear algebra.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np

from gfactor.psychometrics.sem.cholesky import positive_inverse
from gfactor.psychometrics.sem.discrepancy.blockwise import (
    summed_mixed_products,
    summed_pair_products,
)
from gfactor.psychometrics.sem.model import GroupPoint, Point, Structure
from gfactor.psychometrics.sem.sample import Blocks, shown_inverses


class Terms(ABC):
    """Sums over the blocks of one group at one point.

    `ok` is True if the discrepancy is defined there; otherwise the other fields are meaningless.
    """

    ok: bool
    inverse: np.ndarray
    """Inverse of Sigma, shape (p, p); for several blocks (k, p, p), with zeros at missing
    variables.
    """

    def __init__(self, blocks: Blocks, point: GroupPoint, use_mean: bool) -> None:
        self.blocks = blocks
        self.point = point
        self.use_mean = use_mean
        self.picked = point.structure.covariance_part[1]
        self.ok = self._prepare()

    @abstractmethod
    def _prepare(self) -> bool:
        """Invert Sigma; return True if that succeeded."""

    @abstractmethod
    def value(self) -> float:
        """Return half of log det + trace."""

    @cached_property
    @abstractmethod
    def omega(self) -> np.ndarray:
        """Z (2 dF / dSigma) Z', see `derivative_index`."""

    @property
    @abstractmethod
    def down(self) -> np.ndarray:
        """dF / dmu."""

    @property
    @abstractmethod
    def weighted_inverse(self) -> np.ndarray:
        """The information of the means, shape (p, p)."""

    @abstractmethod
    def expected_pairs(self) -> np.ndarray:
        """Return the expected Hessian of the parameters that change Sigma."""

    @abstractmethod
    def observed_pairs(self, curved: bool) -> np.ndarray:
        """Return the Hessian of the parameters that change Sigma; without `curved`, as if Sigma
        were linear in them."""

    @abstractmethod
    def mixed(self) -> np.ndarray:
        """Return the Hessian between the parameters that change mu (rows) and those that change
        Sigma (columns)."""


class Complete(Terms):
    """The most frequent case, which must be fast: one block in which all variables are observed."""

    def _prepare(self) -> bool:
        inverse = positive_inverse(self.point.sigma)
        if inverse is None:
            return False
        self.inverse, self._logdet = inverse
        self._share = float(self.blocks.weight[0])
        self._total = self.blocks.cov[0]
        if self.use_mean:
            away = self.blocks.mean[0] - self.point.mu
            self._total = self._total + away[:, None] * away
            self._pull = self.inverse @ away
        return True

    def value(self) -> float:
        return 0.5 * self._share * (self._logdet + float(np.vdot(self.inverse, self._total)))

    @cached_property
    def _products(self) -> tuple[np.ndarray, np.ndarray]:
        """Z W Z' and Z W T W Z', W the inverse of Sigma, T the sample's moments about the model's
        mean."""
        z = self.point.reach
        turned = z @ self.inverse
        return turned @ z.T, turned @ self._total @ turned.T

    @cached_property
    def omega(self) -> np.ndarray:
        plain, heavy = self._products
        return self._share * (plain - heavy)

    @property
    def down(self) -> np.ndarray:
        return -self._share * self._pull

    @property
    def weighted_inverse(self) -> np.ndarray:
        return self._share * self.inverse

    def expected_pairs(self) -> np.ndarray:
        return self._share * self.picked.information(self._products[0])

    def observed_pairs(self, curved: bool) -> np.ndarray:
        effects = self.point.effects if curved else None
        return self._share * self.picked.hessian(*self._products, effects)

    def mixed(self) -> np.ndarray:
        a, b = self.point.factors
        turned = self.point.mean_factor @ self.inverse
        bent = (turned @ a.T) * (b @ self._pull) + (turned @ b.T) * (a @ self._pull)
        return self._share * bent


class Incomplete(Terms):
    """Several blocks, each with its observed variables."""

    def _prepare(self) -> bool:
        inverses = shown_inverses(self.blocks, self.point.sigma)
        if inverses is None:
            return False
        self.inverse, self._logdet = inverses
        seen = self.blocks.seen
        self._total = self.blocks.cov
        if self.use_mean:
            away = np.where(seen, self.blocks.mean - self.point.mu, 0.0)
            self._total = self.blocks.cov + away[:, :, None] * away[:, None, :]
            self._pull = (self.inverse @ away[:, :, None])[:, :, 0]
        return True

    def value(self) -> float:
        traces = (self.inverse * self._total).sum(axis=(1, 2))
        return 0.5 * float(self.blocks.weight @ (self._logdet + traces))

    @cached_property
    def _sandwich(self) -> np.ndarray:
        """W T W of every block."""
        return self.inverse @ self._total @ self.inverse

    def _summed(self, stack: np.ndarray) -> np.ndarray:
        return np.tensordot(self.blocks.weight, stack, axes=1)

    @cached_property
    def omega(self) -> np.ndarray:
        z = self.point.reach
        return z @ self._summed(self.inverse - self._sandwich) @ z.T

    @property
    def down(self) -> np.ndarray:
        return -self._summed(self._pull)

    @property
    def weighted_inverse(self) -> np.ndarray:
        return self._summed(self.inverse)

    def _pairs(self, heavy: np.ndarray) -> np.ndarray:
        return summed_pair_products(self.blocks.weight, self.inverse, heavy, self.point.factors)

    def expected_pairs(self) -> np.ndarray:
        return self._pairs(self.inverse / 2)

    def observed_pairs(self, curved: bool) -> np.ndarray:
        straight = self._pairs(self._sandwich - self.inverse / 2)
        return straight + self.picked.bends(self.omega, self.point.effects) if curved else straight

    def mixed(self) -> np.ndarray:
        point = self.point
        return summed_mixed_products(
            self.blocks.weight, self.inverse, self._pull, point.factors, point.mean_factor
        )


def information_at(
    point: GroupPoint, inverse: np.ndarray, n_free: int, *, means: bool
) -> np.ndarray:
    """Return the expected information of one complete case, delta' V delta, shape (n_free, n_free);
    V is the information of unrestricted moments with the given inverse covariance matrix."""
    s = point.structure
    out = np.zeros((n_free, n_free))
    z = point.reach
    out[s.whole_sigma] = s.covariance_part[1].information(z @ inverse @ z.T)
    if means:
        index = s.index[s.mean_part[0]]
        d = point.mean_factor
        out[index[:, None], index] += d @ inverse @ d.T
    return out


class NormalLikelihood:
    """Half of -2 log L / n, optionally minus that of the unrestricted model.

    Parameters
    ----------
    structure: the model.
    blocks: one per group.
    use_mean: True if the means are modelled; otherwise the means are free and equal to the
        sample's.
    """

    def __init__(self, structure: Structure, blocks: tuple[Blocks, ...], *, use_mean: bool) -> None:
        self.structure = structure
        self.blocks = blocks
        self.use_mean = use_mean
        self._kinds = tuple(Complete if block.complete else Incomplete for block in blocks)

    def at(self, theta: np.ndarray) -> Point:
        return Point(self.structure, theta)

    def terms(self, point: Point, group: int) -> Terms:
        """Return one group's inverse matrices at a point, computed once."""
        stored = point.__dict__.setdefault("_normal", {})
        if group not in stored:
            kind = self._kinds[group]
            stored[group] = kind(self.blocks[group], point.groups[group], self.use_mean)
        return stored[group]

    def value(self, point: Point) -> float:
        total = 0.0
        for number, blocks in enumerate(self.blocks):
            terms = self.terms(point, number)
            if not terms.ok:
                return np.inf
            total += terms.value() - blocks.saturated
        return total

    def gradient(self, point: Point) -> np.ndarray:
        stored = point.__dict__
        if "_gradient" not in stored:
            stored["_gradient"] = self._gradient(point)
        return stored["_gradient"]

    def _gradient(self, point: Point) -> np.ndarray:
        out = np.zeros(self.structure.n_free)
        for number, group in enumerate(point.groups):
            s = group.structure
            terms = self.terms(point, number)
            out[s.sigma_index] += s.covariance_part[1].gradient(terms.omega)
            if self.use_mean:
                out[s.index[s.mean_part[0]]] += group.mean_factor @ terms.down
        return out

    def expected(self, point: Point) -> np.ndarray:
        stored = point.__dict__
        if "_expected" not in stored:
            stored["_expected"] = self._expected(point)
        return stored["_expected"]

    def _expected(self, point: Point) -> np.ndarray:
        out = np.zeros((self.structure.n_free,) * 2)
        for number, group in enumerate(point.groups):
            s = group.structure
            terms = self.terms(point, number)
            out[s.whole_sigma] += terms.expected_pairs()
            if self.use_mean:
                index = s.index[s.mean_part[0]]
                d = group.mean_factor
                out[index[:, None], index] += d @ terms.weighted_inverse @ d.T
        return out

    def hessian(self, point: Point, *, curved: bool = True) -> np.ndarray:
        """Return the exact Hessian; without `curved`, as if the moments were linear in the
        parameters."""
        if not curved:
            return self._hessian(point, curved)
        stored = point.__dict__
        if "_hessian" not in stored:
            stored["_hessian"] = self._hessian(point, curved)
        return stored["_hessian"]

    def _hessian(self, point: Point, curved: bool) -> np.ndarray:
        out = np.zeros((self.structure.n_free,) * 2)
        for number, group in enumerate(point.groups):
            s = group.structure
            terms = self.terms(point, number)
            pairs = terms.observed_pairs(curved)
            if not self.use_mean:
                out[s.whole_sigma] += pairs
                continue
            cov, mean, mixed, whole = s.selectors
            local = np.zeros((len(s.index),) * 2)
            if curved and s.latent_means:
                local += group.mean_bends(terms.down)
            local[cov] += pairs
            bent = terms.mixed()
            local[mixed] += bent
            local.T[mixed] += bent
            d = group.mean_factor
            local[mean] += d @ terms.weighted_inverse @ d.T
            out[whole] += local
        return out
