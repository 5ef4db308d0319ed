"""Answers stated in a sentence of their own: "There are 5 circles in total.", "Yes, it is."

Only the last line is read, and only if it is not ambiguous. A sentence with a count must contain
one number only. A sentence for two labels must contain one number beside each label's word. A line
that begins with "yes" or "no" must contain neither word again. A sentence that lists the words of a
set must end with them, and name none before.
"""

from __future__ import annotations

import re

from gfactor.items import Atom, OutputFormat
from gfactor.scoring.extraction.lexicons import lexicon
from gfactor.scoring.extraction.markers import COMMA, each, expressions, joined
from gfactor.scoring.extraction.numerals import counted, headed
from gfactor.scoring.extraction.signs import ABOUT, DASHES, MINUS, TIMES

_COUNTS = re.compile(expressions("count_sentence"), re.IGNORECASE)
_OPEN = re.compile(rf"{expressions('count_open')}|[?~{ABOUT}<>+*/={TIMES}-]", re.IGNORECASE)
_LEADS = re.compile(rf"\s*(?P<word>[^\W\d_]+)\s*[,;:.!{DASHES}]")


def stated(line: str, fmt: OutputFormat, *, alone: bool = False) -> tuple[Atom, ...] | None:
    """Return the atoms that a line states, one per label; None if it states another number of
    atoms.

    `alone` is True if the line is the whole reply.
    """
    if fmt.answer_type == "value" and fmt.atom == "integer":
        return (_before_the_things(line, fmt) if alone else None) or _count(line, fmt)
    if fmt.answer_type == "tuple" and len(fmt.labels) > 1 and fmt.atom == "integer":
        return _counts(line, fmt)
    if fmt.answer_type == "value" and fmt.atom == "word" and len(fmt.vocabulary) == 2:
        return _lead(line, fmt)
    if fmt.answer_type == "set" and fmt.atom == "word":
        return _members(line, fmt)
    return None


