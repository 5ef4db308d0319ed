"""Texts of blanks that a sentence quotes or sets in bold, in their order."""

from __future__ import annotations

import re

from gfactor.scoring.extraction.blank_texts import (
    AFTER_QUOTE,
    BEFORE_QUOTE,
    BETWEEN_QUOTES,
    BLANK_WORD,
    DENIED,
    DOUBTED,
    QUOTES,
    TALK,
)
from gfactor.scoring.extraction.factuality import Sentences
from gfactor.scoring.extraction.markers import STOP, expressions, finder


def find_quoted(text: str, count: int) -> list[str]:
    """Return the quoted texts of a sentence that names each as the content of a blank, in order.

    The sentence ends with the last quotation. Empty if the sentence quotes more texts than there
    are blanks, or if it is a denial, a doubt or a question.
    """
    quotes = list(QUOTES.finditer(text[:1000]))
    if len(quotes) != count or not re.fullmatch(AFTER_QUOTE, text[quotes[-1].end() :]):
        return []
    begins = [0] + [m.end() for m in quotes[:-1]]
    for begin, quote in zip(begins, quotes, strict=True):
        before = text[begin : quote.start()]
        joined = begin > 0 and BETWEEN_QUOTES.fullmatch(before)
        if not (joined or BEFORE_QUOTE.search(before)) or DOUBTED.search(before):
            return []
    return [m["inside"] for m in quotes] if re.search(BLANK_WORD, text) else []


def find_emphasized(raw: str, count: int) -> list[str]:
    """Return the bold texts of a last sentence that names something: "It is **salt**."."""
    line = raw.rstrip()[-1000:].rpartition("\n")[2]
    bold = list(_BOLD.finditer(line))
    if line == raw.strip() and _is_filled_in(line, bold, count):
        return [m["inside"] for m in bold]
    if len(bold) != count or not re.fullmatch(AFTER_QUOTE, line[bold[-1].end() :]):
        return []
    starts = [m.end() for m in _SENTENCE_END.finditer(line[: bold[0].start()])]
    begins = [starts[-1] if starts else 0] + [m.end() for m in bold[:-1]]
    for begin, match in zip(begins, bold, strict=True):
        before = line[begin : match.start()]
        if begin > 0 and _AND_THE_NEXT.fullmatch(before):
            continue
        joined = begin > 0 and BETWEEN_QUOTES.fullmatch(before)
        doubted = DENIED.search(Sentences(line).affirmed(before))
        if not (joined or _COPULA.search(before)) or doubted:
            return []
    return [m["inside"] for m in bold]


def _is_filled_in(line: str, bold: list[re.Match[str]], count: int) -> bool:
    """Return True if a reply is a sentence with its blanks filled in, each with a bold text."""
    plain = _BOLD.sub(r"\g<inside>", line)
    around = _BOLD.sub(" ", line)
    return (
        1 < len(bold) == count
        and not _SENTENCE_END.search(re.sub(r"\.{3}", " ", line[: bold[-1].start()]))
        and len(re.findall(r"\w+", around)) > 1
        and not any(m["inside"].rstrip().endswith(":") for m in bold)
        and ":" not in around
        and not (DOUBTED.search(around) or TALK.search(plain) or BLANK_WORD.search(plain))
        and not finder("declines").search(plain)
    )


_BOLD = re.compile(r"(\*\*|__)(?P<inside>[^*_\n]{1,100}?)\1")
_SENTENCE_END = re.compile(rf"[.!?](?=\s)|[{STOP}!?]")
_AND_THE_NEXT = re.compile(
    rf"\s*[,;]?\s*(?:{expressions('and_short')}\s+)?(?:{expressions('the_blank')}\s+)?"
    rf"(?:{expressions('ordinal')})(?:\s+{expressions('gap')})?\s*",
    re.IGNORECASE,
)
"""Words between two bold texts which name the second blank: ", and the second"."""
_COPULA = re.compile(rf"\w.*{expressions('says_what')}$", re.IGNORECASE)
"""A subject and copula before a bold text."""
