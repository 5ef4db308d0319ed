"""Our banks as tasks of Inspect: `inspect eval gfactor/bank -T path=percept_v.parquet`.

Inspect finds this module through its entry points; nothing else of gfactor imports it. A sample
carries its item, so that `gfactor import inspect` takes the log into a journal under the item's own
identity and the condition's own key.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from inspect_ai import Task, task  # pyright: ignore[reportMissingImports]
from inspect_ai.dataset import MemoryDataset, Sample  # pyright: ignore[reportMissingImports]
from inspect_ai.model import GenerateConfig  # pyright: ignore[reportMissingImports]
from inspect_ai.scorer import (  # pyright: ignore[reportMissingImports]
    Score,
    Scorer,
    Target,
    accuracy,
    mean,
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState, generate  # pyright: ignore[reportMissingImports]

from gfactor.administration import Condition, render
from gfactor.administration.imports.inspect_samples import CONDITION, ITEM, registered_item
from gfactor.administration.presenting.condition_text import read_condition
from gfactor.examinees.inspect import reply_of_output
from gfactor.examinees.inspect.provider import generation, user_message
from gfactor.items import ItemBank, answer_to_json
from gfactor.items.schema import row_of
from gfactor.scoring.judgment import Attempt, judge_reply
from gfactor.scoring.questions import question_about


@task
def bank(
    path: str,
    condition: str | list[str] = "default",
    per: str | list[str] = "domain,size",
    n: int | None = None,
) -> Task:
    """Return the items of a bank, rendered and scored as `gfactor run` and `gfactor score` do.

    Parameters
    ----------
    path: a bank (Parquet).
    condition: condition under which items are presented, as in `gfactor run --condition`;
        conditions that take texts from files of their own (captions, knowledge, examples) are left
        to `gfactor run`.
    per, n: ask `n` items of every combination of these labels only; all if `n` is not given.

    Inspect's command line splits values at commas, hence the lists.
    """
    opened = ItemBank.open(path)
    sample = opened if n is None else opened.sample(_joined(per).split(","), n)
    given = read_condition(_joined(condition))
    return Task(
        dataset=MemoryDataset(
            list(_samples(sample, given)), name=str(opened.metadata["benchmark"])
        ),
        solver=generate(),
        scorer=gfactor_score(),
        config=GenerateConfig(**generation(dict(given.decoding))),
    )


def _joined(value: str | list[str]) -> str:
    return value if isinstance(value, str) else ",".join(value)


def _samples(sample: ItemBank, condition: Condition) -> Iterator[Any]:
    for item in sample:
        rendered = render(item, condition)
        row = {k: v for k, v in row_of(item).items() if k != "images"}
        yield Sample(
            id=item.id,
            input=[user_message(turn) for turn in (*rendered.earlier, rendered.content)],
            target=answer_to_json(item.target),
            metadata={**item.labels, ITEM: row, CONDITION: condition.key},
        )


@scorer(
    metrics={
        "strict": [accuracy(), stderr()],
        "lenient": [accuracy(), stderr()],
        "points": [mean(), stderr()],
    }
)
def gfactor_score() -> Scorer:
    """Return `strict` by the benchmark's own rule, `lenient` without guessing, 0 or 1, and
    `points`.

    A withheld reply is no evidence about the model: it is unscored, not wrong.
    """

    async def score(state: TaskState, target: Target) -> Score:
        item = registered_item(state.metadata[ITEM])
        reply = reply_of_output(state.output.model_dump())
        attempt = Attempt(f"inspect:{state.model}", state.metadata[CONDITION], state.epoch - 1)
        question = question_about(item, attempt.condition)
        verdict = judge_reply(question, reply.text, reply.outcome, attempt)
        if verdict.missing:
            return Score.unscored(explanation=f"{verdict.status}: {verdict.rule}")
        return Score(
            value={
                "strict": verdict.correct,
                "lenient": verdict.correct_lenient,
                "points": verdict.points,
            },
            answer=verdict.answer,
            explanation=json.dumps(verdict._asdict(), ensure_ascii=False),
        )

    return score
