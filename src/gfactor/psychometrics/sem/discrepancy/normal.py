"""The normal likelihood of complete data, and of data missing at random (full information).

Both are sums over blocks of cases that show the same variables. Matrices of a block have the
size of all variables, with zeros where the block shows none: then a block's contribution is the
complete-data formula as it stands, and all blocks are one batch of linear algebra.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.linalg import lapack

from gfactor.psychometrics.sem.discrepancy.blockwise import (
    Factors,
    pair_products,
    summed_mixed_products,
    summed_pair_products,
)
from gfactor.psychometrics.sem.model import GroupPoint, Point, Structure
from gfactor.psychometrics.sem.sample import Blocks


class Terms:
    """Sums over the blocks of one group at one point.

    Where one block shows all variables, arrays have no axis for blocks: the commonest case is also
    the one that must be fast.
    """

    def __init__(self, blocks: Blocks, point: GroupPoint, use_mean: bool) -> None:
        self.ok = True
        self.blocks = blocks
        self.single = blocks.complete
        if self.single:
            root, info = lapack.dpotrf(point.sigma, lower=1)  # type: ignore[attr-defined]
            if info:
                self.ok = False
                return
            # Not LAPACK's inverse from this root, whose threads wait for each other.
            try:
                inverse = np.linalg.inv(point.sigma)
            except np.linalg.LinAlgError:  # singular to the last digit, though it has a root
                self.ok = False
                return
            self.inverse = (inverse + inverse.T) / 2
            self.logdet = 2 * np.log(root.diagonal()).sum()
            self.total = blocks.cov[0]
            if use_mean:
                away = blocks.mean[0] - point.mu
                self.total = self.total + np.outer(away, away)
                self.pull = self.inverse @ away
            return
        seen = blocks.seen
        both = seen[:, :, None] & seen[:, None, :]
        shown = np.where(both, point.sigma, np.eye(len(point.sigma)))
        try:
            root = np.linalg.cholesky(shown)
            inverse = np.linalg.inv(shown) * both
        except np.linalg.LinAlgError:
            self.ok = False
            return
        self.logdet = 2 * np.log(np.diagonal(root, axis1=1, axis2=2)).sum(axis=1)
        self.inverse = (inverse + inverse.mT) / 2
        self.total = blocks.cov
        if use_mean:
            away = np.where(seen, blocks.mean - point.mu, 0.0)
            self.total = blocks.cov + away[:, :, None] * away[:, None, :]
            self.pull = (self.inverse @ away[:, :, None])[:, :, 0]

    def value(self) -> float:
        traces = (self.inverse * self.total).sum(axis=(-1, -2))
        return 0.5 * float(self.blocks.weight @ np.atleast_1d(self.logdet + traces))

    @cached_property
    def sandwich(self) -> np.ndarray:
        """W T W of every block."""
        return self.inverse @ self.total @ self.inverse

    def summed(self, stack: np.ndarray) -> np.ndarray:
        """The sum over blocks by their weights."""
        weight = self.blocks.weight
        return stack * weight[0] if self.single else np.tensordot(weight, stack, axes=1)

    def pairs(self, heavy: np.ndarray, factors: Factors) -> np.ndarray:
        """tr(W dSigma H dSigma) of every pair of parameters, summed over blocks."""
        if self.single:
            return self.blocks.weight[0] * pair_products(self.inverse, heavy, factors)
        return summed_pair_products(self.blocks.weight, self.inverse, heavy, factors)

    def mixed(self, factors: Factors, mean_factor: np.ndarray) -> np.ndarray:
        """dmu' W dSigma W (mean residual) of every pair, summed over blocks."""
        if not self.single:
            return summed_mixed_products(
                self.blocks.weight, self.inverse, self.pull, factors, mean_factor
            )
        a, b = factors
        turned = mean_factor @ self.inverse
        bent = (turned @ a.T) * (b @ self.pull) + (turned @ b.T) * (a @ self.pull)
        return self.blocks.weight[0] * bent


