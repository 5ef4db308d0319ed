"""Gradients and Hessians of many replicates, picked from a few small products of matrices.

Replicates are the first axis if the matrices of each are multiplied or solved, and the last axis if
elements of all are picked and multiplied: either way, numbers that are used together are adjacent
in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from gfactor.psychometrics.sem.batches.layout import DerivativeLayout

_CHUNK = 48
"""Number of replicates whose products are picked at once: their arrays fit the second-level
cache."""


@dataclass
class GroupParts:
    """One group's products at a point of each replicate, see `DerivativeLayout`; the first axis is
    over replicates.

    Parameters
    ----------
    plain, heavy: the elements of Z W Z' and of Z W T W Z'.
    pulled: Z W (mean residual). eta: means of the etas, and a last column of ones.
    latent: elements of (I - Beta)^-1 and of Cov(eta).
    """

    plain: np.ndarray
    weighted: np.ndarray
    pulled: np.ndarray
    eta: np.ndarray
    latent: np.ndarray

    def take(self, which: np.ndarray | slice) -> GroupParts:
        return GroupParts(*(getattr(self, one.name)[which] for one in fields(self)))

    def turned(self) -> tuple[np.ndarray, ...]:
        """Return all products with replicates on the last axis."""
        return tuple(np.ascontiguousarray(getattr(self, one.name).T) for one in fields(self))


@dataclass
class DerivativeParts:
    """Parts of gradient, information and Hessian, group by group."""

    groups: tuple[GroupParts, ...]

    def __len__(self) -> int:
        return len(self.groups[0].plain)

    def take(self, which: np.ndarray | slice) -> DerivativeParts:
        """Return the parts of some replicates (a mask, their numbers or a slice)."""
        if isinstance(which, np.ndarray) and which.dtype == bool and which.all():
            return self
        return DerivativeParts(tuple(group.take(which) for group in self.groups))


def spread(matrices: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the elements of Z M Z', in the order of `DerivativeLayout.flat`, shape (R, places).

    Parameters
    ----------
    matrices: M, symmetric, shape (R, p, p). others: the rows of Z below the identity, (R, 2 q, p).
    """
    count, more, p = others.shape
    square, mixed = p * p, p * p + more * p
    out = np.empty((count, mixed + more * more))
    out[:, :square] = matrices.reshape(count, square)
    below = out[:, square:mixed].reshape(count, more, p)
    np.matmul(others, matrices, out=below)
    np.matmul(below, others.mT, out=out[:, mixed:].reshape(count, more, more))
    return out


class ModelDerivatives:
    """Gradients and Hessians of a model with the given layouts and shares of its groups."""

    def __init__(
        self, layouts: Sequence[DerivativeLayout], shares: np.ndarray, n_free: int, use_mean: bool
    ) -> None:
        self._layouts, self._shares = tuple(layouts), shares
        self._n_free, self._use_mean = n_free, use_mean

    def gradient(self, parts: DerivativeParts) -> np.ndarray:
        """Shape (R, n_free)."""
        out = np.zeros((len(parts), self._n_free))
        for layout, share, group in zip(self._layouts, self._shares, parts.groups, strict=True):
            index = layout.structure.index
            slopes = group.plain.take(layout.gradient, axis=1)
            slopes -= group.weighted.take(layout.gradient, axis=1)
            out[:, index[layout.chosen]] += share * layout.scale[:, 0] * slopes
            if self._use_mean:
                chosen, left, scale = layout.mean
                out[:, index[chosen]] -= share * group.pulled[:, left] * group.eta[:, scale]
        return out

    def expected(self, parts: DerivativeParts) -> np.ndarray:
        """Return the expected Hessian, lower triangles, shape (R, n_free, n_free)."""
        return self._reduced(parts, exact=False)

    def hessian(self, parts: DerivativeParts) -> np.ndarray:
        """Return the exact Hessian, as `expected`."""
        return self._reduced(parts, exact=True)

    def _reduced(self, parts: DerivativeParts, *, exact: bool) -> np.ndarray:
        n = self._n_free
        out = np.zeros((len(parts), n * n))
        for first in range(0, len(parts), _CHUNK):
            part = slice(first, first + _CHUNK)
            some = parts.take(part)
            for layout, share, group in zip(self._layouts, self._shares, some.groups, strict=True):
                packed = self._exact(layout, group) if exact else self._expected(layout, group)
                packed *= share
                out[part, layout.target] = packed.T
        return out.reshape(-1, n, n)

    def _expected(self, layout: DerivativeLayout, group: GroupParts) -> np.ndarray:
        """One group's packed triangle, replicates last."""
        plain = np.ascontiguousarray(group.plain.T)
        ll, rr, lr, rl = (plain.take(positions, axis=0) for positions in layout.both)
        ll *= rr
        lr *= rl
        ll += lr
        packed = _packed(layout, ll)
        if self._use_mean:
            _add_means(packed, layout, plain, np.ascontiguousarray(group.eta.T))
        return packed

    def _exact(self, layout: DerivativeLayout, group: GroupParts) -> np.ndarray:
        plain, weighted, pulled, eta, latent = group.turned()
        extra = plain * -0.5
        extra += weighted
        packed = _packed(layout, _crossed(plain, extra, layout.both))
        omega = np.subtract(plain, weighted, out=extra)
        for products in layout.bends:
            products.add(packed, omega, latent)
        if self._use_mean:
            _add_means(packed, layout, plain, eta)
            for products in layout.mixed:
                products.add(packed, plain, pulled, eta)
            for products in layout.mean_bends:
                products.add(packed, pulled, latent, eta)
        return packed


def _packed(layout: DerivativeLayout, moved: np.ndarray) -> np.ndarray:
    """Return the terms of covariances, in their positions in the group's packed triangle."""
    moved *= layout.pair_scale
    if len(layout.pairs) == layout.packed:
        return moved
    packed = np.zeros((layout.packed, moved.shape[1]))
    packed[layout.pairs] = moved
    return packed


def _add_means(
    packed: np.ndarray, layout: DerivativeLayout, plain: np.ndarray, eta: np.ndarray
) -> None:
    rows, third, first, second = layout.mean_pairs
    packed[rows] += plain[third] * eta[first] * eta[second]


def _crossed(plain: np.ndarray, extra: np.ndarray, both: tuple[np.ndarray, ...]) -> np.ndarray:
    """Sums of products of elements of two arrays, in place if possible: these are the largest
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
