"""Choice of the questions for a model, from one benchmark or from several together.

The next question is not the one with most information about ability, which would be the one nearest
to it. It is the one expected to lower most the posterior variance of the *full scores*: the squared
posterior covariance of the item's logit with each full score, times the item's information over
one plus the information that is already there. So questions spread over testlets by themselves.

References
----------
van der Linden, W. J. (1999). Multidimensional adaptive testing with a minimum error-variance
    criterion. Journal of Educational and Behavioral Statistics 24, 398-412.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.adaptive.ranking import best_first
from gfactor.psychometrics.irt.anchors.placing import EffectPosterior, after_answer, posterior
from gfactor.psychometrics.irt.anchors.pool import (
    ItemPool,
    logit_variances,
    sums_by_effect,
    working_point,
)
from gfactor.psychometrics.irt.likelihood.curves import Floats

SELECTIONS = ("adaptive", "random", "stratified")
RENEWED_EVERY = 10
"""Between two full posteriors, an answer moves the posterior by one Kalman step."""
_BEST = 3
"""The next question is drawn from this number of best ones, so that no item is asked of every
model."""


def ask(
    pool: ItemPool,
    row: Sequence[Floats],
    budgets: Sequence[tuple[Sequence[int], int]],
    select: str,
    rng: np.random.Generator,
) -> list[tuple[int, int]]:
    """Return the questions for a model, in order, as (benchmark, position).

    Parameters
    ----------
    pool : ItemPool
    row : sequence of array
        The model's recorded answers by benchmark; NaN cannot be asked.
    budgets : sequence of (benchmarks, number)
        Numbers of questions, each shared by the benchmarks that stand with it.
    select : {"adaptive", "random", "stratified"}
    rng : Generator

    Returns
    -------
    list of (int, int)
        Numbers of benchmark and item of the questions to ask next.
    """
    questions: list[tuple[int, int]] = []
    for benchmarks, count in budgets:
        if select == "adaptive":
            questions += _adaptive(pool, row, benchmarks, count, questions, rng)
        else:
            questions += _sampled(pool, row, benchmarks, count, select == "stratified", rng)
    return questions


def _adaptive(
    pool: ItemPool, row: Sequence[Floats], benchmarks: Sequence[int], count: int,
    before: Sequence[tuple[int, int]], rng: np.random.Generator,
) -> list[tuple[int, int]]:  # fmt: skip
    importance = [float(b in benchmarks) for b in range(len(row))]
    available = [
        np.isfinite(x) & part.usable if b in benchmarks else np.zeros(len(x), dtype=bool)
        for b, (x, part) in enumerate(zip(row, pool.parts, strict=True))
    ]
    answers = answers_to(row, before)
    belief = posterior(pool, answers) if before else EffectPosterior(pool.mean, pool.covariance)
    questions = []
    for _ in range(min(count, sum(int(free.sum()) for free in available))):
        b, k = next_item(pool, belief, available, importance, rng)
        available[b][k] = False
        answers[b][k] = row[b][k]
        questions.append((b, k))
        renew = len(questions) % RENEWED_EVERY == 0
        belief = (
            posterior(pool, answers, belief)
            if renew
            else after_answer(pool, belief, b, k, row[b][k])
        )
    return questions


def next_batch(
    pool: ItemPool, answers: Sequence[Floats], available: Sequence[NDArray[np.bool_]],
    importance: Sequence[float], count: int, rng: np.random.Generator,
) -> list[tuple[int, int]]:  # fmt: skip
    """Return the next questions to ask at once, as (benchmark, position).

    Each choice takes the earlier questions into account, which lower the variance as if they had
    been answered as expected.
    """
    belief = posterior(pool, answers)
    free = [part.copy() for part in available]
    batch = []
    for _ in range(min(count, sum(int(part.sum()) for part in free))):
        b, k = next_item(pool, belief, free, importance, rng)
        free[b][k] = False
        batch.append((b, k))
        belief = after_answer(pool, belief, b, k, None)
    return batch


def _sampled(
    pool: ItemPool, row: Sequence[Floats], benchmarks: Sequence[int], count: int,
    stratified: bool, rng: np.random.Generator,
) -> list[tuple[int, int]]:  # fmt: skip
    """Draw from all items that have an answer; stratified, one from each layer of difficulty."""
    candidates = [(b, int(k)) for b in benchmarks for k in np.flatnonzero(np.isfinite(row[b]))]
    if not stratified:
        order = rng.permutation(len(candidates))[:count]
        return [candidates[int(k)] for k in order]
    candidates.sort(
        key=lambda item: (item[0], float(pool.parts[item[0]].curves.intercepts[item[1]]))
    )
    edges = np.linspace(0, len(candidates), min(count, len(candidates)) + 1)
    indices = [
        int(rng.integers(int(np.ceil(low)), max(int(np.ceil(high)), int(np.ceil(low)) + 1)))
        for low, high in itertools.pairwise(edges.tolist())
    ]
    return [candidates[k] for k in rng.permutation(indices).tolist()]


def answers_to(row: Sequence[Floats], questions: Sequence[tuple[int, int]]) -> list[Floats]:
    """Return the answers by benchmark, with NaN for items that were not asked."""
    answers = [np.full(len(x), np.nan) for x in row]
    for b, k in questions:
        answers[b][k] = row[b][k]
    return answers


def question_budgets(
    items: int | Mapping[str, int], names: Sequence[str]
) -> list[tuple[list[int], int]]:
    """Convert a number of questions, in all or by benchmark, to the budgets of `ask`.

    The benchmark "" stands for all together.
    """
    if isinstance(items, Mapping) and list(items) == [""]:
        items = items[""]
    numbers = list(items.values()) if isinstance(items, Mapping) else [items]
    if any(isinstance(n, bool) or not isinstance(n, Integral) or n < 1 for n in numbers):
        raise ParameterError(
            "items must be a positive whole number of questions, in all or by benchmark; "
            f"got {items!r}"
        )
    if isinstance(items, Mapping):
        unknown = [name for name in items if name not in names]
        if unknown:
            raise ParameterError(
                f"items names {unknown[0]!r}, which is not a benchmark here; there are "
                f"{', '.join(names)}"
            )
        wanted = [([names.index(name)], int(number)) for name, number in items.items()]
    else:
        wanted = [(list(range(len(names))), int(items))]
    if not wanted:
        raise ParameterError("items names no benchmark; give a number of questions for one of them")
    return wanted


def gains(pool: ItemPool, belief: EffectPosterior, importance: Sequence[float]) -> list[Floats]:
    """Return, by benchmark, the expected reduction of the full scores' variance by each item.

    Parameters
    ----------
    pool : ItemPool
    belief : EffectPosterior
    importance : sequence of float
        Weight of the variance of each benchmark's full score. Items of a benchmark with weight 0
        have gain 0 and are not selected.
    """
    weights = np.asarray(importance, dtype=np.float64)
    wanted = np.flatnonzero(weights > 0).tolist()
    at = {b: working_point(pool.parts[b], belief.mean) for b in wanted}
    directions = np.column_stack(
        [
            sums_by_effect(pool.parts[b], at[b].slope, len(pool.mean)) / len(pool.parts[b])
            for b in wanted
        ]
    )
    reach = belief.covariance @ directions
    result = [np.zeros(len(part)) for part in pool.parts]
    for b in wanted:
        part, information = pool.parts[b], at[b].information
        moved = (part.loadings[:, :, None] * reach[part.effects]).sum(1)
        spreads = logit_variances(part, belief.covariance)
        result[b] = moved**2 @ weights[wanted] * information / (1 + information * spreads)
    return result


def next_item(
    pool: ItemPool,
    belief: EffectPosterior,
    available: Sequence[NDArray[np.bool_]],
    importance: Sequence[float],
    rng: np.random.Generator,
) -> tuple[int, int]:
    """Return benchmark and position of the next question.

    It is drawn from the three available items with the largest gains.
    """
    gain = np.concatenate([
        np.where(free & (value >= 0), value, -np.inf)
        for free, value in zip(available, gains(pool, belief, importance), strict=True)
    ])  # fmt: skip
    best = np.sort(best_first(gain)[:_BEST])
    chosen = int(best[int(rng.integers(len(best)))])
    ends = np.cumsum([len(part) for part in pool.parts])
    benchmark = int(np.searchsorted(ends, chosen, side="right"))
    return benchmark, chosen - (int(ends[benchmark - 1]) if benchmark else 0)
