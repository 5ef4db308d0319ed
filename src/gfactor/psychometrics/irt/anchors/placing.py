"""Place a model among calibrated ones: its abilities, and its score on every full benchmark.

The logit of an item is a'theta + d, plus a level that moves all items of the benchmark alike, plus
the effects of two testlets: neighbors in the benchmark's own order are of one task or one subject,
and models are good or bad at tasks. Abilities, levels and testlet effects have one normal posterior
(Laplace); the curve of an item is averaged over what is uncertain about the item.

The next question is not the one with most information about ability, which would be the one nearest
to it. It is the one expected to lower most the posterior variance of the *full scores*: the squared
posterior covariance of the item's logit with each full score, times the item's information over
one plus the information that is already there. So questions spread over testlets by themselves.

References
----------
Bradlow, E. T., Wainer, H., Wang, X. (1999). A Bayesian random effects model for testlets.
    Psychometrika 64, 153-168.
van der Linden, W. J. (1999). Multidimensional adaptive testing with a minimum error-variance
    criterion. Journal of Educational and Behavioral Statistics 24, 398-412.
Maia Polo, F., et al. (2024). tinyBenchmarks: evaluating LLMs with fewer examples (the answers seen,
    and the curves of the items not seen, make the predicted score).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from gfactor.psychometrics.irt.anchors.estimation import ItemCurves
from gfactor.psychometrics.irt.curves import Floats

Integers = NDArray[np.int64]

_NEWTON_STEPS = 30
_STILL = 1e-8
_DRAWS = 200
_BEST = 3
"""The next question is drawn from this number of best ones, so that no item is asked of all."""
RENEWED_EVERY = 10
"""Between two full posteriors, an answer moves the posterior by one Kalman step."""


@dataclass(frozen=True)
class PoolPart:
    """The items of one benchmark in a pool.

    Parameters
    ----------
    curves : ItemCurves
        Of one dimension.
    usable : array (J,) of bool
        Items that count for ability and may be asked.
    effects : array (J, 4) of int
        Positions of an item's ability, level and testlets among all effects of the pool.
    loadings : array (J, 4)
        Slope, 1, 1, 1.
    """

    curves: ItemCurves
    usable: NDArray[np.bool_]
    effects: Integers
    loadings: Floats

    def __len__(self) -> int:
        return len(self.usable)

    def take(self, rows: Integers) -> PoolPart:
        """Return the given items alone."""
        return PoolPart(
            self.curves.take(rows), self.usable[rows], self.effects[rows], self.loadings[rows]
        )


@dataclass(frozen=True)
class ItemPool:
    """Items of several benchmarks as they are asked together.

    Parameters
    ----------
    parts : tuple of PoolPart
        By benchmark. Ability and level of benchmark b are effects 2b and 2b + 1.
    mean : array (D,)
        Prior mean of all effects: abilities and levels, then testlets.
    covariance : array (D, D)
        Prior covariance.
    """

    parts: tuple[PoolPart, ...]
    mean: Floats
    covariance: Floats


@dataclass(frozen=True)
class Posterior:
    """Normal posterior of the effects.

    Parameters
    ----------
    mean : array (D,)
    covariance : array (D, D)
    """

    mean: Floats
    covariance: Floats


class Prediction(NamedTuple):
    """Predicted share of right answers on all items of one benchmark.

    `accuracy` is its mean; `ability_variance` comes from abilities, levels and testlets,
    `answer_variance` from the answers to items that were not asked; `asked` counts items.
    """

    accuracy: float
    ability_variance: float
    answer_variance: float
    asked: int


class _Working(NamedTuple):
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
) -> ItemPool:
    """Return the pool of several benchmarks.

    Parameters
    ----------
    curves, usable : sequences by benchmark
    mean, covariance : array (2B,), (2B, 2B)
        Prior of abilities and levels.
    testlet_sizes : two int
        Neighboring items in a fine and in a coarse testlet.
    testlet_variances : sequence of two float by benchmark
        Variance of the effects of fine and of coarse testlets, in squared logits.
    """
    count = 2 * len(curves)
    variances, parts = [], []
    for b, (part, free) in enumerate(zip(curves, usable, strict=True)):
        j = len(part.intercepts)
        effects = np.empty((j, 2 + len(testlet_sizes)), dtype=np.int64)
        effects[:, 0], effects[:, 1] = 2 * b, 2 * b + 1
        for layer, size in enumerate(testlet_sizes):
            testlet = np.arange(j) // size
            effects[:, 2 + layer] = count + testlet
            count += int(testlet[-1]) + 1
            variances += [testlet_variances[b][layer]] * (int(testlet[-1]) + 1)
        loadings = np.ones(effects.shape)
        loadings[:, 0] = part.slopes[:, 0]
        parts.append(PoolPart(part, free, effects, loadings))
    whole = np.zeros((count, count))
    whole[: len(mean), : len(mean)] = covariance
    rest = np.arange(len(mean), count)
    whole[rest, rest] = variances
    return ItemPool(tuple(parts), np.r_[mean, np.zeros(count - len(mean))], whole)


def probabilities(part: PoolPart, effects: Floats) -> Floats:
    """Return the probability of a right answer (J, Q) at effects (Q, D)."""
    by_effect = np.ascontiguousarray(effects.T)
    logits = part.curves.intercepts[:, None] + sum(
        part.loadings[:, [k]] * by_effect[part.effects[:, k]] for k in range(part.effects.shape[1])
    )
    return _averaged(part.curves, logits, by_effect[part.effects[0, 0]][None, :])[0]


def _averaged(curves: ItemCurves, logits: Floats, theta: Floats) -> tuple[Floats, Floats]:
    """Probability and its slope in the logit, averaged over the item's own uncertainty."""
    extra = (slice(None),) + (None,) * (logits.ndim - 1)
    v = curves.covariance
    spread = v[:, 0, 0][extra] * theta**2 + 2 * v[:, 0, 1][extra] * theta + v[:, 1, 1][extra]
    shrink = 1 / np.sqrt(1 + np.pi * spread / 8)
    curve = special.expit(logits * shrink)
    free = 1 - curves.lower[extra]
    return curves.lower[extra] + free * curve, free * curve * (1 - curve) * shrink


