"""Settings for making batches, and the largest cost of a question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gfactor.examinees import RenderedItem
from gfactor.examinees.http.batches import LONGEST_WAIT_S, BatchFormat
from gfactor.examinees.http.payload import LearnedDialect
from gfactor.examinees.http.pricing import OUTPUT_TOKENS, Budget, TokenPrice
from gfactor.examinees.http.tokens import estimate_tokens

_MARGIN = 1.2
"""Factor by which requests may exceed their estimated size."""


@dataclass(frozen=True)
class BatchPlan:
    """Settings for making batches.

    Parameters
    ----------
    api: the vendor's interface. price: price of a batch's requests; None if costs are not counted.
    dialect: parameters that the model accepts, shared with its direct requests. size: largest
    number of requests of a batch. poll_s: seconds between looks at the progress of batches.
    queue_tokens: number of tokens that may wait in the vendor's queue, None to learn it from
    refusals. search_s: seconds for which a batch without an id is searched for in the vendor's list
    before its questions may be asked again. budget: object that estimates the length of the next
    answers from earlier ones; None without a budget. wait_s: longest time in seconds to wait for a
    batch. given_up: the vendor's ids of batches that are considered lost.
    """

    api: BatchFormat
    price: TokenPrice | None
    dialect: LearnedDialect
    size: int = 1000
    poll_s: float = 30.0
    queue_tokens: int | None = None
    search_s: float = 3600.0
    budget: Budget | None = None
    wait_s: float = LONGEST_WAIT_S
    given_up: tuple[str, ...] = ()

    def must_learn(self, items: Sequence[RenderedItem]) -> bool:
        """Return True if the length of answers is neither limited nor known, so that a small batch
        has to show it before a budget can be kept."""
        if self.budget is None or self.budget.has_learned:
            return False
        return any(self.api.wire.longest(item.decoding) is None for item in items)

    def most(self, item: RenderedItem) -> float:
        """Return the most that a question is expected to cost."""
        if self.price is None:
            return 0.0
        sent = math.ceil(_MARGIN * estimate_tokens(item))
        longest = self.api.wire.longest(item.decoding)
        if longest is None:
            budget = self.budget
            longest = budget.expected_output(None)[1] if budget is not None else OUTPUT_TOKENS
        return self.price.of({"prompt_tokens": sent, "completion_tokens": longest})


def tokens_of(items: Sequence[RenderedItem]) -> int:
    """Return an estimate of the tokens of questions."""
    return sum(map(estimate_tokens, items))


def image_bytes(items: Sequence[RenderedItem]) -> int:
    """Return the size of the images of questions in bytes."""
    return sum(len(image.data) for item in items for image in item.images)
