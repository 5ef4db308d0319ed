"""The aim that ranks are decided."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special

from gfactor.errors import ParameterError
from gfactor.psychometrics.inference.claim import Sampling
from gfactor.psychometrics.inference.differences import all_pairs
from gfactor.psychometrics.inference.ranks import rank_sets
from gfactor.psychometrics.planning.aims import (
    EXAMINEE,
    Aim,
    Counts,
    Floats,
    Sense,
    Simulated,
    checked,
    proportion,
)

_RANK_DRAWS = 4000
"""Number of draws for the power of ranks; its Monte Carlo error at .5 is .008."""


@dataclass(frozen=True)
class Ranks(Aim):
    """The probability that ranks are decided, with rank sets of a single rank.

    Parameters
    ----------
    table : DataFrame, optional
        A pilot: items x models, 0/1 or graded; its means are taken as the truth, its items as the
        population of items.
    labels : Series, optional
        The domain of every item of the pilot: items are a sample within fixed domains.
    means : sequence of float
        Accuracies of the models, instead of a pilot.
    r : float
        Correlation of two models' answers to an item on the probit scale, with `means`.
    decided : {"first", "all"}
        Ranks to be decided: the first place, or every place.
    alpha : float
        Error probability of all rank sets together.

    Examples
    --------
    >>> Ranks(means=(0.7, 0.6, 0.5), r=0.4).needed({}, 0.8) in range(330, 370)
    True
    """

    name: ClassVar[str] = "ranks"
    measure: ClassVar[str] = "probability that ranks are decided"
    sense: ClassVar[Sense] = "at least"
    table: pd.DataFrame | None = None
    means: tuple[float, ...] = ()
    r: float = 0.3
    decided: Literal["first", "all"] = "first"
    alpha: float = 0.05
    labels: pd.Series | None = None

    def __post_init__(self) -> None:
        if (self.table is None) == (not self.means):
            raise ParameterError("ranks need a pilot table, or the means of the models")
        truth, _ = self._moments
        for value in self.means:
            checked(value, "every mean", 0, 1)
        checked(self.r, "r", 0, 1, open_ends=False)
        ordered = np.sort(truth)[::-1]
        gaps = -np.diff(ordered)
        if len(truth) < 2 or (gaps[:1] if self.decided == "first" else gaps).min() <= 0:
            raise ParameterError(
                f"the {'first two models' if self.decided == 'first' else 'two of the models'} "
                "have equal means, so that no number of items decides their order; leave one of "
                "them out (name the others with --examinee; in Python examinees=), or plan a "
                "difference (--aim difference; in Python aim='difference')"
            )

    @property
    def given(self) -> Counts:
        return {EXAMINEE: len(self._moments[0])}

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        """Means, and the covariance of two models' scores of an item."""
        if self.table is not None:
            x = self.table.dropna().to_numpy(float)
            inner = x - x.mean(axis=0)
            if (codes := self._codes) is not None:
                sums = [np.bincount(codes, column) for column in x.T]
                inner = x - (np.array(sums) / np.bincount(codes))[:, codes].T
            return x.mean(axis=0), inner.T @ inner / len(x)
        p = np.array(self.means)
        x = _answers(p, self.r, 100_000, np.random.default_rng(0))
        cov = np.cov(x.T)
        scale = np.sqrt(p * (1 - p) / np.diag(cov))
        return p, cov * np.outer(scale, scale)

    @cached_property
    def _codes(self) -> NDArray[np.intp] | None:
        """The domain of every item of the pilot as a number; None for one."""
        if self.table is None or self.labels is None or self.labels.nunique() < 2:
            return None
        names = self.labels.reindex(self.table.dropna().index)
        return np.unique(names.astype(str).to_numpy(), return_inverse=True)[1].reshape(-1)

    @cached_property
    def _binary(self) -> bool:
        return self.table is None or bool(np.isin(self.table.dropna().to_numpy(), (0, 1)).all())

    @cached_property
    def _noise(self) -> Floats:
        values, vectors = np.linalg.eigh(self._moments[1])
        drawn = np.random.default_rng(1).standard_normal((_RANK_DRAWS, len(values)))
        return drawn @ ((vectors * np.sqrt(np.clip(values, 0, None))) @ vectors.T)

    def reached(self, counts: Counts) -> float:
        truth, cov = self._moments
        n, order = counts["item"], np.argsort(-truth, kind="stable")
        means = (truth + self._noise / math.sqrt(n))[:, order]
        first, second = np.triu_indices(len(truth), 1)
        variance = np.diag(cov)[order]
        of = cov[np.ix_(order, order)]
        spread = np.maximum(variance[first] + variance[second] - 2 * of[first, second], 1e-12)
        gap = means[:, first] - means[:, second]
        if self._binary:
            # McNemar's exact test at the expected number of discordant items.
            discordant = spread + (truth[order][first] - truth[order][second]) ** 2
            if self._codes is not None:
                discordant = np.maximum(discordant, np.abs(truth[order][first] -
                                                           truth[order][second]))  # fmt: skip
            # With shares of a pilot's items, n times a share can be a tie that the last bit would
            # decide.
            exact = np.round(n * discordant, 9)
            pairs = np.maximum(np.round(exact), 1)
            fewer = np.clip(np.round((pairs - np.abs(gap) * n) / 2), 0, pairs)
            half = np.minimum(special.bdtr(fewer, pairs.astype(int), 0.5), 0.5)
        else:
            half = special.ndtr(-np.abs(gap) / np.sqrt(spread / n))
        order_of = np.argsort(half, axis=1)
        total = 2 * half.shape[1]
        ranked = np.take_along_axis(half, order_of, axis=1)
        stepped = np.maximum.accumulate(ranked * (total - np.arange(half.shape[1])), axis=1)
        sure = np.empty_like(stepped)
        np.put_along_axis(sure, order_of, stepped, axis=1)
        right = (sure < self.alpha) & (gap > 0)
        needed = first == 0 if self.decided == "first" else np.ones(len(first), bool)
        return float(right[:, needed].all(axis=1).mean())

    def simulate(self, counts: Counts, runs: int, rng: np.random.Generator) -> Simulated:
        truth, n = self._moments[0], counts["item"]
        names = [f"m{k}" for k in range(len(truth))]
        best = 1 + (truth[:, None] < truth - 1e-12).sum(axis=1)
        worst = len(truth) - (truth[:, None] > truth + 1e-12).sum(axis=1)
        pool = None if self.table is None else self.table.dropna().to_numpy(float)
        covered, decided = [], []
        codes, members = self._codes, []
        if codes is not None:
            members = [np.flatnonzero(codes == one) for one in range(int(codes.max()) + 1)]
        for _ in range(runs):
            sampling = None
            if pool is None:
                x = _answers(truth, self.r, n, rng)
            elif codes is None:
                x = pool[rng.integers(len(pool), size=n)]
            else:
                each = [max(1, round(n * one.size / codes.size)) for one in members]
                drawn = [rng.choice(one, size) for one, size in zip(members, each, strict=True)]
                x = pool[np.concatenate(drawn)]
                sampling = Sampling.of("same-domains", len(x), domains=codes[np.concatenate(drawn)])
            compared = all_pairs(
                pd.DataFrame(x, columns=names), sampling=sampling, level=1 - self.alpha
            )
            sets = rank_sets(compared, n_bootstrap=1).table.loc[names]
            low, high = sets["best"].to_numpy(), sets["worst"].to_numpy()
            covered.append(bool(((low <= best) & (worst <= high)).all()))
            single = low == high
            decided.append(bool(single[np.argmax(truth)] if self.decided == "first" else
                                single.all()))  # fmt: skip
        return Simulated(
            "rank sets", *proportion(np.array(covered)), *proportion(np.array(decided)), runs
        )


def _answers(p: Floats | Sequence[float], r: float, n: int, rng: np.random.Generator) -> Floats:
    """Right and wrong answers of models, items x models, correlated by the items' difficulty."""
    chances = np.asarray(p, float)
    shared = rng.standard_normal((n, 1)) * math.sqrt(r)
    noise = rng.standard_normal((n, chances.size)) * math.sqrt(1 - r)
    return (shared + noise < special.ndtri(chances)).astype(float)
