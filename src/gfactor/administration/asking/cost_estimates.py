"""Estimates of a run's questions and cost, before anything is asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import pandas as pd

from gfactor.administration.asking.captioning import CAPTION_TOKENS
from gfactor.administration.asking.preparing import images_to_describe
from gfactor.administration.asking.questions import missing_keys
from gfactor.administration.presenting.condition import Condition
from gfactor.administration.presenting.materials import Materials
from gfactor.administration.presenting.rendering import render
from gfactor.administration.storing.rows import Key
from gfactor.examinees import RenderedItem
from gfactor.examinees.http.pricing import TokenPrice
from gfactor.examinees.http.tokens import estimate_tokens
from gfactor.examinees.token_usage import read_and_written
from gfactor.items import ItemBank

ANSWER_TOKENS, COT_TOKENS, THINKING_TOKENS = 60, 400, 1500
"""Expected tokens of an answer if the journal has no answer of the examinee to this bank: a short
answer, one with chain of thought, and one of a model that thinks before it answers.
"""

_THINKING = re.compile(
    r"\bo[134]\b|gpt-5(?!.*chat)|think|reason|-r1\b|qwq|qvq|magistral|gemini-(2\.5|[3-9])"
)

_COMPARED = 100
"""Largest number of answers that are compared with the estimates of their questions."""

Usage = tuple[str, str, dict[str, int]]
"""Item hash, condition and token counts of an answer, as `Journal.usage` gives them."""


@dataclass(frozen=True)
class PricedModel:
    """Properties of an examinee that matter for an estimate.

    Parameters
    ----------
    name: name by which the rules for images and texts are found, "" if unknown.
    price: price of its tokens; None if it is not known.
    detail: OpenAI's image detail.
    thinking: thinking setting of its specification, "" without one.
    usage: tokens of its answers so far.
    """

    name: str = ""
    price: TokenPrice | None = None
    detail: str = ""
    usage: Sequence[Usage] = ()
    thinking: str = ""

    def tokens(self, question: RenderedItem) -> int:
        """Return the estimated number of tokens of a question."""
        return estimate_tokens(question, self.name, self.detail)

    def cost(self, read: int, written: int) -> float | None:
        """Return the cost of input and output tokens; None without a price."""
        if self.price is None:
            return None
        return self.price.of({"prompt_tokens": read, "completion_tokens": written})


@dataclass(frozen=True)
class RunEstimate:
    """An estimate of one examinee's run.

    Parameters
    ----------
    items: number of items that will be asked at least once.
    requests: number of questions in all: the items, times the missing occasions, times the rounds
        of each item.
    input_tokens: tokens by the vendor's rule for images and the model's tokenizer or a rule by
        script (`gfactor.examinees.http.tokens`); if the journal has answers of this examinee to
        this bank under this condition, the estimates are multiplied by the ratio of their real to
        their estimated tokens.
    output_tokens: tokens of all answers, from the mean of the examinee's answers to this bank in
        the journal, under this condition if there are any. If there are none at all, each answer
        counts as `ANSWER_TOKENS`, `COT_TOKENS` or `THINKING_TOKENS`.
    descriptions: number of images that another examinee will describe first.
    cost: cost of all tokens at the given price, without descriptions; None without a price.
    description_input_tokens, description_output_tokens, description_cost: tokens and cost of the
        descriptions.
    most_output_tokens, most_cost: upper limits of `output_tokens` and `cost`; None if the
        condition sets no `max_tokens`.
    learned_from: number of answers in the journal from which `output_tokens` was computed.
    """

    items: int
    requests: int
    input_tokens: int
    output_tokens: int
    descriptions: int
    cost: float | None
    description_input_tokens: int = 0
    description_output_tokens: int = 0
    description_cost: float | None = None
    most_output_tokens: int | None = None
    most_cost: float | None = None
    learned_from: int = 0


def estimate(
    bank: ItemBank,
    condition: Condition,
    materials: Materials,
    answered: Iterable[Key],
    occasions: int = 1,
    model: PricedModel | None = None,
    describer: PricedModel | None = None,
) -> RunEstimate:
    """Estimate the requests, tokens and cost of the answers that are missing.

    Every missing item is rendered; no question is asked.

    Parameters
    ----------
    answered: answers that the journal has, from `Journal.answered`.
    model, describer: the examinee that answers, and the one that describes images.
    """
    model, describer = model or PricedModel(), describer or PricedModel()
    frame = bank.frame()
    missing = Counter(missing_keys(frame, answered, occasions).values())
    requests = tokens = 0
    for item in bank.select(list(missing)):
        rounds = _rounds(render(item, condition, materials))
        requests += missing[item.id] * len(rounds)
        tokens += missing[item.id] * sum(model.tokens(part) for part in rounds)
    lengths = _of_bank(model, frame, condition)
    tokens = round(tokens * _ratio(bank, frame, condition, materials, model))
    limit = dict(condition.decoding).get("max_tokens")
    most = None if limit is None else requests * int(limit)
    if lengths:
        output = round(missing.total() * sum(lengths) / len(lengths))
    else:
        output = requests * assumed_tokens(model.name, condition, model.thinking)
    output = output if most is None else min(output, most)
    filling = materials.texts is not None and materials.texts.filler is not None
    waiting = [
        describer.tokens(make_question())
        for make_question in (
            images_to_describe(bank, condition, materials) if filling else {}
        ).values()
    ]
    described = sum(waiting), len(waiting) * CAPTION_TOKENS
    return RunEstimate(
        len(missing),
        requests,
        tokens,
        output,
        len(waiting),
        model.cost(tokens, output),
        *described,
        describer.cost(*described),
        most,
        None if most is None else model.cost(tokens, most),
        len(lengths),
    )


def _of_bank(model: PricedModel, frame: pd.DataFrame, condition: Condition) -> list[int]:
    """Return the tokens of the model's answers to the bank: under the condition, or else any."""
    here = set(frame["content_hash"])
    rows = [(key, read_and_written(usage)[1]) for h, key, usage in model.usage if h in here]
    same = [written for key, written in rows if key == condition.key]
    return same or [written for _, written in rows]


