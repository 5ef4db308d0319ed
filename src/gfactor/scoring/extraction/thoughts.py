"""Fast reading of replies with plain thoughts before their last line. Most of a reply's length is
thoughts, and all rules search them. They can find nothing in sentences of plain words that name no
option and announce, limit or introduce none. Such sentences are replaced by the shortest ones, and
the result of reading is stored, so that replies with different thoughts and the same last line are
read once. All other replies are read in full. The stop and the new line before the last line bound
what the rules read outside of a sentence: a correction, a condition or a denial in the thoughts
does not affect the last line. The number of lines is not changed, because rules use it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache

from gfactor.scoring.extraction.markers import each_expression, each_phrase
from gfactor.scoring.extraction.noticing import Noticer
from gfactor.scoring.extraction.options import OptionTexts, option_texts
from gfactor.scoring.extraction.result import Extraction
from gfactor.scoring.extraction.scanning import lower_case

Read = Callable[[str, Mapping[str, str]], Extraction]

_LONGEST = 1000
"""Number of characters beyond which rules read only a part of a reply."""
_MOST_LINES = 20
_SENTENCE = r"[A-Za-z][a-z]+(?:,? [A-Za-z][a-z]+){4}(?:,? (?:a )?[A-Za-z][a-z]+)*\."
_SENTENCES = re.compile(
    rf"((?:{_SENTENCE}(?: |\n\n?))+)(?<=\n)"
    r"([A-Za-z0-9(*\"'][A-Za-z0-9 .,:;!?()*\"'-]{0,199})"
)
"""Sentences of five plain words or more, the last with a line's end, and the last line."""
_LINE = re.compile(r"[^\n]+")
_SHORTEST = "Hm hm hm hm hm."
_RULES = frozenset(("announcement", "heading", "last line"))
"""Rules that read a claimed answer; for other rules the whole reply is read."""


def read_last_line(reply: str, options: Mapping[str, str], read: Read) -> Extraction | None:
    """Return the reading by `read` of a reply to a `choice` item, with its thoughts made as short
    as possible. None if the reply does not consist of plain thoughts and a last line that claims an
    answer.
    """
    parts = _SENTENCES.fullmatch(reply) if len(reply) <= _LONGEST else None
    if parts is None:
        return None
    thoughts, last = parts.groups()
    lines = thoughts.count("\n")
    if lines > _MOST_LINES or not _say_nothing(thoughts, reply, tuple(options.items())):
        return None
    shortest = _LINE.sub(_SHORTEST, thoughts)
    extraction = _reading(shortest, last, tuple(options.items()), read)
    if extraction is None or extraction.span is None:
        return extraction
    longer = len(thoughts) - len(shortest)
    span = extraction.span[0] + longer, extraction.span[1] + longer
    return Extraction(extraction.answer, True, extraction.stage, extraction.rule, span)


@lru_cache(maxsize=10_000)
def _reading(
    thoughts: str, last: str, options: tuple[tuple[str, str], ...], read: Read
) -> Extraction | None:
    """Return the reading with short thoughts; None if it is not an answer in the last line."""
    extraction = read(thoughts + last, dict(options))
    claimed = (
        extraction.rule in _RULES
        and extraction.span is not None
        and extraction.span[0] >= len(thoughts)
    )
    return extraction if extraction.has_answer and claimed else None


def _say_nothing(thoughts: str, reply: str, options: tuple[tuple[str, str], ...]) -> bool:
    """Return True if thoughts contain no option and no words that announce or single out one."""
    texts = _plain_texts(options)
    return not (
        "assistant" in reply
        or texts is None
        or len(thoughts) < 2 * max(len(text) for _, text in options)
        or _names_option(thoughts, reply, texts)
        or _saying().begins_in(reply, len(thoughts))
    )


@lru_cache(maxsize=256)
def _plain_texts(options: tuple[tuple[str, str], ...]) -> OptionTexts | None:
    """Return the texts of options; None if they have synonyms, or labels other than two capital
    letters or more."""
    plain = len(options) > 1 and all(re.fullmatch("[A-Z]", label) for label, _ in options)
    texts = option_texts(options)
    return texts if plain and not texts.synonyms else None


def _names_option(thoughts: str, reply: str, texts: OptionTexts) -> bool:
    """Return True if the text of an option begins in the thoughts."""
    if texts.anywhere is None:
        return False
    small = lower_case(reply)
    if small is not None and small.is_ascii and not texts.may_stand_in(small.with_lines):
        return False
    text = texts.anywhere.search(reply)
    return text is not None and text.start() < len(thoughts)


@cache
def _saying() -> Noticer:
    """Words that announce an answer or a description, number an option, or show the language.
    Languages deny with different words, and the thoughts show the language of the last line.
    """
    phrases, others = (
        ("announce", "weak", "points", "correction"),
        ("nth", "introduced", "recognized"),
    )
    return Noticer(
        *(text for kind in phrases for text in each_phrase(kind)),
        *(text for kind in others for text in each_expression(kind)),
    )
