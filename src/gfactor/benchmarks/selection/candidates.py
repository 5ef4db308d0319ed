"""Candidates of methods of selection: items by their texts' lengths, labels and errors."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gfactor.errors import UnknownNameError
from gfactor.items import ItemBank, LabelValue


@dataclass(frozen=True)
class Candidate:
    """An item that may be chosen.

    Parameters
    ----------
    id, answer_type, labels: id, answer type and labels of the item, with its language.
    characters, images: numbers for question, answer and analysis (explanation), in this order.
    """

    id: str
    answer_type: str
    labels: Mapping[str, LabelValue]
    characters: tuple[int, int, int]
    images: tuple[int, int, int]

    def values(self, label: str) -> tuple[str, ...]:
        """Return the values of a label; ("",) if the item does not have the label."""
        value = self.labels.get(label, ())
        words = value if isinstance(value, tuple) else (str(value),)
        return words or ("",)

    def stratum(self, by: Sequence[str]) -> tuple[str, ...]:
        """Return the item's values of several labels, as words."""
        return tuple("+".join(self.values(label)) for label in by)


@dataclass(frozen=True)
class Errors:
    """Items that examinees answered wrongly.

    Parameters
    ----------
    examinees: names of the examinees, sorted.
    shares: mean over examinees of 1 minus the score (0 to 1), by item id.
    """

    examinees: tuple[str, ...] = ()
    shares: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class CandidatePool:
    """The items of a bank, with facts about their difficulty for examinees."""

    items: tuple[Candidate, ...]
    labels: tuple[str, ...]
    errors: Errors = field(default_factory=Errors)

    def check_labels(self, names: Sequence[str]) -> None:
        """Raise UnknownNameError unless the bank has all of these labels."""
        for name in names:
            if name not in self.labels:
                raise UnknownNameError("label", name, self.labels)


def pool_of(
    bank: ItemBank, errors: Errors | None = None, without: Collection[str] = ()
) -> CandidatePool:
    """Return the candidates of a bank, except the ids `without`.

    Lengths come from the labels of MULTI's loader (`characters`, `answer_characters`,
    `analysis_characters`, `images_shown`, `answer_images`, `analysis_images`). For an item without
    these they come from its texts, pictures and right answer, and the analysis has length 0.
    """
    frame = bank.frame()
    names = ("id", "answer_type", "language", "text", "target", "images")
    items = []
    for item_id, kind, language, text, target, images, choices, labels in zip(
        *(frame[name] for name in names),
        bank.choices().values(), bank.labels().values(), strict=True,
    ):  # fmt: skip
        if item_id in without:
            continue
        offered = sum(len(words or "") for _, words in choices)
        answer = json.loads(target)
        parts = answer if isinstance(answer, list) else [answer]
        lengths = (
            ("characters", len(text) + offered),
            ("answer_characters", sum(len(str(part)) for part in parts)),
            ("analysis_characters", 0),
            ("images_shown", int(images)),
            ("answer_images", 0),
            ("analysis_images", 0),
        )
        numbers = [_number(labels, name, other) for name, other in lengths]
        items.append(
            Candidate(
                item_id,
                kind,
                {"language": language, **labels},
                (numbers[0], numbers[1], numbers[2]),
                (numbers[3], numbers[4], numbers[5]),
            )
        )
    return CandidatePool(tuple(items), ("language", *bank.label_types), errors or Errors())


def _number(labels: Mapping[str, Any], name: str, otherwise: int) -> int:
    value = labels.get(name)
    return value if isinstance(value, int) else otherwise
