"""Conversion of other harnesses' questions, options and keys to items of gfactor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from string import ascii_uppercase
from typing import Any

from gfactor.benchmarks.vlmevalkit.question import list_in
from gfactor.items import (
    Answer,
    AnswerType,
    Choice,
    Image,
    Item,
    LabelValue,
    Provenance,
    Segment,
    canonical_json,
    text_hash,
)

LETTERS = ascii_uppercase

YES_NO = {"Yes": "Yes", "No": "No"}
"""The options of a question whose key is one of the two words (MME and its like)."""

LONGEST_BLANK = 60
"""Largest number of characters of a key in one line that is compared as a whole (`blanks`); a
longer one is compared as a text (`open`)."""

LONGEST_WORD = 200
"""Largest number of characters of a label; longer texts do not form groups."""

_PICTURED_OPTIONS = 4
"""Smallest number of options of a question whose options are only in its picture."""

_OPTION_LINE = re.compile(r"^\s*\(?([A-Z])[.):]\s*(\S.*?)\s*$", re.MULTILINE)


class KeylessError(ValueError):
    """The file has no answer key for the item, so it cannot be scored."""


@dataclass(frozen=True)
class Question:
    """An item as a harness describes it.

    Parameters
    ----------
    benchmark: its name for the data set or task.
    number: its name for the item, unique in the data set.
    content: texts and images in reading order.
    key: the right answers; any of them is right, unless they are letters of several options.
    options: text by label; empty if there are none, or for options that are in the picture.
    labels: labels by which results can be broken down.
    identity: identity of the item in the harness, if the content alone is not (files that hold no
        images, or that hold the prompt in place of the question).
    source: name of the harness.
    """

    benchmark: str
    number: str
    content: tuple[Segment, ...]
    key: tuple[str, ...]
    source: str
    options: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, LabelValue] = field(default_factory=dict)
    identity: str = ""


def item_from(question: Question) -> Item:
    """Return the item; raise KeylessError if it has no key, or ValueError if the key names no
    option.

    The item is identified by its content (or `identity` instead), options, data set and number. Its
    `domain` is, if missing, its `category`, or else its data set.
    """
    key = tuple(text for text in question.key if text.strip())
    if not key:
        raise KeylessError("it has no key, so that its answer cannot be scored")
    options = dict(question.options)
    if not options and len(key) == 1:
        options = _unwritten_options(key[0].strip())
    kind, target, accepted = _answer(key, options)
    question_labels = question.labels
    labels = {
        "domain": str(question_labels.get("category") or question.benchmark),
        **question_labels,
    }
    return Item(
        id=f"{question.benchmark}/{question.number}",
        benchmark=question.benchmark,
        content=question.content,
        choices=tuple(Choice(label, text) for label, text in options.items()),
        answer_type=kind,
        target=target,
        accepted=accepted,
        labels=labels,
        language=language_of(question),
        provenance=Provenance(question.source, "", content_hash=_identity(question, options)),
    )


def _unwritten_options(key: str) -> dict[str, str]:
    """Infer the options of an item without options from its key; empty if the key implies none."""
    if key.casefold() in ("yes", "no"):
        return dict(YES_NO)
    if re.fullmatch("[A-H]", key):
        return dict.fromkeys(LETTERS[: max(LETTERS.index(key) + 1, _PICTURED_OPTIONS)], "")
    return {}


def _answer(
    key: Sequence[str], options: Mapping[str, str]
) -> tuple[AnswerType, Answer, tuple[Answer, ...]]:
    """Answer type, target, and other right answers."""
    if options:
        right = _labels_of(key, options)
        return ("choice", right[0], ()) if len(right) == 1 else ("choices", right, ())
    first, *others = (text.strip() for text in key)
    if len(first) <= LONGEST_BLANK and "\n" not in first:
        return "blanks", (first,), tuple((text,) for text in others)
    return "open", first, tuple(others)


def _labels_of(key: Sequence[str], options: Mapping[str, str]) -> tuple[str, ...]:
    """The labels of the right options, from labels, a run of labels, or an option's text."""
    joined = "".join(key)
    if len(key) == 1:
        same = [label for label in options if label.casefold() == joined.strip().casefold()]
        if same:
            return (same[0],)
    letters = re.sub(r"[\s,;、()]", "", joined)
    if letters and set(letters) <= set(options):
        return tuple(label for label in options if label in letters)
    named = [
        label for label, text in options.items() if text and text.strip() in map(str.strip, key)
    ]
    if len(named) == len(key):
        return tuple(named)
    raise ValueError(f"its key {joined!r} is not among its options ({', '.join(options)})")


def _identity(question: Question, options: Mapping[str, str]) -> str:
    content = [s.sha256 if isinstance(s, Image) else s for s in question.content]
    facts: dict[str, Any] = {
        "benchmark": question.benchmark,
        "number": question.number,
        "content": question.identity or content,
        "choices": "" if question.identity else [[label, text] for label, text in options.items()],
    }
    return text_hash(canonical_json(facts))


def language_of(question: Question) -> str:
    """Return "ko", "zh" or "en", by the script of the letters in the question and its options."""
    texts = [s for s in question.content if isinstance(s, str)] + list(question.options.values())
    letters = "".join(texts)
    if re.search("[\uac00-\ud7a3]", letters):
        return "ko"
    return "zh" if re.search("[\u4e00-\u9fff]", letters) else "en"


def texts_in_list(text: str) -> tuple[str, ...] | None:
    """Return the entries of a list in Python's notation ("['24/7', '3.43']"); None for others."""
    listed = list_in(text)
    if listed is None or any(isinstance(v, list | tuple | dict | set) for v in listed):
        return None
    return tuple(str(v) for v in listed)


def options_in(prompt: str) -> dict[str, str]:
    """Return the options listed at the end of a prompt, one per line: "A. cat", "(B) dog".

    The list must start at A and skip no letter. If there are several lists, the last one counts.
    """
    options: dict[str, str] = {}
    for label, text in _OPTION_LINE.findall(prompt):
        if label == "A":
            options = {}
        if label == LETTERS[len(options) : len(options) + 1]:
            options[label] = text
    return options if len(options) > 1 else {}


def simple_labels(facts: Mapping[str, Any]) -> dict[str, LabelValue]:
    """Return the facts by which results can be divided: words, whole numbers, lists of words."""
    labels: dict[str, LabelValue] = {}
    for name, value in facts.items():
        if isinstance(value, bool):
            labels[name] = "yes" if value else "no"
        elif isinstance(value, int):
            labels[name] = value if abs(value) < 2**63 else str(value)
        elif isinstance(value, str):
            if 0 < len(value) <= LONGEST_WORD:
                labels[name] = value
        elif isinstance(value, list) and value and all(isinstance(v, str) for v in value):
            labels[name] = tuple(value)
    return labels


def with_one_type_per_label(items: Iterable[Item]) -> list[Item]:
    """Return the items, with labels that differ in type between items turned into words."""
    given = list(items)
    kinds: dict[str, set[type]] = {}
    for item in given:
        for name, value in item.labels.items():
            kinds.setdefault(name, set()).add(type(value))
    mixed = {name for name, types in kinds.items() if len(types) > 1}
    return [
        replace(i, labels={k: _word(v) if k in mixed else v for k, v in i.labels.items()})
        for i in given
    ]


def _word(value: LabelValue) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)
