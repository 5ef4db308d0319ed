"""The population of models: how abilities on several benchmarks go together.

Models come in families of near-copies, so a family of twenty must not count as twenty. Each model
weighs one over the square root of its family's size: between "each model counts" and "each family
counts". Models that did not answer a benchmark are completed by expectation maximization.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from gfactor.psychometrics.irt.curves import Floats

_ROUNDS = 200
_RIDGE = 0.02


def family_weights(families: Sequence[str]) -> Floats:
    """Return one over the square root of the size of each model's family, with mean 1.

    Examples
    --------
    >>> family_weights(["a", "a", "a", "a", "b"]).round(3).tolist()
    [0.833, 0.833, 0.833, 0.833, 1.667]
    """
    labels = pd.Series(list(families))
    weights = 1 / np.sqrt(labels.map(labels.value_counts()).to_numpy(np.float64))
    return weights / weights.mean()


def ability_population(abilities: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return mean (D,) and covariance (D, D) of abilities (N, D) with missing entries.

    Parameters
    ----------
    abilities : array (N, D)
        NaN where a model did not answer a benchmark.
    weights : array (N,)

    Returns
    -------
    tuple of array
        Mean and covariance; a ridge of 2 % keeps the covariance invertible.
    """
    seen = np.isfinite(abilities)
    d = abilities.shape[1]
    mean, covariance = np.zeros(d), np.eye(d)
    share = weights / weights.sum()
    patterns = sorted({tuple(row) for row in seen.tolist()})
    for _ in range(_ROUNDS):
        filled = np.where(seen, abilities, 0.0)
        extra = np.zeros((d, d))
        for pattern in patterns:
            there = np.array(pattern)
            rows = (seen == there).all(1)
            if there.all() or not there.any():
                continue
            gain = np.linalg.solve(
                covariance[np.ix_(there, there)], covariance[np.ix_(there, ~there)]
            )
            filled[np.ix_(rows, ~there)] = (
                mean[~there] + (abilities[np.ix_(rows, there)] - mean[there]) @ gain
            )
            rest = covariance[np.ix_(~there, ~there)] - covariance[np.ix_(~there, there)] @ gain
            extra[np.ix_(~there, ~there)] += share[rows].sum() * rest
        mean = share @ filled
        centered = filled - mean
        covariance = (centered * share[:, None]).T @ centered + extra
    return mean, covariance + _RIDGE * np.diag(np.diag(covariance))