def information_at(
    point: GroupPoint, inverse: np.ndarray, n_free: int, *, means: bool
) -> np.ndarray:
    """delta' V delta, V the information of unrestricted moments whose inverse covariance matrix
    is given: the expected information of one complete case, shape (n_free, n_free)."""
    s = point.structure
    out = np.zeros((n_free, n_free))
    a, b = point.factors
    aw, bw = a @ inverse, b @ inverse
    awb = aw @ b.T
    index = s.index[s.covariance_part[0]]
    out[index[:, None], index] = (aw @ a.T) * (bw @ b.T) + awb * awb.T
    if means:
        index = s.index[s.mean_part[0]]
        d = point.mean_factor
        out[index[:, None], index] += d @ inverse @ d.T
    return out


class NormalLikelihood:
    """Half of -2 log L / n, less what the unrestricted model reaches (or not).

    Parameters
    ----------
    structure: the model.
    blocks: one per group.
    use_mean: whether the means are modelled; without, deviations from the sample's means count
        as nothing.
    """

    def __init__(self, structure: Structure, blocks: tuple[Blocks, ...], *, use_mean: bool) -> None:
        self.structure = structure
        self.blocks = blocks
        self.use_mean = use_mean

    def at(self, theta: np.ndarray) -> Point:
        return Point(self.structure, theta)

    def terms(self, point: Point, group: int) -> Terms:
        """One group's inverse matrices at a point, made once."""
        held = point.__dict__.setdefault("_normal", {})
        if group not in held:
            held[group] = Terms(self.blocks[group], point.groups[group], self.use_mean)
        return held[group]

    def value(self, point: Point) -> float:
        total = 0.0
        for number, blocks in enumerate(self.blocks):
            terms = self.terms(point, number)
            if not terms.ok:
                return np.inf
            total += terms.value() - blocks.saturated
        return total

    def _slopes(self, terms: Terms) -> tuple[np.ndarray, np.ndarray | None]:
        """dF/dSigma (as tr(. dSigma) / 2) and dF/dmu, summed over blocks."""
        omega = terms.summed(terms.inverse - terms.sandwich)
        return omega, -terms.summed(terms.pull) if self.use_mean else None

    def gradient(self, point: Point) -> np.ndarray:
        out = np.zeros(self.structure.n_free)
        for number, group in enumerate(point.groups):
            s = group.structure
            omega, down = self._slopes(self.terms(point, number))
            a, b = group.factors
            out[s.index[s.covariance_part[0]]] += ((a @ omega) * b).sum(axis=1)
            if down is not None:
                out[s.index[s.mean_part[0]]] += group.mean_factor @ down
        return out

    def expected(self, point: Point) -> np.ndarray:
        out = np.zeros((self.structure.n_free,) * 2)
        for number, group in enumerate(point.groups):
            s = group.structure
            terms = self.terms(point, number)
            if terms.single:
                n_free = self.structure.n_free
                own = information_at(group, terms.inverse, n_free, means=self.use_mean)
                out += terms.summed(own)
                continue
            index = s.index[s.covariance_part[0]]
            out[index[:, None], index] += terms.pairs(terms.inverse / 2, group.factors)
            if self.use_mean:
                index = s.index[s.mean_part[0]]
                d = group.mean_factor
                out[index[:, None], index] += d @ terms.summed(terms.inverse) @ d.T
        return out

    def hessian(self, point: Point, *, curved: bool = True) -> np.ndarray:
        """The exact Hessian; without `curved`, as if the moments were linear in the parameters."""
        if not curved:
            return self._hessian(point, curved)
        held = point.__dict__
        if "_hessian" not in held:
            held["_hessian"] = self._hessian(point, curved)
        return held["_hessian"]

    def _hessian(self, point: Point, curved: bool) -> np.ndarray:
        out = np.zeros((self.structure.n_free,) * 2)
        for number, group in enumerate(point.groups):
            s = group.structure
            terms = self.terms(point, number)
            omega, down = self._slopes(terms)
            pull = np.zeros(s.p) if down is None else down
            local = (
                group.curvature(omega / 2, pull)
                if curved
                else np.zeros((len(s.index), len(s.index)))
            )
            cov, mean, mixed, whole = s.selectors
            heavy = terms.sandwich - terms.inverse / 2
            local[cov] += terms.pairs(heavy, group.factors)
            if self.use_mean:
                d = group.mean_factor
                bent = terms.mixed(group.factors, d)
                local[mixed] += bent
                local.T[mixed] += bent
                local[mean] += d @ terms.summed(terms.inverse) @ d.T
            out[whole] += local
        return out