def _ratio(
    bank: ItemBank,
    frame: pd.DataFrame,
    condition: Condition,
    materials: Materials,
    model: PricedModel,
) -> float:
    """Tokens that the model read in proportion to their estimate, 1 if nothing is known."""
    ids = dict(zip(frame["content_hash"], frame["id"], strict=True))
    took = {
        ids[h]: read_and_written(usage)[0]
        for h, key, usage in model.usage
        if h in ids and key == condition.key
    }
    some = dict(islice(((i, read) for i, read in took.items() if read), _COMPARED))
    expected = sum(
        model.tokens(part)
        for item in bank.select(list(some))
        for part in _rounds(render(item, condition, materials))
    )
    return sum(some.values()) / expected if expected else 1.0


def learned_tokens(
    bank: ItemBank,
    condition: Condition,
    materials: Materials,
    model: PricedModel,
    usage: Iterable[Usage],
) -> Iterator[tuple[dict[str, int], int]]:
    """Yield the tokens of some answers to the bank under the condition, each with the estimate of
    its question.
    """
    frame = bank.frame()
    ids = dict(zip(frame["content_hash"], frame["id"], strict=True))
    took = {ids[h]: tokens for h, key, tokens in usage if h in ids and key == condition.key}
    some = dict(islice(took.items(), _COMPARED))
    for item in bank.select(list(some)):
        parts = _rounds(render(item, condition, materials))
        yield some[item.id], model.tokens(parts[-1])


def assumed_tokens(model: str, condition: Condition, thinking: str = "") -> int:
    """Return the expected length of an answer in tokens, as long as there is no answer.

    The setting `thinking` of an examinee's specification takes precedence over the model's name. A
    thinking budget is expected to be used only up to `THINKING_TOKENS`.
    """
    visible = COT_TOKENS if condition.cot else ANSWER_TOKENS
    if thinking == "off" or (thinking.isdecimal() and int(thinking) == 0):
        return visible
    if thinking.isdecimal():
        return min(int(thinking) + visible, THINKING_TOKENS)
    return THINKING_TOKENS if thinking or _THINKING.search(model.casefold()) else visible


def tokens_of_rounds(
    bank: ItemBank, condition: Condition, materials: Materials, models: Sequence[PricedModel]
) -> tuple[float, list[float]]:
    """Return the mean number of rounds in which an item of the bank is asked, and the mean tokens
    of all rounds for each model; items are rendered once."""
    rounds, tokens = 0, [0] * len(models)
    for item in bank:
        parts = _rounds(render(item, condition, materials))
        rounds += len(parts)
        for number, model in enumerate(models):
            tokens[number] += sum(model.tokens(part) for part in parts)
    return rounds / len(bank), [total / len(bank) for total in tokens]


def _rounds(rendered: RenderedItem) -> list[RenderedItem]:
    """Return the content sent in each round: every turn so far, without the replies."""
    turns = (*rendered.earlier, rendered.content)
    return [
        replace(rendered, earlier=turns[:number], content=turn) for number, turn in enumerate(turns)
    ]
