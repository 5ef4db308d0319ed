"""Question of an item under a condition: the data for reading and judging a reply."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from gfactor.administration.presenting.condition_text import read_key
from gfactor.administration.presenting.options import as_stored, option_order
from gfactor.items import Answer, AnswerType, Item, OutputFormat, answer_from_json
from gfactor.items.formats import CHOSEN, RULE_LABEL
from gfactor.scoring.rules import Points, one_per_spelled_blank, points, possible
from gfactor.scoring.text_rules import text_rule


@dataclass(frozen=True)
class PutItem:
    """An item as it was asked under a condition.

    Parameters
    ----------
    id, item_hash, benchmark: identity of the item.
    answer_type, target, accepted: right answers; `accepted` in addition to the target.
    output_format: the requested line; None if the question requests none.
    weight: worth of a point of its scoring rule (`Item.points`).
    text: the question's texts, one below the other.
    choices: label and text ("" for an image) of the options in the item's own order.
    options_seed: seed of the condition; None if options were shown in their own order.
    facts: the item's labels by name, if a journal's row has them.
    """

    id: str
    item_hash: str
    benchmark: str
    answer_type: AnswerType
    target: Answer | None
    accepted: tuple[Answer, ...] = ()
    output_format: OutputFormat | None = None
    weight: float = 1.0
    text: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    options_seed: int | None = None
    facts: Mapping[Any, Any] = field(default_factory=dict)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of the options."""
        return tuple(label for label, _ in self.choices)

    @cached_property
    def displayed_options(self) -> tuple[tuple[str, str], ...]:
        """The options as the examinee saw them: label and text, "" if that is an image."""
        order = option_order(self.item_hash, len(self.choices), self.options_seed)
        return tuple(
            (label, self.choices[k][1]) for label, k in zip(self.labels, order, strict=True)
        )

    @cached_property
    def judgments(self) -> dict[Any, Any]:
        """Judgments of the answers to this question so far, by the answers and their readings."""
        return {}

    @property
    def options(self) -> dict[str, str]:
        """Text of each displayed option by label."""
        return dict(self.displayed_options)

    @property
    def blanks(self) -> int:
        """Return the number of texts in the target."""
        return len(self.target) if isinstance(self.target, tuple) else 1

    def as_stored(self, answer: Answer) -> Answer:
        """Translate an answer from the labels that the examinee saw into the item's own."""
        if self.answer_type not in CHOSEN or self.options_seed is None:
            return answer
        return as_stored(answer, self.item_hash, self.labels, self.options_seed)

    def points(self, answer: Answer | None) -> Points:
        """Return the points of an answer by the item's scoring rule, its own or that of its answer
        type."""
        rule = text_rule(self.facts, self.answer_type)
        if rule is None and self.answer_type == "blanks" and self.compares_spelling:
            return one_per_spelled_blank(answer, (self.target, *self.accepted))
        if rule is None:
            return points(answer, self.target, self.accepted, self.answer_type)
        return Points(rule(_text(answer), [_text(key) for key in (self.target, *self.accepted)]))

    @property
    def has_one_number(self) -> bool:
        """Return True if the item has one blank, whose text is scored by the rule `number`."""
        return self.blanks == 1 and self.facts.get(RULE_LABEL) == "number"

    @cached_property
    def compares_spelling(self) -> bool:
        """Return True if the benchmark compares the texts of blanks only by spelling, not by
        number."""
        return _COMPARES_SPELLING.match(self.benchmark) is not None

    @property
    def possible(self) -> float:
        """Return the points of a right answer, with the item's weight."""
        parts = possible(self.target, self.answer_type)
        return self.weight * (1 if text_rule(self.facts, self.answer_type) else parts)


_COMPARES_SPELLING = re.compile(r"(?:multi|mathvista|mathverse)(?![a-z0-9])")
"""Names of benchmarks whose papers compare texts (MULTI 4.3: exact match)."""


def _text(answer: Answer | None) -> str:
    parts = answer if isinstance(answer, tuple | list) else (answer,)
    return " ".join(str(part) for part in parts if part is not None)


def question_of(item: Mapping[Hashable, Any], condition: str) -> PutItem:
    """Return the question of a row of `Journal.items` under a condition's key."""
    kind, written = item["answer_type"], item["output_format"]
    accepted = [answer_from_json(text, kind) for text in item["accepted"]]
    return PutItem(
        id=item["id"],
        item_hash=item["content_hash"],
        benchmark=item["benchmark"],
        answer_type=kind,
        target=answer_from_json(item["target"], kind),
        accepted=tuple(answer for answer in accepted if answer is not None),
        output_format=_format(written) if isinstance(written, str) else None,
        weight=item["points"],
        text=item["question"],
        choices=tuple((label, text or "") for label, text in item["choices"]),
        options_seed=_options_seed(condition) if kind in CHOSEN else None,
        facts=item,
    )


def question_about(item: Item, condition: str) -> PutItem:
    """Return the question of an item under a condition's key, for replies that no journal holds."""
    return PutItem(
        id=item.id,
        item_hash=item.provenance.content_hash,
        benchmark=item.benchmark,
        answer_type=item.answer_type,
        target=item.target,
        accepted=item.accepted,
        output_format=item.output_format,
        weight=item.points,
        text=item.text,
        choices=tuple(
            (c.label, c.content if isinstance(c.content, str) else "") for c in item.choices
        ),
        options_seed=_options_seed(condition) if item.answer_type in CHOSEN else None,
        facts={"language": item.language, **item.labels},
    )


@lru_cache(maxsize=1_000)
def _format(text: str) -> OutputFormat:
    return OutputFormat.from_json(text)


@lru_cache(maxsize=1_000)
def _options_seed(condition: str) -> int | None:
    return read_key(condition).options_seed
