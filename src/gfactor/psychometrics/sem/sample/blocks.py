"""Cases sorted by their observed variables: the sufficient statistics of a normal likelihood."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gfactor.psychometrics.sem.sample.statistics import GroupSample


@dataclass(frozen=True)
class Blocks:
    """The sufficient statistics of one group.

    Parameters
    ----------
    weight: each block's share of all cases, shape (k,); their sum is the group's share.
    seen: True for the observed variables of a block, shape (k, p).
    mean: shape (k, p); cov: shape (k, p, p), about the block's own mean. Zeros where unseen.
    member: the block of each case, shape (n,), or None if there is one block.
    saturated: value of `weight @ (log det + trace) / 2` at the unrestricted model's moments.
    """

    weight: np.ndarray
    seen: np.ndarray
    mean: np.ndarray
    cov: np.ndarray
    member: np.ndarray | None = None
    saturated: float = 0.0

    @cached_property
    def complete(self) -> bool:
        """True if there is one block, in which all variables are observed."""
        return len(self.weight) == 1 and bool(self.seen.all())

    @cached_property
    def both(self) -> np.ndarray:
        """Return True for pairs of variables that are observed in a block, shape (k, p, p)."""
        return self.seen[:, :, None] & self.seen[:, None, :]

    @cached_property
    def unseen(self) -> tuple[np.ndarray, np.ndarray]:
        """The variables that are missing in a block, shape (k, largest number), and True for
        entries that are not padding."""
        most = int((~self.seen).sum(axis=1).max(initial=0))
        columns = np.argsort(self.seen, axis=1, kind="stable")[:, :most]
        return columns, ~np.take_along_axis(self.seen, columns, axis=1)


def complete_block(group: GroupSample, share: float, *, divisor_less_one: bool = False) -> Blocks:
    """Return the single block of complete cases, or of given moments."""
    p = len(group.mean)
    cov = group.cov * (group.n / (group.n - 1)) if divisor_less_one else group.cov
    sign, logdet = np.linalg.slogdet(cov)
    return Blocks(
        np.array([share]),
        np.ones((1, p), dtype=bool),
        group.mean[None],
        cov[None],
        saturated=share * (logdet + p) / 2 if sign > 0 else -np.inf,
    )


def pattern_blocks(group: GroupSample, share: float) -> Blocks:
    """Return one block per pattern of missing values; `saturated` is filled in by
    `saturated_moments`."""
    assert group.rows is not None
    observed = ~np.isnan(group.rows)
    seen, member = np.unique(observed, axis=0, return_inverse=True)
    member = member.reshape(-1)
    sizes = np.bincount(member, minlength=len(seen))
    each = np.ones(len(member)) if group.weights is None else group.weights
    counts = np.bincount(member, weights=each, minlength=len(seen))
    filled = np.where(observed, group.rows, 0.0)
    mean = np.zeros(seen.shape)
    np.add.at(mean, member, filled * each[:, None])
    mean /= counts[:, None]
    away = np.where(observed, filled - mean[member], 0.0)
    order = np.argsort(member, kind="stable")
    ends = np.cumsum(sizes)
    cov = np.zeros((len(seen), seen.shape[1], seen.shape[1]))
    for k, end in enumerate(ends):
        rows = order[end - sizes[k] : end]
        cov[k] = (away[rows] * each[rows, None]).T @ away[rows] / counts[k]
    return Blocks(share * counts / counts.sum(), seen, mean, cov, member)
