"""The normal likelihood of complete data, and of data missing at random (full information).

Both are sums over blocks of cases that show the same variables. Matrices of a block have the
size of all variables, with zeros where the block shows none: then a block's contribution is the
complete-data formula as it stands, and all blocks are one batch of linear algebra.
"""

from __future__ import annotations

import numpy as np

from gfactor.psychometrics.sem.discrepancy.terms import Complete, Incomplete, Terms
from gfactor.psychometrics.sem.model import GroupPoint, Point, Structure
from gfactor.psychometrics.sem.sample import Blocks


def information_at(
    point: GroupPoint, inverse: np.ndarray, n_free: int, *, means: bool
) -> np.ndarray:
    """delta' V delta, V the information of unrestricted moments whose inverse covariance matrix
    is given: the expected information of one complete case, shape (n_free, n_free)."""
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
        self._kinds = tuple(Complete if block.complete else Incomplete for block in blocks)

    def at(self, theta: np.ndarray) -> Point:
        return Point(self.structure, theta)

    def terms(self, point: Point, group: int) -> Terms:
        """One group's inverse matrices at a point, made once."""
        held = point.__dict__.setdefault("_normal", {})
        if group not in held:
            kind = self._kinds[group]
            held[group] = kind(self.blocks[group], point.groups[group], self.use_mean)
        return held[group]

    def value(self, point: Point) -> float:
        total = 0.0
        for number, blocks in enumerate(self.blocks):
            terms = self.terms(point, number)
            if not terms.ok:
                return np.inf
            total += terms.value() - blocks.saturated
        return total

    def gradient(self, point: Point) -> np.ndarray:
        held = point.__dict__
        if "_gradient" not in held:
            held["_gradient"] = self._gradient(point)
        return held["_gradient"]

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
        held = point.__dict__
        if "_expected" not in held:
            held["_expected"] = self._expected(point)
        return held["_expected"]

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