def _working(part: PoolPart, effects: Floats) -> _Working:
    logits = part.curves.intercepts + (part.loadings * effects[part.effects]).sum(1)
    theta = np.broadcast_to(effects[part.effects[0, 0]], logits.shape)
    probability, slope = _averaged(part.curves, logits, theta)
    return _Working(probability, slope, slope**2 / (probability * (1 - probability)))


def _sums(part: PoolPart, values: Floats, count: int) -> Floats:
    """Sum of values times loadings over items, by effect (D,)."""
    return np.bincount(
        part.effects.ravel(), (part.loadings * values[:, None]).ravel(), minlength=count
    )


def _information(part: PoolPart, information: Floats, place: Integers, size: int) -> Floats:
    """Information matrix (size, size) of items about the effects at their places."""
    own, load = place[part.effects], part.loadings
    cells = own[:, :, None] * size + own[:, None, :]
    values = information[:, None, None] * load[:, :, None] * load[:, None, :]
    return np.bincount(cells.ravel(), values.ravel(), minlength=size * size).reshape(size, size)


def full_score_slopes(part: PoolPart, effects: Floats) -> Floats:
    """Return the change of a benchmark's expected full score by each effect (D,)."""
    return _sums(part, _working(part, effects).slope, len(effects)) / len(part)


def posterior(pool: ItemPool, answers: Sequence[Floats], start: Floats | None = None) -> Posterior:
    """Return the posterior of the effects given answers (1, 0, NaN) by benchmark.

    Answers to items that are not usable do not count.
    """
    count = len(pool.mean)
    parts = []
    touched = np.zeros(count, dtype=bool)
    touched[: 2 * len(pool.parts)] = True
    for part, x in zip(pool.parts, answers, strict=True):
        rows = np.flatnonzero(np.isfinite(x) & part.usable)
        if len(rows):
            parts.append((part.take(rows), x[rows]))
            touched[part.effects[rows]] = True
    # Effects that no answer touches keep their prior: they are independent of all others.
    active = np.flatnonzero(touched)
    place = np.zeros(count, dtype=np.int64)
    place[active] = np.arange(len(active))
    prior = np.linalg.inv(pool.covariance[np.ix_(active, active)])
    effects = (pool.mean if start is None else start).copy()
    precision = prior
    for _ in range(_NEWTON_STEPS):
        gradient = -prior @ (effects - pool.mean)[active]
        precision = prior.copy()
        for part, x in parts:
            at = _working(part, effects)
            score = (x - at.probability) / (at.probability * (1 - at.probability)) * at.slope
            gradient += _sums(part, score, count)[active]
            precision += _information(part, at.information, place, len(active))
        step = np.linalg.solve(precision, gradient)
        size = float(np.abs(step).max())
        effects[active] += step / size if size > 1 else step
        if size < _STILL:
            break
    covariance = pool.covariance.copy()
    covariance[np.ix_(active, active)] = np.linalg.inv(precision)
    return Posterior(effects, covariance)


