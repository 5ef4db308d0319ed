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

from gfactor.psychometrics.float_arrays import inv
from gfactor.psychometrics.irt.likelihood.curves import Floats

_ROUNDS = 100
_RIDGE = 0.02
DEGREES = 6.0
"""Degrees of freedom of the t distribution of effects, so that a few unusual models widen it
little."""


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


class EffectPopulation(NamedTuple):
    """Mean (D,) and covariance (D, D) of effects, and the effects of each model (N, D)."""

    mean: Floats
    covariance: Floats
    effects: Floats


def effect_population(
    precisions: Floats, pulls: Floats, weights: Floats, degrees: float = DEGREES
) -> EffectPopulation:
    """Estimate the population of effects from the answers of each model.

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
    degrees : float
        Degrees of freedom of the population's t distribution.

    Returns
    -------
    EffectPopulation
        A ridge of 2 % keeps the covariance invertible.
    """
    d = pulls.shape[1]
    mean, covariance = np.zeros(d), np.eye(d)
    share = weights / weights.sum()
    estimates, typical = np.zeros(pulls.shape), np.ones(len(share))
    for _ in range(_ROUNDS):
        prior = inv(covariance)
        spread = inv(precisions + typical[:, None, None] * prior)
        estimates = (spread @ (pulls + typical[:, None] * (prior @ mean))[..., None])[..., 0]
        now = share * typical
        mean[:] = now @ estimates / now.sum()
        centered = estimates - mean
        errors = (now @ spread.reshape(len(share), d * d)).reshape(d, d)
        covariance[:] = (centered * now[:, None]).T @ centered + errors
        second = spread + centered[:, :, None] * centered[:, None, :]
        distance = np.tensordot(second, inv(covariance), 2)
        typical[:] = (degrees + d) / (degrees + distance)
    return EffectPopulation(mean, covariance + _RIDGE * np.diag(np.diag(covariance)), estimates)


def extended_population(
    mean: Floats, covariance: Floats, weight: float, precisions: Floats, pulls: Floats,
    weights: Floats,
) -> EffectPopulation:  # fmt: skip
    """Return a population with further models; the former ones count by their moments.

    Parameters
    ----------
    mean, covariance : array (D,), (D, D)
        The former population.
    weight : float
        Number of models that the former population counts for.
    precisions, pulls : array (N, D, D), (N, D)
        Precision and pull of the answers of each further model, as in `effect_population`.
    weights : array (N,)
        Number of models that each further model counts for.
    """
    d = pulls.shape[1]
    old_mean, old_covariance = mean, covariance
    mean, covariance = old_mean.copy(), old_covariance.copy()
    estimates, typical = np.zeros(pulls.shape), np.ones(len(weights))
    for _ in range(_ROUNDS):
        prior = inv(covariance)
        spread = inv(precisions + typical[:, None, None] * prior)
        estimates = (spread @ (pulls + typical[:, None] * (prior @ mean))[..., None])[..., 0]
        now = weights * typical
        total = weight + now.sum()
        mean[:] = (weight * old_mean + now @ estimates) / total
        gap, centered = old_mean - mean, estimates - mean
        second = spread + centered[:, :, None] * centered[:, None, :]
        whole = weight * (old_covariance + np.outer(gap, gap))
        covariance[:] = (whole + np.tensordot(now, second, 1)) / total
        typical[:] = (DEGREES + d) / (DEGREES + np.tensordot(second, inv(covariance), 2))
    return EffectPopulation(mean, covariance, estimates)
