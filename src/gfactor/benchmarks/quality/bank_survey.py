"""The data of a bank that the checks use: texts, options, keys, labels and looks of pictures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gfactor.benchmarks.quality.decisions import Decisions
from gfactor.benchmarks.quality.finding import Case
from gfactor.benchmarks.quality.look import Look
from gfactor.items import ItemBank, LabelValue

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class SurveyedOption:
    """A choice of an item: its label, and its text (None for a picture)."""

    label: str
    text: str | None


@dataclass(frozen=True)
class SurveyedItem:
    """An item without its pictures.

    Parameters
    ----------
    id, language, answer_type, labels: those of the item.
    text: the texts of its content, joined by line breaks.
    options: its choices.
    target, accepted: its right answers, as in JSON (lists for several parts).
    looks: looks of its pictures, content before choices.
    generated: True if a program drew it from a scene; such items are alike on purpose.
    """

    id: str
    language: str
    text: str
    options: tuple[SurveyedOption, ...]
    answer_type: str
    target: Any
    accepted: tuple[Any, ...]
    labels: Mapping[str, LabelValue]
    looks: tuple[Look, ...]
    generated: bool

    @property
    def listed(self) -> bool:
        """Return True if options have contents of their own, and are not part of the text or
        picture."""
        return any(option.text != "" for option in self.options)

    @property
    def words(self) -> str:
        """Question and options as one text, with single spaces."""
        offered = (option.text or "" for option in self.options)
        return _SPACE.sub(" ", "\n".join([self.text, *offered])).strip()

    @property
    def group(self) -> str:
        """Return the name that the sub-questions of a problem share ("" if there is none)."""
        return str(self.labels.get("problem", ""))


@dataclass(frozen=True)
class BlindRun:
    """An examinee that answered without seeing images.

    Parameters
    ----------
    examinee, condition: names as in the journal.
    points: item id -> share of the item that was right, 0 to 1.
    """

    examinee: str
    condition: str
    points: Mapping[str, float]


@dataclass(frozen=True)
class Survey:
    """Input of the checks.

    Parameters
    ----------
    items: items in the bank's order.
    decisions: decisions of people about suspicions.
    blind: runs without images.
    votes: number of examinees that chose each option, by item.
    """

    items: tuple[SurveyedItem, ...]
    decisions: Decisions = field(default_factory=Decisions)
    blind: tuple[BlindRun, ...] = ()
    votes: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def undecided(self, check: str, cases: Iterable[Case]) -> tuple[Case, ...]:
        """Return the cases of a check that are still undecided."""
        return tuple(c for c in cases if not self.decisions.settled(check, c.items))

    @cached_property
    def by_id(self) -> dict[str, SurveyedItem]:
        """The items by their ids."""
        return {item.id: item for item in self.items}


def survey(
    bank: ItemBank,
    looks: Mapping[str, Sequence[Look]],
    decisions: Decisions | None = None,
    blind: Sequence[BlindRun] = (),
    votes: Mapping[str, Mapping[str, int]] | None = None,
) -> Survey:
    """Return the survey of a bank; `looks` maps an item's id to those of its pictures."""
    rows = bank.frame()
    columns = (rows[name] for name in ("id", "language", "text", "answer_type", "target",
                                       "accepted", "seed"))  # fmt: skip
    items = [
        SurveyedItem(
            id=item_id,
            language=language,
            text=text,
            options=tuple(SurveyedOption(label, words) for label, words in choices),
            answer_type=kind,
            target=json.loads(target),
            accepted=tuple(map(json.loads, accepted)),
            labels=labels,
            looks=tuple(looks.get(item_id, ())),
            generated=int(seed) >= 0,
        )
        for item_id, language, text, kind, target, accepted, seed, choices, labels in zip(
            *columns, bank.choices().values(), bank.labels().values(), strict=True
        )
    ]
    return Survey(tuple(items), decisions or Decisions(), tuple(blind), votes or {})


def groups_asking_the_same(items: Iterable[SurveyedItem]) -> list[list[SurveyedItem]]:
    """Return the groups of items, two or more, that have the same words, options and pixels.

    Generated items are left out: they are alike on purpose, and differ in their scenes.
    """
    groups: dict[object, list[SurveyedItem]] = {}
    for item in items:
        if not item.generated:
            content = item.words, tuple(option.text for option in item.options)
            key = *content, tuple(look.digest for look in item.looks)
            groups.setdefault(key, []).append(item)
    return [group for group in groups.values() if len(group) > 1]