def after_answer(pool: ItemPool, belief: Posterior, b: int, k: int, answer: float) -> Posterior:
    """Return the posterior after one more answer, by one Kalman step."""
    part = pool.parts[b].take(np.array([k]))
    at = _working(part, belief.mean)
    load = part.loadings[0]
    reach = belief.covariance[:, part.effects[0]] @ load
    own = float(load @ reach[part.effects[0]])
    information = float(at.information[0])
    surprise = float((answer - at.probability[0]) / at.slope[0])
    gain = reach * information / (1 + information * own)
    return Posterior(
        belief.mean + gain * np.clip(surprise, -4.0, 4.0),
        belief.covariance - np.outer(gain, reach),
    )


def gains(pool: ItemPool, belief: Posterior, importance: Sequence[float]) -> list[Floats]:
    """Return by benchmark what each item is expected to take from the variance of full scores.

    Parameters
    ----------
    pool : ItemPool
    belief : Posterior
    importance : sequence of float
        Weight of the variance of each benchmark's full score. Items of a benchmark with weight 0
        have gain 0: they are not asked.
    """
    weights = np.asarray(importance, dtype=np.float64)
    wanted = np.flatnonzero(weights > 0).tolist()
    at = {b: _working(pool.parts[b], belief.mean) for b in wanted}
    directions = np.column_stack(
        [_sums(pool.parts[b], at[b].slope, len(pool.mean)) / len(pool.parts[b]) for b in wanted]
    )
    reach = belief.covariance @ directions
    result = [np.zeros(len(part)) for part in pool.parts]
    for b in wanted:
        effects, load, information = (
            pool.parts[b].effects,
            pool.parts[b].loadings,
            at[b].information,
        )
        own = np.zeros(len(load))
        for m in range(load.shape[1]):
            for n in range(m, load.shape[1]):
                pair = belief.covariance[effects[:, m], effects[:, n]] * load[:, m] * load[:, n]
                own += pair if m == n else 2 * pair
        shared = (load[:, :, None] * reach[effects]).sum(1) ** 2 @ weights[wanted]
        result[b] = shared * information / (1 + information * own)
    return result


def next_item(
    pool: ItemPool,
    belief: Posterior,
    available: Sequence[NDArray[np.bool_]],
    importance: Sequence[float],
    rng: np.random.Generator,
) -> tuple[int, int]:
    """Return benchmark and position of the next question.

    It is drawn from the three available items with the largest gains.
    """
    gain = np.concatenate([
        np.where(free, value, -1.0)
        for free, value in zip(available, gains(pool, belief, importance), strict=True)
    ])  # fmt: skip
    best = np.sort(np.argpartition(-gain, min(_BEST, len(gain)) - 1)[:_BEST])
    best = best[gain[best] >= 0]
    chosen = int(best[int(rng.integers(len(best)))])
    ends = np.cumsum([len(part) for part in pool.parts])
    benchmark = int(np.searchsorted(ends, chosen, side="right"))
    return benchmark, chosen - (int(ends[benchmark - 1]) if benchmark else 0)


def predict(
    pool: ItemPool, belief: Posterior, answers: Sequence[Floats], rng: np.random.Generator
) -> list[Prediction]:
    """Predict the share of right answers on all items of every benchmark.

    Answers given count as they are; the others are averaged over draws of the effects.
    """
    half = rng.standard_normal((_DRAWS // 2, len(belief.mean)))
    jitter = 1e-10 * np.eye(len(belief.mean))
    root = np.linalg.cholesky((belief.covariance + belief.covariance.T) / 2 + jitter)
    draws = belief.mean + np.vstack([half, -half]) @ root.T
    result = []
    for part, x in zip(pool.parts, answers, strict=True):
        seen = np.isfinite(x)
        if seen.all():
            result.append(Prediction(float(x.mean()), 0.0, 0.0, len(x)))
            continue
        chance = probabilities(part.take(np.flatnonzero(~seen)), draws)
        scores = (np.nansum(x) + chance.sum(0)) / len(x)
        left = float((chance * (1 - chance)).sum(0).mean()) / len(x) ** 2
        result.append(Prediction(float(scores.mean()), float(scores.var()), left, int(seen.sum())))
    return result
