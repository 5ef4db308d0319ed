"""A short reply that only says which options are there: "I can see a tram and a bicycle."

One sentence affirms the texts of some options, any other sentence denies its own ("There is no
bus."). Nothing may be read if a sentence doubts, asks or compares, or if two affirm.
"""

from __future__ import annotations

import re

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.candidates import ReadingTask, ReadLabels
from gfactor.scoring.extraction.claims import HINTED, Claim
from gfactor.scoring.extraction.doubtful import UNDECIDED
from gfactor.scoring.extraction.factuality import (
    HEDGE,
    NEGATION,
    REJECTED,
    sentences_in,
    sentences_of,
)
from gfactor.scoring.extraction.markers import COMMA, LATIN, expressions, finder, phrases
from gfactor.scoring.extraction.meant import is_meant, is_rough
from gfactor.scoring.extraction.refusal import COMPLETE, is_refusal
from gfactor.scoring.extraction.values import or_follows
from gfactor.scoring.extraction.verdicts import groups_in

_LONGEST = 400
_MOST_SENTENCES = 3
_MOST_WORDS = 14
"""Largest number of words of the affirming sentence, beside about one in five letters of texts."""


def find_seen(text: str, task: ReadingTask) -> Claim | None:
    """Return the options that the one affirming sentence of a short reply names by their texts."""
    body = text.strip()
    if not body or len(body) > _LONGEST or not COMPLETE.search(body) or groups_in(body, task):
        return None
    spans = sentences_in(body)
    if _OTHERS.search(body) or len(spans) > _MOST_SENTENCES or is_refusal(body) or _is_open(body):
        return None
    affirmed: list[list[tuple[str, int, int]]] = []
    denied: set[str] = set()
    for start, end in spans:
        mentions = [m for m in task.texts.mentions(body) if start <= m[1] < end]
        right = _affirmed(body, start, end, mentions)
        if not all(is_meant(body, *mention[1:]) for mention in right):
            return None
        if not mentions or _says_more(body[start:end], right):
            return None
        denied |= {label for label, *_ in mentions} - {label for label, *_ in right}
        affirmed += [right] if right else []
    if _names_inflected(body, task):
        return None
    if len(affirmed) != 1 or is_rough(body, affirmed[0]):
        return None
    labels = frozenset(label for label, *_ in affirmed[0])
    if len(labels) > 1 and (_RELATES.search(body) or any(_is_number(m, body) for m in affirmed[0])):
        return None
    is_all = len(labels) == len(task.grammar.labels)
    if labels & denied or is_all or any(or_follows(body, end) for *_, end in affirmed[0]):
        return None
    value = ReadLabels(labels, "", affirmed[0][0][1], affirmed[0][-1][2])
    return Claim(value, HINTED, "seen", value.start)


def _names_inflected(body: str, task: ReadingTask) -> bool:
    """Return True if a reply holds a word of another form than an option's text, but with the same
    beginning: "a lioness" for "lion"."""
    read = [body[start:end].casefold() for _, start, end in task.texts.mentions(body)]
    others = [
        word
        for word in _WORD.findall(body.casefold())
        if not any(word in r or r in word for r in read)
    ]
    return any(
        word.startswith(stem) and 0 < len(word) - len(stem) <= _LONGEST_ENDING
        for word in others
        for stem in task.texts.words
    )


_LONGEST_ENDING = 3
_WORD = re.compile(rf"[{LATIN}]{{4,}}")


def _says_more(sentence: str, right: list[tuple[str, int, int]]) -> bool:
    """Return True if a sentence that affirms options has many more words than their texts."""
    named = sum(end - start for _, start, end in right)
    return bool(right) and len(re.findall(r"\w+", sentence)) > _MOST_WORDS + named // 5


def _is_number(mention: tuple[str, int, int], body: str) -> bool:
    """Return True if an option's text begins with a digit: a number may count anything."""
    return body[mention[1]].isdigit()


_OTHERS = lazy_pattern(expressions("others"), re.IGNORECASE)
"""The options that were not named: what is said of them may be the answer."""

_RELATES = lazy_pattern(
    rf"{phrases('whereas')}|{phrases('conclusion')}|{expressions('means')}", re.IGNORECASE
)
"""Words of a sentence about several options that tells more than that they are there."""


def _affirmed(
    body: str, start: int, end: int, mentions: list[tuple[str, int, int]]
) -> list[tuple[str, int, int]]:
    """Return the mentions that stand before the clause with the first denial of a sentence."""
    denial = NEGATION.search(sentences_of(body).affirmed(body[start:end]))
    denial = denial and NEGATION.search(body, start, end)
    marks = [m.start() for m in _CLAUSE.finditer(body, start, denial.start())] if denial else []
    stop = end if denial is None else max([start, *marks])
    return [m for m in mentions if m[1] < stop]


def _is_open(body: str) -> bool:
    """Return True if a reply doubts, rejects, supposes or asks something, or hesitates."""
    return bool(
        "?" in body
        or HEDGE.search(body)
        or REJECTED.search(_DENIALS.sub(" ", body))
        or UNDECIDED.search(body)
        or finder("retraction").search(body)
    )


_DENIALS = lazy_pattern(expressions("negation"), re.IGNORECASE)
_CLAUSE = re.compile(rf"[,;{COMMA}]|\s(?={expressions('clause_begins')}\s)", re.IGNORECASE)
