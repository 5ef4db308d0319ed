"""Place a model among calibrated ones: its effects, and its score on every full benchmark.

Abilities, levels and testlet effects have one normal posterior (Laplace). The effects of whole
benchmarks have a t prior: a normal prior whose weight falls if the model's answers are unusual, so
that the model is shrunk less toward the others.

References
----------
Lange, K. L., Little, R. J. A., Taylor, J. M. G. (1989). Robust statistical modeling using the t
    distribution. Journal of the American Statistical Association 84, 881-896.
Maia Polo, F., et al. (2024). tinyBenchmarks: evaluating LLMs with fewer examples (the answers seen,
    and the curves of the items not seen, make the predicted score).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gfactor.psychometrics.float_arrays import inv, solve
from gfactor.psychometrics.irt.anchors.pool import (
    ItemPool,
    information_matrix,
    logit_variances,
    sums_by_effect,
    working_point,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats

_NEWTON_STEPS = 30
_STILL = 1e-6


@dataclass(frozen=True)
class EffectPosterior:
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


def posterior(
    pool: ItemPool, answers: Sequence[Floats], start: EffectPosterior | None = None
) -> EffectPosterior:
    """Return the posterior of the effects given answers (1, 0, NaN) by benchmark.

    Answers to items that are not usable do not count. `start` is near the posterior, by default it
    is the prior.
    """
    count, common = len(pool.mean), pool.common
    parts = []
    touched = np.zeros(count, dtype=bool)
    touched[:common] = True
    for part, x in zip(pool.parts, answers, strict=True):
        rows = np.flatnonzero(np.isfinite(x) & part.usable)
        if len(rows):
            parts.append((part.take(rows), x[rows]))
            touched[part.effects[rows]] = True
    # Effects that no answer depends on keep their prior: they are independent of all others.
    active = np.flatnonzero(touched)
    row_of = np.zeros(count, dtype=np.int64)
    row_of[active] = np.arange(len(active))
    prior = inv(pool.covariance[np.ix_(active, active)])
    belief = start or EffectPosterior(pool.mean, pool.covariance)
    effects, spread = belief.mean.copy(), belief.covariance[np.ix_(active, active)]
    for _ in range(_NEWTON_STEPS):
        precision = prior.copy()
        precision[:common, :common] *= prior_weight(pool, effects, np.asarray(spread, float))
        gradient = -precision @ (effects - pool.mean)[active]
        for part, x in parts:
            at = working_point(part, effects)
            score = (x - at.probability) / (at.probability * (1 - at.probability)) * at.slope
            gradient += sums_by_effect(part, score, count)[active]
            precision += information_matrix(part, at.information, row_of, len(active))
        spread = inv(precision)
        step = spread @ gradient
        size = float(np.abs(step).max())
        effects[active] += step / size if size > 1 else step
        if size < _STILL:
            break
    covariance = pool.covariance.copy()
    covariance[np.ix_(active, active)] = spread
    return EffectPosterior(effects, covariance)


def prior_weight(pool: ItemPool, mean: Floats, covariance: Floats) -> float:
    """Return the weight of the prior of the effects of whole benchmarks for one model.

    It is expected under the posterior with the given mean and covariance, whose first rows are
    these effects: 1 before any answer, and less the farther the model is from the others.
    """
    common = pool.common
    gap = mean[:common] - pool.mean[:common]
    second = covariance[:common, :common] + np.outer(gap, gap)
    distance = np.trace(solve(pool.covariance[:common, :common], second))
    return 1 / (1 + (float(distance) - common) / (pool.degrees + common))


def evidence(pool: ItemPool, mean: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """Return the precision matrix (E, E) and the precision-weighted mean (E,) of the answers'
    likelihood for the effects of whole benchmarks.

    They are the difference between a posterior with the given mean and covariance and its prior.
    """
    common = pool.common
    whole = inv(covariance[:common, :common])
    prior = prior_weight(pool, mean, covariance) * inv(pool.covariance[:common, :common])
    return whole - prior, whole @ mean[:common] - prior @ pool.mean[:common]


def after_answer(
    pool: ItemPool, belief: EffectPosterior, b: int, k: int, answer: float | None
) -> EffectPosterior:
    """Return the posterior after one more answer, by one Kalman step.

    If the answer is None, the expected answer is taken, which changes only the covariance.
    """
    part = pool.parts[b].take(np.array([k]))
    at = working_point(part, belief.mean)
    load = part.loadings[0]
    reach = belief.covariance[:, part.effects[0]] @ load
    spread_here = float(load @ reach[part.effects[0]])
    information = float(at.information[0])
    surprise = 0.0 if answer is None else float((answer - at.probability[0]) / at.slope[0])
    gain = reach * information / (1 + information * spread_here)
    return EffectPosterior(
        belief.mean + gain * np.clip(surprise, -4.0, 4.0),
        belief.covariance - np.outer(gain, reach),
    )


def predict(pool: ItemPool, belief: EffectPosterior, answers: Sequence[Floats]) -> list[Prediction]:
    """Predict the share of right answers on all items of every benchmark.

    Given answers count as observed. The curves of the other items are averaged over the posterior
    of their logits; the variance of the sum is that of its linear part.
    """
    result = []
    for part, x in zip(pool.parts, answers, strict=True):
        seen = np.isfinite(x)
        if seen.all():
            result.append(Prediction(float(x.mean()), 0.0, 0.0, len(x)))
            continue
        rest = part.take(np.flatnonzero(~seen))
        spread = logit_variances(rest, belief.covariance)
        at = working_point(rest, belief.mean, spread)
        direction = sums_by_effect(rest, at.slope, len(belief.mean)) / len(x)
        unexplained = at.probability * (1 - at.probability) - at.slope**2 * spread
        result.append(Prediction(
            float((np.nansum(x) + at.probability.sum()) / len(x)),
            float(direction @ belief.covariance @ direction),
            float(np.maximum(unexplained, 0.0).sum()) / len(x) ** 2, int(seen.sum()),
        ))  # fmt: skip
    return result
