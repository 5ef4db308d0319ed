"""The samples of a bootstrap: drawn cases, given cases, transformed cases, simulated ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.float_arrays import cholesky
from gfactor.psychometrics.sem.batches import (
    Moments,
    group_moments,
    joined,
    sampled_moments,
    weighted_moments,
)
from gfactor.psychometrics.sem.batches.moments import GroupMoments
from gfactor.psychometrics.sem.fitted import Fit
from gfactor.psychometrics.sem.sample import GroupSample, Sample

Kind = Literal["plain", "bollen-stine", "parametric"]
KINDS: tuple[Kind, ...] = ("plain", "bollen-stine", "parametric")

_CELLS = 4_000_000
"""Number of values in memory while moments are computed (32 MB)."""


def _symmetric_root(matrix: np.ndarray, power: float) -> np.ndarray:
    values, vectors = np.linalg.eigh(matrix)
    return (vectors * values**power) @ vectors.T


def moved_to_model(fit: Fit, number: int) -> np.ndarray:
    """Return one group's cases, transformed so that their moments are those of the model (Bollen &
    Stine 1992): (y - mean) S^-1/2 Sigma^1/2 + mu, with symmetric roots."""
    group = fit.sample.groups[number]
    here = fit.point.groups[number]
    assert group.rows is not None
    turn = _symmetric_root(group.cov, -0.5) @ _symmetric_root(here.sigma, 0.5)
    center = here.mu if fit.problem.use_mean else group.mean
    return (group.rows - group.mean) @ turn + center


class Resamples:
    """Resamples of the cases of a fit.

    Parameters
    ----------
    fit: fit to cases. kind: see `bootstrap`. n_bootstrap: number of resamples.
    seed: seed of a PCG64 generator, drawn from group by group.
    indices: cases of each resample instead of drawn ones: per group an array of shape
        (n_bootstrap, n of the group), counted from 0 within the group.
    """

    def __init__(
        self,
        fit: Fit,
        kind: Kind,
        n_bootstrap: int,
        seed: int,
        indices: Sequence[np.ndarray] | None,
    ) -> None:
        self.fit, self.kind, self.n_bootstrap = fit, kind, n_bootstrap
        self._rng = np.random.Generator(np.random.PCG64(seed))
        groups = fit.sample.groups
        self._indices = indices
        if indices is not None:
            for group, drawn in zip(groups, indices, strict=True):
                if drawn.ndim != 2 or drawn.shape[1] != group.n or drawn.min() < 0:
                    raise ParameterError(
                        f"indices need one row of {group.n} case numbers from 0 per resample"
                        f"{f' of group {group.label!r}' if group.label else ''}."
                    )
                if drawn.max() >= group.n:
                    raise ParameterError(
                        f"indices contain case {drawn.max()}, but the cases are 0 to {group.n - 1}."
                    )
        self.rows = [
            moved_to_model(fit, number) if kind == "bollen-stine" else fit.case_rows(number)
            for number in range(len(groups))
        ]

    def moments(self) -> Moments:
        """Return all resamples' moments, for batches."""
        by_group = [self._group(number) for number in range(len(self.rows))]
        return joined(by_group, wishart=self.fit.options.likelihood == "wishart")

    def _group(self, number: int) -> GroupMoments:
        rows = self.rows[number]
        n, p = rows.shape
        step = max(1, _CELLS // (n * (p if self.kind == "parametric" else 1)))
        parts = []
        for first in range(0, self.n_bootstrap, step):
            count = min(step, self.n_bootstrap - first)
            if self.kind == "parametric":
                parts.append(sampled_moments(self._simulated(number, count)))
            else:
                parts.append(weighted_moments(rows, self._counts(number, first, count)))
        return group_moments(
            n,
            np.concatenate([part.mean for part in parts]),
            np.concatenate([part.cov for part in parts]),
        )

    def _drawn(self, number: int, first: int, count: int) -> np.ndarray:
        if self._indices is not None:
            return np.asarray(self._indices[number])[first : first + count]
        n = len(self.rows[number])
        return self._rng.integers(0, n, size=(count, n))

    def _counts(self, number: int, first: int, count: int) -> np.ndarray:
        """Return how often each case stands in each resample."""
        n = len(self.rows[number])
        cells = self._drawn(number, first, count) + n * np.arange(count)[:, None]
        return np.bincount(cells.ravel(), minlength=n * count).reshape(count, n).astype(float)

    def _simulated(self, number: int, count: int) -> np.ndarray:
        here = self.fit.point.groups[number]
        group = self.fit.sample.groups[number]
        center = here.mu if self.fit.problem.use_mean else group.mean
        noise = self._rng.standard_normal((count, group.n, len(center)))
        return noise @ cholesky(here.sigma).T + center

    def samples(self) -> Iterator[Sample]:
        """Yield the resamples one by one, with their cases."""
        for draw in range(self.n_bootstrap):
            parts = []
            for number, group in enumerate(self.fit.sample.groups):
                if self.kind == "parametric":
                    rows = self._simulated(number, 1)[0]
                    rows[np.isnan(np.asarray(group.rows))] = np.nan
                else:
                    rows = self.rows[number][self._drawn(number, draw, 1)[0]]
                parts.append(_sample(group, rows))
            yield Sample(self.fit.sample.variables, tuple(parts), self.fit.sample.has_means)


def _sample(group: GroupSample, rows: np.ndarray) -> GroupSample:
    observed = ~np.isnan(rows)
    counts = np.maximum(observed.sum(axis=0), 1)
    mean = np.where(observed, rows, 0.0).sum(axis=0) / counts
    away = np.where(observed, rows - mean, 0.0)
    cov = away.T @ away / len(rows) if observed.all() else np.diag((away**2).sum(axis=0) / counts)
    return GroupSample(group.label, len(rows), mean, cov, rows, np.arange(len(rows)))


def left_out(fit: Fit) -> Iterator[tuple[int, Moments]]:
    """Yield, for each group, its number and the moments of all jackknife samples, which lack one of
    its cases."""
    groups = fit.sample.groups
    for number, group in enumerate(groups):
        parts = []
        for other, one in enumerate(groups):
            rows = np.asarray(one.rows)
            count = group.n
            weights = np.ones((count, one.n)) - (np.eye(count) if other == number else 0.0)
            parts.append(weighted_moments(rows, weights))
        yield number, joined(parts, wishart=fit.options.likelihood == "wishart")


def left_out_samples(fit: Fit, number: int) -> Iterator[Sample]:
    """Yield the jackknife samples of one group, one by one, with their cases."""
    groups = fit.sample.groups
    for case in range(groups[number].n):
        parts = list(groups)
        rows = np.delete(np.asarray(groups[number].rows), case, axis=0)
        parts[number] = _sample(groups[number], rows)
        yield Sample(fit.sample.variables, tuple(parts), fit.sample.has_means)
