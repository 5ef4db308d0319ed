"""Guessing for a bank: its right lines, and guesses for items without an output format."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import pandas as pd

from gfactor.items import Answer, ItemBank, OutputFormat, answer_from_json

BLANK_GUESSES = ("A", "B", "C", "D", "1", "2", "3", "4", "True", "False")
"""Texts that a random guesser writes into a blank (MULTI, section 4.1)."""


@dataclass(frozen=True)
class AnswerFacts:
    """Facts about an item that guessing may use.

    Parameters
    ----------
    id, domain, size: properties of the item; size None without one.
    kind: its answer type.
    formatted: True if it demands a line of its own format.
    target: the line of its target.
    right: all lines that are right, the target's first.
    labels: labels of its options.
    text: text of the question.
    """

    id: str
    domain: str
    size: Any
    kind: str
    formatted: bool
    target: str
    right: tuple[str, ...]
    labels: tuple[str, ...]
    text: str


def known_of(bank: ItemBank) -> list[AnswerFacts]:
    """Return the facts that guessing may use about each item, in the order of the bank."""
    frame = bank.frame()
    choices = bank.choices()
    return [_answer_facts(row, choices[str(row["id"])]) for row in frame.to_dict("records")]


def _answer_facts(row: Mapping[Any, Any], choices: Sequence[tuple[str, str | None]]) -> AnswerFacts:
    target = line_of(row, row["target"])
    others = tuple(line_of(row, answer) for answer in row["accepted"])
    size = row.get("size")
    return AnswerFacts(
        id=str(row["id"]),
        domain=str(row["domain"]),
        size=None if size is None or pd.isna(size) else size,
        kind=str(row["answer_type"]),
        formatted=isinstance(row["output_format"], str),
        target=target,
        right=(target, *others),
        labels=tuple(label for label, _ in choices),
        text=str(row["text"]),
    )


def line_of(row: Mapping[Any, Any], answer: str) -> str:
    """Return the reply that gives an answer (canonical JSON) in the format that the item of a row
    asks for."""
    kind = str(row["answer_type"])
    read = answer_from_json(answer, kind)
    if isinstance(row["output_format"], str):
        return OutputFormat.from_json(row["output_format"]).render(read)
    return _written(read, kind)


def _written(answer: Answer | None, kind: str) -> str:
    if answer is None:
        return ""
    if not isinstance(answer, tuple | frozenset):
        return str(answer)
    parts = list(map(str, answer))
    return ", ".join(sorted(parts)) if kind == "choices" else "\n".join(parts)


def most_frequent(lines: Counter[str]) -> str:
    """Return the most frequent line; of several, the first in alphabetical order."""
    most = max(lines.values())
    return min(line for line, count in lines.items() if count == most)


class GuessDraws:
    """Reproducible random draws for one item, keyed by seed, item and occasion."""

    def __init__(self, seed: int, item_id: str, occasion: int = 0) -> None:
        # The first occasion has the key of versions without occasions.
        self._key = f"{seed}|{item_id}" if not occasion else f"{seed}|{item_id}|@{occasion}"
        self._count = count()

    def below(self, bound: int) -> int:
        """Draw a number from 0 to below `bound`, uniformly (2^256 is many times any bound)."""
        number = next(self._count)
        key = self._key if number == 0 else f"{self._key}|{number}"
        return int.from_bytes(hashlib.sha256(key.encode()).digest(), "big") % bound


def random_guess(item: AnswerFacts, draws: GuessDraws) -> str:
    """Return a random reply to an item without an output format (MULTI, section 4.1).

    It is one option; if several may be right, each option with probability 1/2, drawn again if none
    is chosen; for a blank one of `BLANK_GUESSES`; for an open question the question itself.
    """
    if item.kind == "choice":
        return item.labels[draws.below(len(item.labels))]
    if item.kind == "choices":
        chosen = 1 + draws.below(2 ** len(item.labels) - 1)
        return ", ".join(label for k, label in enumerate(item.labels) if chosen >> k & 1)
    if item.kind == "blanks":
        blanks = item.target.count("\n") + 1
        return "\n".join(BLANK_GUESSES[draws.below(len(BLANK_GUESSES))] for _ in range(blanks))
    return item.text


class MostFrequent:
    """The most frequent right answers of a bank, over all domains (MULTI's baseline `most`)."""

    def __init__(self, items: Sequence[AnswerFacts]) -> None:
        self._lines: dict[str, Counter[str]] = {}
        for item in items:
            lines = item.target.split("\n") if item.kind == "blanks" else [item.target]
            self._lines.setdefault(self._group(item), Counter()).update(lines)

    @staticmethod
    def _group(item: AnswerFacts) -> str:
        return f"{item.kind}|{item.domain}" if item.formatted else item.kind

    def guess(self, item: AnswerFacts) -> str:
        """Return the most frequent right answer in the bank among those that the item can have.

        It is a label for a choice, a combination of labels if several options are right, and a
        text for each blank. For items with an output format it is the most frequent answer of the
        item's domain. Open questions have no answers in common; they get their own text.
        """
        lines = self._lines[self._group(item)]
        if item.formatted:
            return most_frequent(lines)
        if item.kind in ("choice", "choices"):
            able = {a: n for a, n in lines.items() if set(a.split(", ")) <= set(item.labels)}
            return most_frequent(Counter(able))
        if item.kind == "blanks":
            return "\n".join([most_frequent(lines)] * (item.target.count("\n") + 1))
        return item.text
