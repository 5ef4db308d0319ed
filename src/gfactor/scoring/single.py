"""One reply to one item, read and judged as `scored` judges the replies of a journal."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from gfactor.examinees import Reply
from gfactor.items import Item, answer_to_json
from gfactor.scoring.score import _judge


@dataclass(frozen=True)
class Verdict:
    """What a reply came to; the fields are the columns of `scored`.

    Parameters
    ----------
    answer, answer_lenient: as read strictly and leniently, canonical JSON; None where nothing was.
    correct, correct_lenient: 0 to 1, NaN where `missing`.
    format_error: whether the strict reading found nothing.
    missing: whether the reply says nothing about the examinee.
    """

    answer: str | None
    answer_lenient: str | None
    correct: float
    correct_lenient: float
    format_error: bool
    missing: bool


def judged(item: Item, reply: Reply, condition: str = "default") -> Verdict:
    """The verdict on a reply to an item that was put under the condition of this key."""
    row: dict[Hashable, Any] = {
        "item_id": item.id,
        "item_hash": item.provenance.content_hash,
        "condition": condition,
        "outcome": reply.outcome,
        "text": reply.text,
        "answer_type": item.answer_type,
        "target": answer_to_json(item.target),
        "accepted": [answer_to_json(answer) for answer in item.accepted],
        "output_format": item.output_format.to_json() if item.output_format else None,
        "points": item.points,
    }
    return Verdict(*_judge(row))
