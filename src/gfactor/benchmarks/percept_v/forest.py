"""Random forests of regression trees with several outputs, as far as the probe of cues needs them.

Breiman, L. (2001). Random forests. Machine Learning 45, 5-32. Thresholds are drawn at random, as in
Geurts, P., Ernst, D., & Wehenkel, L. (2006). Extremely randomized trees. Machine Learning 63, 3-42,
and items are drawn with replacement, so that every item is left out by about a third of the trees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True)
class ForestSettings:
    """Number of trees, smallest leaf, and number of splits that are tried at a node."""

    trees: int = 100
    leaf: int = 3
    tries: int = 60
    seed: int = 0


def shared_leaves(
    features: Floats, outputs: Floats, others: Floats, settings: ForestSettings
) -> tuple[Floats, Floats]:
    """Return the weight of every training item in the prediction of every test item and every
    training item.

    Parameters
    ----------
    features, outputs: learned items x features, learned items x outputs.
    others: other items x features.

    A row holds the weights of the learned items in the leaves that an item reaches (Meinshausen,
    N. (2006). Quantile regression forests. JMLR 7, 983-999), with sum 1; learned items are asked
    of the trees alone that have not learned from them.
    """
    rng = np.random.default_rng(settings.seed)
    count = len(features)
    other, left_out_weights = np.zeros((len(others), count)), np.zeros((count, count))
    for _ in range(settings.trees):
        drawn = rng.integers(0, count, count)
        left_out = np.setdiff1d(np.arange(count), drawn)
        todo = [(drawn, np.arange(len(others)), left_out)]
        while todo:
            members, reached, tested = todo.pop()
            if not len(reached) and not len(tested):
                continue
            split = _best_split(features, outputs, members, settings, rng)
            if split is None:
                weights = np.bincount(members, minlength=count) / len(members)
                other[reached] += weights
                left_out_weights[tested] += weights
                continue
            feature, cut = split
            for below in (True, False):
                todo.append(
                    (
                        members[(features[members, feature] <= cut) == below],
                        reached[(others[reached, feature] <= cut) == below],
                        tested[(features[tested, feature] <= cut) == below],
                    )
                )
    left_out_weights /= np.maximum(left_out_weights.sum(axis=1, keepdims=True), 1e-12)
    return other / settings.trees, left_out_weights


def _best_split(
    features: Floats,
    outputs: Floats,
    members: Indices,
    settings: ForestSettings,
    rng: np.random.Generator,
) -> tuple[int, float] | None:
    """The feature and threshold, of those tried, that leave the least variance; None for a leaf."""
    if len(members) < 2 * settings.leaf:
        return None
    tried = rng.integers(0, features.shape[1], settings.tries)
    values = features[np.ix_(members, tried)]
    low, high = values.min(axis=0), values.max(axis=0)
    cuts = low + rng.random(settings.tries) * (high - low)
    below = (values <= cuts).astype(float)
    number = below.sum(axis=0)
    sums = below.T @ outputs[members]
    rest = outputs[members].sum(axis=0) - sums
    allowed = (number >= settings.leaf) & (len(members) - number >= settings.leaf)
    if not allowed.any():
        return None
    explained = np.full(settings.tries, -np.inf)
    explained[allowed] = (sums[allowed] ** 2).sum(axis=1) / number[allowed] + (
        rest[allowed] ** 2
    ).sum(axis=1) / (len(members) - number[allowed])
    best = int(explained.argmax())
    return int(tried[best]), float(cuts[best])
