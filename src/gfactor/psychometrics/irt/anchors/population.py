"""The population of models: how effects on several benchmarks go together.

Models come in families of near-copies, so a family of twenty must not count as twenty. Each model
weighs one over the square root of its family's size: between "each model counts" and "each family
counts". Models that did not answer a benchmark are completed by expectation maximization.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from gfactor.psychometrics.irt.curves import Floats

_ROUNDS = 100
_RIDGE = 0.02


def family_weights(families: Sequence[str]) -> Floats:
    """Return one over the square root of the size of each model's family, with mean 1.

    Examples
    --------
    >>> family_weights(["a", "a", "a", "a", "b"]).round(3).tolist()
    [0.833, 0.833, 0.833, 0.833, 1.667]
    """
    weights = independent_share(families)
    return weights / weights.mean()


def independent_share(families: Sequence[str]) -> Floats:
    """Return one over the square root of the size of each model's family.

    Examples
    --------
    >>> independent_share(["a", "a", "a", "a", "b"]).tolist()
    [0.5, 0.5, 0.5, 0.5, 1.0]
    """
    labels = pd.Series(list(families))
    return 1 / np.sqrt(labels.map(labels.value_counts()).to_numpy(np.float64))


class Population(NamedTuple):
    """Mean (D,) and covariance (D, D) of effects, and the effects of each model (N, D)."""

    mean: Floats
    covariance: Floats
    effects: Floats


def effect_population(precisions: Floats, pulls: Floats, weights: Floats) -> Population:
    """Estimate the population of effects from what the answers of each model say of them.

    The answers of model i count as one normal observation of its effects with the given precision.
    The population is estimated by expectation maximization, so errors of the effects do not widen
    it. A model that did not answer a benchmark has precision 0 there.

    Parameters
    ----------
    precisions : array (N, D, D)
        Precision of each model's effects by its answers alone.
    pulls : array (N, D)
        Precision times the effects that the answers alone would give.
    weights : array (N,)
        Weight of each model.

    Returns
    -------
    Population
        A ridge of 2 % keeps the covariance invertible.
    """
    d = pulls.shape[1]
    mean, covariance = np.zeros(d), np.eye(d)
    share = weights / weights.sum()
    found = np.zeros(pulls.shape)
    for _ in range(_ROUNDS):
        prior = np.linalg.inv(covariance)
        spread = np.linalg.inv(precisions + prior)
        found = (spread @ (pulls + prior @ mean)[..., None])[..., 0]
        mean = share @ found
        centered = found - mean
        errors = (share @ spread.reshape(len(share), d * d)).reshape(d, d)
        covariance = (centered * share[:, None]).T @ centered + errors
    return Population(mean, covariance + _RIDGE * np.diag(np.diag(covariance)), found)
