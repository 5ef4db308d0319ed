"""The languages' ways of announcing an answer, as data, joined into one set of expressions.

A model may reply in another language than the one it was asked in, so every reply is read with all
languages at once. A language is one file in `languages/`; a new one needs nothing else.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import dataclass, fields
from functools import cache

from gfactor.scoring.extraction import languages

LETTER = r"A-Za-zÀ-ɏ0-9_"
"""Characters that make words in the spaced languages; a label beside one is part of a word."""


@dataclass(frozen=True)
class Language:
    """One language's phrases, as regular expressions without groups, matched in any case.

    Parameters
    ----------
    spaced: words are separated by spaces (phrases then begin and end at word boundaries).
    heading: what stands before a colon, or alone above the answer ("final answer").
    announce: what ends where the answer begins ("the correct answer is").
    weak: the same, less certain ("so it must be").
    points: verbs that point to a label, not to an option's text ("indicates").
    filler: what may stand between an announcement and the label ("clearly", "option").
    option: words for an option, before its label.
    right, wrong: a verdict after a label ("is correct", "is ruled out").
    not_before: what makes a label behind it rejected ("not", "rule out").
    unreal: what makes a claim in the same clause no claim ("if", "might", "at first").
    correction: what announces that the next claim replaces the last one ("no, actually").
    retraction: those of them that take the last claim back even if nothing follows.
    conclusion: what makes a later claim final ("therefore").
    both, either: between labels ("and", "or").
    until: between the ends of a range ("through").
    every, none: all or no option is meant; `excluding` stands before the exceptions, or, with
        `excluding_after`, behind them.
    only: what limits the answer to the labels behind it ("only").
    denied, affirmed: what, behind labels and at the end of a clause, denies or affirms of them what
        was said of others ("is not", "do").
    others: all labels that were not named before ("the others").
    refusal: declining to answer, or saying that it cannot be answered.
    declines: the same in more words, looked for only where no answer was found: that what the
        question needs is missing, that it cannot be solved, that it should be sent.
    """

    spaced: bool
    heading: str
    announce: str
    weak: str
    points: str
    filler: str
    option: str
    right: str
    wrong: str
    not_before: str
    unreal: str
    correction: str
    retraction: str
    conclusion: str
    both: str
    either: str
    until: str
    every: str
    none: str
    excluding: str
    excluding_after: str
    only: str
    denied: str
    affirmed: str
    others: str
    refusal: str
    declines: str


@cache
def phrases(kind: str) -> str:
    """All languages' expressions of one kind (a field of `Language`) as one alternation."""
    if kind not in {f.name for f in fields(Language)}:
        raise KeyError(kind)
    parts: list[str] = []
    for language in _languages():
        text = getattr(language, kind)
        if not text:
            continue
        parts.append(rf"(?<![{LETTER}])(?:{text})(?![{LETTER}])" if language.spaced else text)
    return f"(?i:{'|'.join(parts)})"


@cache
def finder(kind: str) -> re.Pattern[str]:
    """The compiled expression of `phrases`."""
    return re.compile(phrases(kind))


@cache
def _languages() -> tuple[Language, ...]:
    names = sorted(m.name for m in pkgutil.iter_modules(languages.__path__))
    return tuple(importlib.import_module(f"{languages.__name__}.{n}").LANGUAGE for n in names)
