"""What a run will ask and cost, told before anything is asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from gfactor.administration.captioning import CAPTION_TOKENS
from gfactor.administration.condition import Condition
from gfactor.administration.materials import Materials
from gfactor.administration.preparing import images_to_describe
from gfactor.administration.rendering import render
from gfactor.administration.runner import missing_keys
from gfactor.examinees import RenderedItem
from gfactor.examinees.http.client import OUTPUT_TOKENS
from gfactor.examinees.http.pricing import Price, estimate_tokens
from gfactor.items import ItemBank


@dataclass(frozen=True)
class Estimate:
    """An estimate of one examinee's run.

    Parameters
    ----------
    items: items that will be asked at least once.
    requests: questions in all: items times the occasions that are missing, and times the rounds
        in which each is put.
    input_tokens: estimated, by the rules of thumb in `gfactor.examinees.http.pricing`.
    output_tokens: the most there can be where the condition sets `max_tokens`, else 1,000 each.
    descriptions: images that another examinee will describe before.
    cost: of all tokens at the price given, None without one; descriptions are not in it.
    description_input_tokens, description_output_tokens, description_cost: the same of describing
        them.
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


def estimate(
    bank: ItemBank,
    condition: Condition,
    materials: Materials,
    answered: set[tuple[str, int]],
    occasions: int = 1,
    price: Price | None = None,
    describer: Price | None = None,
) -> Estimate:
    """Count what is missing and what asking it takes; every item is rendered, none is asked.

    Parameters
    ----------
    answered: what the journal holds, as `Journal.answered` gives it.
    price, describer: of the examinee, and of the one that describes images; None where unknown.
    """
    missing = Counter(missing_keys(bank.frame(), answered, occasions).values())
    requests = tokens = 0
    for item in bank.select(list(missing)):
        times = missing[item.id]
        rounds = _rounds(render(item, condition, materials))
        requests += times * len(rounds)
        tokens += times * sum(estimate_tokens(part) for part in rounds)
    longest = int(dict(condition.decoding).get("max_tokens", OUTPUT_TOKENS))
    output = requests * longest
    filling = materials.texts is not None and materials.texts.filler is not None
    waiting = [
        estimate_tokens(asked())
        for asked in (images_to_describe(bank, condition, materials) if filling else {}).values()
    ]
    described = sum(waiting), len(waiting) * CAPTION_TOKENS
    return Estimate(
        len(missing),
        requests,
        tokens,
        output,
        len(waiting),
        _cost(price, tokens, output),
        *described,
        _cost(describer, *described),
    )


def _cost(price: Price | None, read: int, written: int) -> float | None:
    return price.of({"prompt_tokens": read, "completion_tokens": written}) if price else None


def _rounds(rendered: RenderedItem) -> list[RenderedItem]:
    """What is sent in each round: every turn so far, the replies to it left out."""
    turns = (*rendered.earlier, rendered.content)
    return [
        replace(rendered, earlier=turns[:number], content=turn) for number, turn in enumerate(turns)
    ]
