"""Clusters with missing values as sums over cases with the same values missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ClusterPatterns:
    """The sufficient statistics of clusters in which values are missing.

    "Like cases" are the cases of one cluster with the same pattern of missing values, in the order
    of clusters.

    Parameters
    ----------
    seen: patterns of variables within clusters, 1 if observed, shape (patterns, p).
    pattern, cluster, counts: pattern, cluster and number of cases that share them.
    sums, products: sums of their values and of products of these, zero if missing.
    rows: number of the like cases to which each case belongs, shape (n,).
    level_seen, level_pattern: the patterns of variables between clusters alone, and each cluster's.
    level_values: these variables' values per cluster, zero if missing.
    """

    seen: Array
    pattern: NDArray[np.intp]
    cluster: NDArray[np.intp]
    counts: Array
    sums: Array
    products: Array
    rows: NDArray[np.intp]
    level_seen: Array
    level_pattern: NDArray[np.intp]
    level_values: Array

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        """The first like cases of each cluster."""
        return np.flatnonzero(np.diff(self.cluster, prepend=-1))

    def over_clusters(self, values: Any) -> Any:
        """Return sums over the like cases of each cluster."""
        return np.add.reduceat(values, self._starts, axis=0)

    @cached_property
    def members(self) -> Sequence[NDArray[np.intp]]:
        """The like cases of each cluster."""
        return np.split(np.arange(len(self.cluster)), self._starts[1:])


def patterns_of(rows: Array, codes: NDArray[np.intp], within: int) -> ClusterPatterns:
    """Return the sums of clusters.

    Parameters
    ----------
    rows: the cases, NaN if a value is missing; the first `within` variables vary within clusters,
        the others have one value per cluster.
    codes: the cluster of each case, 0, 1, ... without gaps.
    """
    cases, constant = rows[:, :within], rows[:, within:]
    seen, pattern = np.unique(~np.isnan(cases), axis=0, return_inverse=True)
    keys, like, counts = np.unique(
        np.column_stack([codes, pattern.reshape(-1)]), axis=0, return_inverse=True,
        return_counts=True,
    )  # fmt: skip
    like = like.reshape(-1)
    values = np.nan_to_num(cases)
    sums, products = np.zeros((len(keys), within)), np.zeros((len(keys), within, within))
    np.add.at(sums, like, values)
    np.add.at(products, like, values[:, :, None] * values[:, None, :])
    level = own_values(constant, codes)
    level_seen, level_pattern = np.unique(~np.isnan(level), axis=0, return_inverse=True)
    if not constant.shape[1]:
        level_seen = np.zeros((1, 0), dtype=bool)
        level_pattern = np.zeros(len(level), dtype=np.intp)
    return ClusterPatterns(
        seen.astype(float), keys[:, 1], keys[:, 0], counts.astype(float), sums, products, like,
        level_seen.astype(float), level_pattern.reshape(-1), np.nan_to_num(level),
    )  # fmt: skip


def own_values(rows: Array, codes: NDArray[np.intp]) -> Array:
    """Return the mean of the observed values in each cluster, NaN if there are none."""
    seen = ~np.isnan(rows)
    counts = np.zeros((int(codes.max()) + 1, rows.shape[1]))
    sums = counts.copy()
    np.add.at(counts, codes, seen)
    np.add.at(sums, codes, np.nan_to_num(rows))
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
