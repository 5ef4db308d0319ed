"""Which questions a model is asked, of a benchmark or of several together."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.anchors.placing import (
    RENEWED_EVERY,
    ItemPool,
    Posterior,
    after_answer,
    next_item,
    posterior,
)
from gfactor.psychometrics.irt.curves import Floats

SELECTIONS = ("adaptive", "random", "stratified")


def ask(
    pool: ItemPool,
    row: Sequence[Floats],
    budgets: Sequence[tuple[Sequence[int], int]],
    select: str,
    rng: np.random.Generator,
) -> list[tuple[int, int]]:
    """Return the questions put to a model, in order, as (benchmark, position).

    Parameters
    ----------
    pool : ItemPool
    row : sequence of array
        The model's recorded answers by benchmark; NaN cannot be asked.
    budgets : sequence of (benchmarks, number)
        Each number of questions is shared by its benchmarks.
    select : {"adaptive", "random", "stratified"}
    rng : Generator

    Returns
    -------
    list of (int, int)
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
    belief = posterior(pool, answers) if before else Posterior(pool.mean, pool.covariance)
    questions = []
    for _ in range(min(count, sum(int(free.sum()) for free in available))):
        b, k = next_item(pool, belief, available, importance, rng)
        available[b][k] = False
        answers[b][k] = row[b][k]
        questions.append((b, k))
        renew = len(questions) % RENEWED_EVERY == 0
        belief = (
            posterior(pool, answers, belief.mean)
            if renew
            else after_answer(pool, belief, b, k, row[b][k])
        )
    return questions


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
    places = [
        int(rng.integers(int(np.ceil(low)), max(int(np.ceil(high)), int(np.ceil(low)) + 1)))
        for low, high in itertools.pairwise(edges.tolist())
    ]
    return [candidates[k] for k in rng.permutation(places).tolist()]


def answers_to(row: Sequence[Floats], questions: Sequence[tuple[int, int]]) -> list[Floats]:
    """Return the answers by benchmark with NaN where no question was put."""
    answers = [np.full(len(x), np.nan) for x in row]
    for b, k in questions:
        answers[b][k] = row[b][k]
    return answers


def question_budgets(
    items: int | Mapping[str, int], names: Sequence[str]
) -> list[tuple[list[int], int]]:
    """Read a number of questions in all, or by benchmark, into budgets of `ask`."""
    if isinstance(items, Mapping):
        unknown = [name for name in items if name not in names]
        if unknown:
            raise ParameterError(
                f"items names {unknown[0]!r}, which is no benchmark here; there are "
                f"{', '.join(names)}"
            )
        wanted = [([names.index(name)], int(number)) for name, number in items.items()]
    else:
        wanted = [(list(range(len(names))), int(items))]
    if not wanted or any(number < 1 for _, number in wanted):
        raise ParameterError("items must be a positive number of questions, in all or by benchmark")
    return wanted
