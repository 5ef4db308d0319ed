"""Items of several benchmarks as they are asked together, and the effects that move their logits.

The logit of an item is d + a'theta, with one or several abilities theta of its benchmark, plus a
level that moves all items of the benchmark alike, plus a share of easy items that is lost (unread
replies make easy items wrong far more often than ability explains), plus the effects of two
testlets: neighbors in the benchmark's own order are of one task or one subject, and models are good
or bad at tasks. The curve of an item is averaged over what is uncertain about the item.

References
----------
Bradlow, E. T., Wainer, H., Wang, X. (1999). A Bayesian random effects model for testlets.
    Psychometrika 64, 153-168.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.psychometrics.irt.anchors.estimation import ItemCurves
from gfactor.psychometrics.irt.likelihood.curves import Floats

Integers = NDArray[np.int64]
COMMON_EFFECTS = ("level", "easy")
"""Effects of a whole benchmark beside its abilities."""


@dataclass(frozen=True)
class PoolPart:
    """The items of one benchmark in a pool.

    Parameters
    ----------
    curves : ItemCurves
    usable : array (J,) of bool
        Items that count for ability and may be asked.
    effects : array (J, E + 2) of int
        Positions among all effects of the pool: abilities, level and loss of easy items, which are
        the same for all items of the benchmark, and two testlets.
    loadings : array (J, E + 2)
        Loadings on these effects.
    dense : int
        Number E of effects of the whole benchmark.
    """

    curves: ItemCurves
    usable: NDArray[np.bool_]
    effects: Integers
    loadings: Floats
    dense: int

    def __len__(self) -> int:
        return len(self.usable)

    def take(self, rows: Integers) -> PoolPart:
        """Return the given items alone."""
        return PoolPart(
            self.curves.take(rows),
            self.usable[rows],
            self.effects[rows],
            self.loadings[rows],
            self.dense,
        )


@dataclass(frozen=True)
class ItemPool:
    """Items of several benchmarks that are asked together.

    Parameters
    ----------
    parts : tuple of PoolPart
        By benchmark. Effects of whole benchmarks come first, in the order of the benchmarks.
    mean : array (D,)
        Prior mean of all effects: those of benchmarks, then testlets.
    covariance : array (D, D)
        Prior covariance.
    degrees : float
        Degrees of freedom of the t prior of the effects of whole benchmarks; by default it is
        normal.
    """

    parts: tuple[PoolPart, ...]
    mean: Floats
    covariance: Floats
    degrees: float = math.inf

    @property
    def common(self) -> int:
        """Number of effects of whole benchmarks."""
        return sum(part.dense for part in self.parts)


class WorkingPoint(NamedTuple):
    """Probability, its slope in the logit, and information, of items at one point."""

    probability: Floats
    slope: Floats
    information: Floats


def item_pool(
    curves: Sequence[ItemCurves],
    usable: Sequence[NDArray[np.bool_]],
    mean: Floats,
    covariance: Floats,
    testlet_sizes: Sequence[int],
    testlet_variances: Sequence[Sequence[float]],
    degrees: float = math.inf,
) -> ItemPool:
    """Return the pool of several benchmarks.

    Parameters
    ----------
    curves, usable : sequences by benchmark
    mean, covariance : array (D,), (D, D)
        Prior of the effects of whole benchmarks.
    testlet_sizes : two int
        Neighboring items in a fine and in a coarse testlet.
    testlet_variances : sequence of two float by benchmark
        Variance of the effects of fine and of coarse testlets, in squared logits.
    degrees : float
        Degrees of freedom of the prior, by default those of the normal distribution.
    """
    count, variances, parts, first = len(mean), [], [], 0
    for b, (part, free) in enumerate(zip(curves, usable, strict=True)):
        j, dense = len(part.intercepts), dense_loadings(part)
        width = dense.shape[1]
        effects = np.empty((j, width + len(testlet_sizes)), dtype=np.int64)
        effects[:, :width] = first + np.arange(width)
        first += width
        for layer, size in enumerate(testlet_sizes):
            testlet = np.arange(j) // size
            effects[:, width + layer] = count + testlet
            count += int(testlet[-1]) + 1
            variances += [testlet_variances[b][layer]] * (int(testlet[-1]) + 1)
        loadings = np.ones(effects.shape)
        loadings[:, :width] = dense
        parts.append(PoolPart(part, free, effects, loadings, width))
    whole = np.zeros((count, count))
    whole[: len(mean), : len(mean)] = covariance
    rest = np.arange(len(mean), count)
    whole[rest, rest] = variances
    return ItemPool(tuple(parts), np.r_[mean, np.zeros(count - len(mean))], whole, degrees)


def dense_loadings(curves: ItemCurves) -> Floats:
    """Return the loadings on the effects of a whole benchmark (J, K + 2).

    They are slopes on K abilities, 1 on the level, and on the loss of easy items log(1 + exp(d)),
    in standard deviations from its mean over items.
    """
    lost = np.logaddexp(0.0, curves.intercepts)
    return np.column_stack(
        [curves.slopes, np.ones(len(lost)), (lost - lost.mean()) / max(float(lost.std()), 1e-9)]
    )


def probabilities(part: PoolPart, effects: Floats) -> Floats:
    """Return the probability of a right answer (J, Q) at effects (Q, D)."""
    by_effect = np.ascontiguousarray(effects.T)
    logits = part.curves.intercepts[:, None] + sum(
        part.loadings[:, [k]] * by_effect[part.effects[:, k]] for k in range(part.effects.shape[1])
    )
    return _averaged(part.curves, logits, by_effect[_abilities(part)])[0]


def _abilities(part: PoolPart) -> Integers:
    return part.effects[0, : part.curves.slopes.shape[1]]


def _averaged(
    curves: ItemCurves, logits: Floats, theta: Floats, beyond: Floats | float = 0.0
) -> tuple[Floats, Floats]:
    """Probability and its slope in the logit, averaged over the item's own uncertainty.

    `beyond` is a further variance of the logits to average over.
    """
    extra = (slice(None),) + (None,) * (logits.ndim - 1)
    points = np.concatenate([theta, np.ones((1, *theta.shape[1:]))])
    products = (points[:, None] * points[None]).reshape(len(points) ** 2, *theta.shape[1:])
    spread = curves.covariance.reshape(len(curves.covariance), -1) @ products + beyond
    shrink = 1 / np.sqrt(1 + np.pi * spread / 8)
    curve = special.expit(logits * shrink)
    free = 1 - curves.lower[extra]
    return curves.lower[extra] + free * curve, free * curve * (1 - curve) * shrink


def working_point(part: PoolPart, effects: Floats, beyond: Floats | float = 0.0) -> WorkingPoint:
    """Return probability, slope and information of items at one point.

    `beyond` is the variance of each item's logit around this point to average over.
    """
    logits = part.curves.intercepts + (part.loadings * effects[part.effects]).sum(1)
    probability, slope = _averaged(part.curves, logits, effects[_abilities(part)], beyond)
    return WorkingPoint(probability, slope, slope**2 / (probability * (1 - probability)))


def sums_by_effect(part: PoolPart, values: Floats, count: int) -> Floats:
    """Return the sum of values times loadings over items, by effect (D,)."""
    sums: Any = np.bincount(
        part.effects.ravel(), (part.loadings * values[:, None]).ravel(), minlength=count
    )
    return sums


def information_matrix(part: PoolPart, information: Floats, row_of: Integers, size: int) -> Floats:
    """Return the information matrix (size, size) of items about the effects, at the effects'
    positions."""
    rows, load = row_of[part.effects], part.loadings
    cells = rows[:, :, None] * size + rows[:, None, :]
    values = information[:, None, None] * load[:, :, None] * load[:, None, :]
    sums: Any = np.bincount(cells.ravel(), values.ravel(), minlength=size * size)
    return sums.reshape(size, size)


def full_score_slopes(part: PoolPart, effects: Floats) -> Floats:
    """Return the change of a benchmark's expected full score by each effect (D,)."""
    return sums_by_effect(part, working_point(part, effects).slope, len(effects)) / len(part)


def logit_variances(part: PoolPart, covariance: Floats) -> Floats:
    """Return the variance of every item's logit under a covariance of the effects (J,)."""
    rows, dense = part.effects[0, : part.dense], part.loadings[:, : part.dense]
    total = ((dense @ covariance[np.ix_(rows, rows)]) * dense).sum(1)
    layers = [part.effects[:, k] for k in range(part.dense, part.effects.shape[1])]
    for k, layer in enumerate(layers):
        total += 2 * (dense * covariance[np.ix_(rows, np.arange(len(covariance)))].T[layer]).sum(1)
        total += covariance[layer, layer]
        for other in layers[:k]:
            total += 2 * covariance[layer, other]
    return total
