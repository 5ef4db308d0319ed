"""What random sets of tasks would have done: the measure of a selection."""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gfactor.psychometrics.alignment import ranges
from gfactor.psychometrics.gold.model import measured
from gfactor.psychometrics.pruning.prune import Pruning

Floats = NDArray[np.float64]

SETS = 200
"""Random sets behind the yardstick; a share of them is then good to 0.04."""


def random_sets(made: Pruning, columns: list[str], rng: np.random.Generator) -> Floats:
    """Sets x tasks: weights of means over as many tasks of every construct as `made` kept."""
    place = {task: number for number, task in enumerate(columns)}
    weights = np.zeros((SETS, len(columns)))
    size = len(made.tasks_left)
    for k in range(SETS):
        for construct, own in measured(made.model).items():
            kept = rng.choice(len(own), len(made.retained[construct]), replace=False)
            weights[k, [place[own[i]] for i in kept]] = 1 / size
    return weights


def rank_yardstick(whole: pd.Series, random: Floats, size: int | None) -> Floats:
    """Spearman and Kendall of every random score (models x sets) with the whole one.

    (range and coefficient, in the order of `rank_agreement`) x sets.
    """
    lines = []
    for models in ranges(whole, size).values():
        rows = whole.index.get_indexer(models)
        x, sets = whole.to_numpy(float)[rows], random[rows]
        ranks = stats.rankdata(np.column_stack([x, sets]), axis=0)
        ranks -= ranks.mean(axis=0)
        length = np.sqrt((ranks**2).sum(axis=0))
        lines.append(ranks[:, 0] @ ranks[:, 1:] / np.maximum(length[0] * length[1:], 1e-300))
        lines.append(_kendall(x, sets))
    return np.array(lines)


def _kendall(x: Floats, sets: Floats) -> Floats:
    """Kendall's tau-b of `x` with every column."""
    first, second = np.triu_indices(len(x), 1)
    one = np.sign(x[first] - x[second])
    many = np.sign(sets[first] - sets[second])
    ties = np.sqrt((one**2).sum() * (many**2).sum(axis=0))
    return one @ many / np.maximum(ties, 1e-300)
