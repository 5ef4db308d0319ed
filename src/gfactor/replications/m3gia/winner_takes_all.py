"""Test of "winner takes all" (paper, 4.1): do the same models win everywhere, more than by chance?

References
----------
Kendall, M. G., Babington Smith, B. (1939). The problem of m rankings. Annals of Mathematical
    Statistics 10, 275-287.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.errors import ParameterError
from gfactor.replications.m3gia.battery import BROAD, INDICATORS, POINTS, TYPES, broad_accuracies

_PERMUTATIONS = 2_000
"""Enough for p-values down to 0.0005."""


@dataclass(frozen=True)
class Winners:
    """Agreement of the rankings on the five broad factors.

    Parameters
    ----------
    ranks: models x factors, 1 is best, ties share their mean rank.
    accuracies: models x factors.
    correlations: factors x factors, Pearson over models.
    w: Kendall's coefficient of concordance of the five rankings (tie-corrected).
    w_chance: mean of W if every question type ranks the models at random; it is above 0 because
        factors share question types. p: share of such permutations with at least this W.
    led: number of factors on which the overall best model is best. led_two: number of the 10
        places among the best two (of five factors) that the overall best two models take.
    n: number of models. permutations, seed: settings of the permutation test.
    """

    ranks: pd.DataFrame
    accuracies: pd.DataFrame
    correlations: pd.DataFrame
    w: float
    w_chance: float
    p: float
    led: int
    led_two: int
    n: int
    permutations: int
    seed: int


def winners(counts: pd.DataFrame, permutations: int = _PERMUTATIONS, seed: int = 0) -> Winners:
    """Return the winner-takes-all matrix of counts (models x 18 question types).

    Raises ParameterError with fewer than three models.
    """
    if len(counts) < 3:
        raise ParameterError(f"rankings need at least 3 models, got {len(counts)}")
    accuracies = broad_accuracies(counts)
    x = counts.loc[:, list(INDICATORS)].to_numpy(float)
    ticks = np.array(
        [[t.per_language * (f in t.broad) for f in BROAD] for t in TYPES.values()], float
    )
    ticks = ticks / ticks.sum(axis=0) / POINTS[:, None]
    ranks = stats.rankdata(-(x @ ticks), axis=0)
    rng = np.random.default_rng(seed)
    order = rng.random((permutations, *x.shape)).argsort(axis=1)
    mixed = np.take_along_axis(np.broadcast_to(x, order.shape), order, axis=1)
    random = _concordance(stats.rankdata(-(mixed @ ticks), axis=1))
    w = float(_concordance(ranks[None])[0])
    overall = np.argsort(-x.sum(axis=1), kind="stable")
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations = np.corrcoef(accuracies.to_numpy(float), rowvar=False)
    return Winners(
        pd.DataFrame(ranks, index=counts.index, columns=list(BROAD)),
        accuracies,
        pd.DataFrame(correlations, index=list(BROAD), columns=list(BROAD)),
        w,
        float(random.mean()),
        float((1 + (random >= w - 1e-12).sum()) / (permutations + 1)),
        int((ranks[overall[0]] == 1).sum()),
        int((ranks[overall[:2]] <= 2).sum()),
        len(counts),
        permutations,
        seed,
    )


def _concordance(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Kendall's W of every table of n models ranked by m judges (tables x n x m), tie-corrected."""
    n, m = ranks.shape[1:]
    sums = ranks.sum(axis=2)
    # A group of t ties adds t^3 - t: each of its t members t^2 - 1.
    tied = (ranks[:, :, None, :] == ranks[:, None, :, :]).sum(axis=2)
    ties = (tied**2 - 1).sum(axis=(1, 2))
    spread = 12 * ((sums - sums.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    most = m**2 * (n**3 - n) - m * ties
    return np.divide(spread, most, out=np.full(len(ranks), np.nan), where=most > 0)
