"""Common variance of neighbors in a benchmark for one model, beyond its ability.

Benchmarks list their items by task or subject, so items that are near in that order share what a
model is good or bad at. Residuals of the calibrated models show how much: the product of the
residuals of two items, divided by the product of the slopes of their curves, estimates the variance
of an effect that both share. Pairs in one fine testlet share the fine and the coarse effect, pairs
in one coarse testlet only the coarse one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gfactor.psychometrics.irt.likelihood.curves import Floats

TESTLET_SIZES = (20, 100)
"""Neighboring items in a fine and in a coarse testlet."""
_LEAST = 1e-4


def effect_variances(
    residuals: Floats, slopes: Floats, weights: Floats, sizes: Sequence[int] = TESTLET_SIZES
) -> tuple[float, float]:
    """Return the variances of fine and coarse testlet effects, in squared logits.

    Parameters
    ----------
    residuals : array (N, J)
        Answer less its probability, 0 if a model was not asked, in the order of the benchmark.
    slopes : array (N, J)
        Slopes of the probabilities in the logit, 0 if a model was not asked.
    weights : array (N,)
        Weight of each model.
    sizes : two int
    """
    total, norm = _products(residuals, slopes, weights, residuals.shape[1])
    products = [_products(residuals, slopes, weights, size) for size in sizes]
    fine, coarse = products
    beyond = (total - coarse[0]) / (norm - coarse[1])
    middle = (coarse[0] - fine[0]) / (coarse[1] - fine[1])
    near = fine[0] / fine[1]
    return max(near - middle, _LEAST), max(middle - beyond, _LEAST)


def _products(residuals: Floats, slopes: Floats, weights: Floats, size: int) -> tuple[float, float]:
    """Sums over pairs of different items in one testlet, of residuals' and of slopes' products."""
    starts = np.arange(0, residuals.shape[1], size)

    def pairs(values: Floats) -> float:
        sums = np.add.reduceat(values, starts, axis=1)
        squares = np.add.reduceat(values**2, starts, axis=1)
        return float((weights[:, None] * (sums**2 - squares)).sum())

    return pairs(residuals), pairs(slopes)
