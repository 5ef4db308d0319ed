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
    scorer,
    stderr,
)
from inspect_ai.solver import TaskState, generate  # pyright: ignore[reportMissingImports]

from gfactor.administration import Condition, render
from gfactor.administration.condition_text import read_condition
from gfactor.administration.imports.inspect_samples import CONDITION, ITEM
from gfactor.examinees.inspect import reply_of_output
from gfactor.examinees.inspect.provider import generation, user_message
from gfactor.items import Item, ItemBank, answer_to_json
from gfactor.items.schema import item_of, row_of
from gfactor.scoring.single import judged


@task
def bank(
    path: str, condition: str = "default", per: str = "domain,size", n: int | None = None
) -> Task:
    """The items of a bank, rendered and scored as `gfactor run` and `gfactor score` do.

    Parameters
    ----------
    path: a bank (Parquet).
    condition: how items are put, as in `gfactor run --condition`; conditions that take texts from
        files of their own (captions, knowledge, examples) are left to `gfactor run`.
    per, n: ask `n` items of every combination of these labels only; all where `n` is not given.
    """
    opened = ItemBank.open(path)
    asked = opened if n is None else opened.sample(per.split(","), n)
    given = read_condition(condition)
    return Task(
        dataset=MemoryDataset(list(_samples(asked, given)), name=str(opened.metadata["benchmark"])),
        solver=generate(),
        scorer=gfactor_score(),
        config=GenerateConfig(**generation(dict(given.decoding))),
    )


def _samples(asked: ItemBank, condition: Condition) -> Iterator[Any]:
    for item in asked:
        shown = render(item, condition)
        row = {k: v for k, v in row_of(item).items() if k != "images"}
        yield Sample(
            id=item.id,
            input=[user_message(turn) for turn in (*shown.earlier, shown.content)],
            target=answer_to_json(item.target),
            metadata={**item.labels, ITEM: row, CONDITION: condition.key},
        )


@scorer(
    metrics={
        "strict": [accuracy(), stderr()],
        "lenient": [accuracy(), stderr()],
    }
)
def gfactor_score() -> Scorer:
    """`strict` by the benchmark's own rule, `lenient` by reading without guessing, 0 to 1.

    A reply that was withheld says nothing about the model: it is unscored, not wrong.
    """

    async def score(state: TaskState, target: Target) -> Score:
        item = _item(state.metadata[ITEM])
        reply = reply_of_output(state.output.model_dump())
        verdict = judged(item, reply, state.metadata[CONDITION])
        if verdict.missing:
            return Score.unscored(explanation=f"outcome: {reply.outcome}")
        return Score(
            value={"strict": verdict.correct, "lenient": verdict.correct_lenient},
            answer=verdict.answer,
            explanation=json.dumps({"outcome": reply.outcome, "lenient": verdict.answer_lenient}),
        )

    return score


def _item(row: Any) -> Item:
    """The item without its images, which scoring does not need."""
    parts = {
        name: [
            {**part, "image": None, "text": "[image]" if part["text"] is None else part["text"]}
            for part in row[name]
        ]
        for name in ("content", "choices")
    }
    return item_of({**row, **parts}, [])
