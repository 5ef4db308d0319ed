"""Test if a mention of an option is meant: not denied or conditional, no bound and no guess."""

from __future__ import annotations

import re

from gfactor.scoring.extraction.factuality import is_conditional, is_supposed, sentences_of
from gfactor.scoring.extraction.markers import expressions, finder
from gfactor.scoring.extraction.signs import ABOUT, AT_LEAST, AT_MOST, DIVIDED, EN_DASH, TIMES

_WHETHER = re.compile(rf"\s?{expressions('whether_behind')}")
_TAKEN_BACK = re.compile(expressions("taken_back"), re.IGNORECASE)


def is_meant(text: str, start: int, end: int) -> bool:
    """Return True if a mention is neither denied nor conditional nor asked."""
    sentences = sentences_of(text)
    before = sentences.clause_before(start)
    denied = finder("not_before").search(before) or finder("unreal").search(before)
    return not (
        denied
        or finder("wrong").match(text, len(text) - len(text[end:].lstrip()))
        or sentences.is_asked(end)
        or is_conditional(text, end)
        or is_supposed(sentences.sentence_before(start))
        or _WHETHER.match(text, end)
        or _TAKEN_BACK.match(text, end)
    )


def is_rough(text: str, mentions: list[tuple[str, int, int]]) -> bool:
    """Return True if a mention is a bound, a guess or one end of a range: "more than 8"."""
    return any(
        _ROUGHLY.search(text[max(0, start - 40) : start]) or _OR_NUMBER.match(text, end)
        for _, start, end in mentions
    )


_ROUGHLY = re.compile(
    rf"(?:{expressions('roughly')}|[<>{AT_MOST}{AT_LEAST}{ABOUT}~+{TIMES}{DIVIDED}*/])\s*$",
    re.IGNORECASE,
)
_OR_NUMBER = re.compile(rf"\s*(?:{expressions('or_number')}|~|{EN_DASH})\s*\d", re.IGNORECASE)
