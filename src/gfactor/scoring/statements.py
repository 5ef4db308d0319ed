"""Answers stated in a sentence of their own: "There are 5 circles in total.", "Yes, it is."

Only the last line is read, and only where it says nothing else that could be meant: a sentence
that counts holds one number, one for two labels holds one number beside each label's word, and a
line that begins with one of two words holds neither of them again.
"""

from __future__ import annotations

import re

from gfactor.items import Atom, OutputFormat
from gfactor.scoring.lexicon import lexicon

_COUNTS = re.compile(
    r"\b(?:there (?:is|are|were)|in total|altogether|in all|a total of|total(?: number)?"
    r"|adds? up to"
    r"|il y a|au total|en tout|hay|en total|há|existem|no total|ao todo)\b|一共|总共|共[有计]|共\d"
    r"|总数"
    r"|모두|총",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:or|about|around|approximately|roughly|almost|nearly|between|at (?:least|most)|more than"
    r"|less than|fewer than|over|under|up to|if|not|n't|no|maybe|perhaps|might|may|could|seems?"
    r"|look"
    r"|each|per|every|row|column|ou|environ|entre|o|unos|cerca|menos|más|mais|talvez|não|pas)\b"
    r"|[?~≈<>+*/=×-]|约|大概|可能|或|左右|不|약|아마|정도|또는",
    re.IGNORECASE,
)
_LEADS = re.compile(r"\s*(?P<word>[^\W\d_]+)\s*[,;:.!—–]")


def stated(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The atoms that a line states, one per label; None where it states none, or more."""
    if fmt.answer_type == "value" and fmt.atom == "integer":
        return _count(line, fmt)
    if fmt.answer_type == "tuple" and len(fmt.labels) > 1 and fmt.atom == "integer":
        return _counts(line, fmt)
    if fmt.answer_type == "value" and fmt.atom == "word" and len(fmt.vocabulary) == 2:
        return _lead(line, fmt)
    return None


def _count(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    known = lexicon(fmt)
    if not _COUNTS.search(line) or _OPEN.search(line):
        return None
    numbers = [known.value(m[0]) for m in known.suspect.finditer(line)]
    exact = known.atom.search(line)
    return tuple(numbers) if len(numbers) == 1 and exact else None


def _counts(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    known = lexicon(fmt)
    if _OPEN.search(line) or len(list(known.suspect.finditer(line))) != len(fmt.labels):
        return None
    found: list[Atom] = []
    for label in fmt.labels:
        stem = re.escape(label.casefold().removesuffix("s"))
        near = [
            m
            for m in known.atom.finditer(line)
            if re.match(rf"\s+(?:\w+\s+)?{stem}s?\b", line[m.end() :], re.IGNORECASE)
        ]
        if len(near) != 1:
            return None
        found.append(known.value(near[0][0]))
    return tuple(found)


def _lead(line: str, fmt: OutputFormat) -> tuple[Atom, ...] | None:
    """The word of a yes/no question with which the line begins, if no such word follows."""
    known = lexicon(fmt)
    lead = _LEADS.match(line)
    if lead is None or known.atom.fullmatch(lead["word"]) is None:
        return None
    rest = line[lead.end() :]
    if known.atom.search(rest) or re.search(
        r"\b(?:but|however|then again|not sure)\b|\?", rest, re.I
    ):
        return None
    return (known.value(lead["word"]),)