def _count(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    words = lexicon(fmt)
    if (total := _total(line)) is not None:
        return (total,)
    if not _ABOUT.search(line) and (under := headed(line)) is not None:
        return (under,)
    begun = _COUNTS.search(line)
    if begun is None or _OPEN.search(line) or (_SEEN.match(begun[0]) and _ALSO.search(line)):
        return None
    numbers = [words.value(m[0]) for m in words.suspect.finditer(line)]
    if not numbers and not re.search(r"\d", line) and (worded := counted(line)) is not None:
        return (worded,)
    exact = words.atom.search(line) or _COUNTER.search(line)
    return tuple(numbers) if len(numbers) == 1 and exact else None


def _before_the_things(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The number before the name of the counted things, if the line contains nothing else."""
    words = lexicon(fmt)
    number = words.atom.match(line.lstrip())
    rest = line.lstrip()[number.end() :] if number else ""
    return (words.value(number[0]),) if number and _THINGS.fullmatch(rest) else None


_THINGS = re.compile(rf"\s+(?:{expressions('count_things')})[\s.!]*", re.IGNORECASE)
_ABOUT = re.compile(rf"[?~{ABOUT}]|{expressions('count_about')}", re.IGNORECASE)
_SEEN = re.compile(expressions("who_counts"), re.IGNORECASE)
_ALSO = re.compile(rf"{expressions('also_counted')}|,", re.IGNORECASE)
"""Signs in a sentence about counted things that it may not count all."""
_COUNTER = re.compile(
    rf"(?<![A-Za-z0-9{joined('nth_sign')}.,{MINUS}-])\d{{1,9}}\s?{expressions('counters')}"
)


def _total(line: str) -> int | None:
    """The number that is announced as the total and is the sum of all numbers before it."""
    if _DOUBT.search(line):
        return None
    numbers = [int(m[0]) for m in _NUMBER.finditer(line)]
    totals = list(_TOTAL.finditer(line))
    if len(numbers) < 3 or not totals or sum(numbers[:-1]) != numbers[-1]:
        return None
    last = list(_NUMBER.finditer(line))[-1]
    before = list(_NUMBER.finditer(line))[-2].end()
    return numbers[-1] if before <= totals[-1].start() < last.end() + 20 else None


_NUMBER = re.compile(
    rf"(?<![A-Za-z\u00c0-\u024f0-9_.,{MINUS}-])\d{{1,9}}(?![A-Za-z\u00c0-\u024f0-9_%]|[.,]\d)"
)
_TOTAL = re.compile(rf"=|{expressions('total')}", re.IGNORECASE)
_DOUBT = re.compile(rf"{expressions('total_doubt')}|[?~{ABOUT}<>*/{TIMES}%]", re.IGNORECASE)


def _counts(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    words = lexicon(fmt)
    if _OPEN.search(line) or len(list(words.suspect.finditer(line))) != len(fmt.labels):
        return None
    ways = (_beside(line, fmt, before=True), _beside(line, fmt, before=False))
    counts = {way for way in ways if way}
    return counts.pop() if len(counts) == 1 else None


def _beside(line: str, fmt: OutputFormat, *, before: bool) -> tuple[Atom, ...] | None:
    """The number before (or after) each label's word, one for each and no number twice."""
    vocabulary = lexicon(fmt)
    matches: list[re.Match[str]] = []
    for label in fmt.labels:
        stem = re.escape(label.casefold().removesuffix("s"))
        others = (words for of, words in _OTHER_WORDS if of == label)
        words = rf"(?:{'|'.join((f'{stem}s?', *others))})"
        behind = re.compile(rf"\s+(?:\w+\s+)?{words}\b", re.IGNORECASE)
        ahead = re.compile(rf"\b{words}\s(?:{expressions('number_link')}\s)?$", re.IGNORECASE)
        near = [
            m
            for m in vocabulary.atom.finditer(line)
            if (behind.match(line, m.end()) if before else ahead.search(line[: m.start()]))
        ]
        if len(near) != 1 or near[0].start() in [m.start() for m in matches]:
            return None
        matches.append(near[0])
    return tuple(vocabulary.value(m[0]) for m in matches)


_OTHER_WORDS = [
    (label, words)
    for (texts,) in each("things")
    for label, words in (pair.split("=") for pair in texts.split(","))
]
"""Names of the counted things in languages that write the number before them."""


_TAKEN_BACK = re.compile(rf"{expressions('lead_doubt')}|\?", re.IGNORECASE)


def _lead(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """Return "yes" or "no" if the line begins with it and no other such word follows; else None."""
    words = lexicon(fmt)
    lead = _LEADS.match(line)
    if lead is None or words.atom.fullmatch(lead["word"]) is None:
        return None
    rest = line[lead.end() :]
    if words.atom.search(rest) or _TAKEN_BACK.search(rest):
        return None
    return (words.value(lead["word"]),)


_PREDICATE = re.compile(expressions("predicate"), re.IGNORECASE)
_SET = re.compile(expressions("set_noun"), re.IGNORECASE)
_PART = re.compile(expressions("part_of_picture"), re.IGNORECASE)
"""Subjects that are only a part of the picture, or things that are not in it."""
_AND = expressions("and_short")
_JOINT = re.compile(rf"\s*(?:,\s*{_AND}\b|[,;{COMMA}&]|\b{_AND}\b)\s*", re.IGNORECASE)
_ENDS = re.compile(r"[\s.!)]*$")


def _members(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The words of a sentence about "the colors" or "the shapes", if they are its whole
    predicate."""
    vocabulary = lexicon(fmt)
    predicate = _PREDICATE.search(line)
    if predicate is None or _OPEN.search(line):
        return None
    subject = line[: predicate.start()]
    if not _SET.search(subject) or _PART.search(subject) or vocabulary.suspect.search(subject):
        return None
    words: list[Atom] = []
    at = predicate.end()
    while match := vocabulary.atom.match(line, at):
        words.append(vocabulary.value(match[0]))
        joint = _JOINT.match(line, match.end())
        if joint is None:
            return tuple(words) if _ENDS.match(line, match.end()) else None
        at = joint.end()
    return None
