"""Moments of many samples of the same variables and sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gfactor.psychometrics.sem.batches.linear import inverted


@dataclass(frozen=True)
class GroupMoments:
    """One group's samples.

    Parameters
    ----------
    n: cases of each sample.
    mean: shape (R, p). cov: shape (R, p, p), with the divisor that the likelihood asks for.
    saturated: half of log det + p of each covariance matrix, shape (R,); minus infinity where it
        is singular.
    """

    n: int
    mean: np.ndarray
    cov: np.ndarray
    saturated: np.ndarray

    def take(self, which: np.ndarray) -> GroupMoments:
        """Of some samples."""
        return GroupMoments(self.n, self.mean[which], self.cov[which], self.saturated[which])


@dataclass(frozen=True)
class Moments:
    """All groups' samples; shares are each group's weight in the likelihood."""

    groups: tuple[GroupMoments, ...]
    shares: np.ndarray

    def __len__(self) -> int:
        return len(self.groups[0].mean)

    @property
    def regular(self) -> np.ndarray:
        """Which replicates have no singular covariance matrix, shape (R,)."""
        return np.all([np.isfinite(group.saturated) for group in self.groups], axis=0)

    def take(self, which: np.ndarray) -> Moments:
        """Of some replicates."""
        return Moments(tuple(group.take(which) for group in self.groups), self.shares)


def group_moments(n: int, mean: np.ndarray, cov: np.ndarray) -> GroupMoments:
    """Moments as given, with what the unrestricted model reaches."""
    _, logdet, good = inverted(cov)
    saturated = np.where(good, (logdet + cov.shape[1]) / 2, -np.inf)
    return GroupMoments(n, mean, cov, saturated)


def joined(groups: Sequence[GroupMoments], *, wishart: bool = False) -> Moments:
    """All groups together; with `wishart` the covariance matrices (divisor n, as given) are taken
    with the divisor n - 1 and groups weighted alike."""
    counts = np.array([group.n - wishart for group in groups], dtype=float)
    if wishart:
        groups = [
            group_moments(group.n, group.mean, group.cov * (group.n / (group.n - 1)))
            for group in groups
        ]
    return Moments(tuple(groups), counts / counts.sum())


def weighted_moments(rows: np.ndarray, weights: np.ndarray) -> GroupMoments:
    """Moments of resamples of complete cases.

    Parameters
    ----------
    rows: shape (n, p). weights: how often each case enters each resample, shape (R, n), all with
        the same sum.
    """
    n = round(float(weights[0].sum()))
    center = rows.mean(axis=0)
    away = rows - center
    p = rows.shape[1]
    i, j = np.tril_indices(p)
    share = weights / n
    mean = share @ away
    second = share @ (away[:, i] * away[:, j])
    second -= mean[:, i] * mean[:, j]
    cov = np.empty((len(weights), p, p))
    cov[:, i, j] = second
    cov[:, j, i] = second
    return group_moments(n, mean + center, cov)


def sampled_moments(samples: np.ndarray) -> GroupMoments:
    """Moments (divisor n) of complete samples of shape (R, n, p)."""
    mean = samples.mean(axis=1)
    away = samples - mean[:, None]
    return group_moments(samples.shape[1], mean, away.mT @ away / samples.shape[1])
