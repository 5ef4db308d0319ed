"""Task of reading a reply, values found in it, and options named by their number."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from gfactor.scoring.extraction.labels import Grammar
from gfactor.scoring.extraction.markers import (
    COMMA,
    expressions,
    group_named,
    nth_named,
    phrases,
    values_of_signs,
)
from gfactor.scoring.extraction.options import OptionTexts
from gfactor.scoring.extraction.scanning import Scanner
from gfactor.scoring.extraction.signs import CIRCLED, DEGREE, MIDDLE_DOT, SQUARE_CUBE, TIMES


@dataclass(frozen=True)
class ReadingTask:
    """Task of a reading: the item's labels, the texts of its options, one label or several."""

    grammar: Grammar
    texts: OptionTexts
    many: bool


@dataclass(frozen=True)
class ReadLabels:
    """Labels read at one position of the reply.

    Parameters
    ----------
    labels: the labels; empty if the text at this position is not a valid answer. trouble: "", or
    the reason why they are not an answer: "ambiguous" (or-lists, several for one), "outside"
        (the label of no option), "contradiction" (a label next to another option's text).
    start, end: position in the text.
    """

    labels: frozenset[str]
    trouble: str
    start: int
    end: int


_CIRCLED = re.compile(rf"[{CIRCLED}](?![{CIRCLED}{COMMA},]|{expressions('and_circled')})")
_AND = rf"(?:\s?(?:[{COMMA},;{MIDDLE_DOT}]|{expressions('and_number')})?\s?)"
_SIGN = expressions("numbered_sign")
_SEVERAL = re.compile(rf"[{CIRCLED}]{_SIGN}?(?:{_AND}[{CIRCLED}]{_SIGN}?){{1,11}}(?![{CIRCLED}])")
_SEVERAL_NUMBERS = re.compile(rf"\d{{1,2}}{_SIGN}(?:{_AND}\d{{1,2}}{_SIGN}){{1,11}}(?!\d)")
_PLAIN_NUMBERS = re.compile(
    rf"\d{{1,2}}(?:\s?(?:[{COMMA},&]|,?\s{expressions('and_short')}(?=\s))\s?\d{{1,2}}){{1,11}}(?![\d.,]*\d|\s?[\w%])"
)
_NUMBERED = re.compile(
    rf"(?:{expressions('before_option_number')}\s?)?#?(\d{{1,2}})"
    rf"{expressions('option_numbered')}?(?![\d.,]\d|\w*[A-Za-z%{DEGREE}{SQUARE_CUBE}/{TIMES}+*=^])",
    re.IGNORECASE,
)
_NUMBER_SIGN = re.compile(expressions("number_char"))
_BEHIND_A_WORD = re.compile(
    rf"{expressions('option_named')}\s?(?:{expressions('number_word')}\s?)?[(#]?$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(expressions("ordinal_option"))
_NTH_SIGN = re.compile(expressions("nth_sign"))
NTH = Scanner(expressions("nth"), flags=re.IGNORECASE)
"""The first to the fifth of the options."""
_DIGITS = values_of_signs("digits")


def counted(text: str, start: int, task: ReadingTask) -> ReadLabels | None:
    """Return options named by their position among the options: a circled 3, "option 3", "the third
    option".

    A bare number does not count, and nothing is read if an option's text contains that number.
    """
    if task.many and (listed_nth := _several_nth(text, start, task)):
        return listed_nth
    several = _SEVERAL.match(text, start) if task.many and not task.texts.circled else None
    if several:
        numbers = [CIRCLED.index(c) + 1 for c in several[0] if c in CIRCLED]
        return _value(numbers, start, several.end(), task)
    listed = _SEVERAL_NUMBERS.match(text, start) if task.many else None
    if listed:
        numbers = [int(number) for number in re.findall(r"\d+", listed[0])]
        holds = any(task.texts.holds(str(number)) for number in numbers)
        return None if holds else _value(numbers, start, listed.end(), task)
    plain = _PLAIN_NUMBERS.match(text, start) if task.many else None
    if plain and _BEHIND_A_WORD.search(text[max(0, start - 20) : start]):
        numbers = [int(number) for number in re.findall(r"\d+", plain[0])]
        holds = any(task.texts.holds(str(number)) for number in numbers)
        is_lettered = all(label.isalpha() for label in task.grammar.labels)
        return _value(numbers, start, plain.end(), task) if is_lettered and not holds else None
    circled = _CIRCLED.match(text, start)
    if circled and not task.texts.circled:
        return _value([CIRCLED.index(circled[0][0]) + 1], start, circled.end(), task)
    numbered = _NUMBERED.match(text, start)
    if numbered and (
        _NUMBER_SIGN.search(numbered[0]) or _BEHIND_A_WORD.search(text[max(0, start - 20) : start])
    ):
        return _by_number(int(numbered[1]), start, numbered.end(), task)
    nth = NTH.match(text, start)
    if nth:
        return _by_number(nth_named(nth, len(task.grammar.labels)), start, nth.end(), task)
    ordinal = _ORDINAL.match(text, start)
    if ordinal and _NTH_SIGN.search(text, max(0, start - 1), start + 1):
        named = group_named(ordinal, "n") or ""
        number = _DIGITS[named] if named in _DIGITS else int(named)
        return _by_number(number, start, ordinal.end(), task)
    return None


def _several_nth(text: str, start: int, task: ReadingTask) -> ReadLabels | None:
    """Return several options named by their listed_nth: "the first and the third"."""
    numbers: list[int] = []
    at, end = start, start
    is_comma = False
    while part := NTH_PART.match(text, at):
        numbers.append(nth_named(part, len(task.grammar.labels)))
        end = part.end()
        if is_comma and not nth_named(part):  # "First, the last row is empty"
            return None
        link = _NTH_LINK.match(text, end)
        is_comma = link is not None and not re.search(r"\w", link[0])
        if link is None:
            break
        at = link.end()
    is_whole = (
        len(numbers) > 1 and at <= end and all(label.isalpha() for label in task.grammar.labels)
    )
    either = _or().match(text, end)
    if is_whole and either and NTH_PART.match(text, either.end()):
        return ReadLabels(frozenset(), "ambiguous", start, end)
    return _value(numbers, start, end, task) if is_whole else None


@cache
def _or() -> re.Pattern[str]:
    return re.compile(rf"\s?{phrases('either')}\s?")


NTH_PART = re.compile(
    rf"(?:(?:{expressions('any_article')}\s)?(?<![A-Za-z\u00c0-\u024f])(?:{expressions('ordinal')})"
    rf"|{expressions('last_one')})(?![A-Za-z\u00c0-\u024f])(?:\s?{expressions('gap')}(?!\w))?",
    re.IGNORECASE,
)
"""One of several options named by their places: "the first", "the last one"."""
_NTH_LINK = re.compile(
    rf"\s?[,{COMMA}]\s?|\s{expressions('and_short')}\s|\s?{expressions('and_number')}\s?",
    re.IGNORECASE,
)


def _by_number(number: int, start: int, end: int, task: ReadingTask) -> ReadLabels | None:
    labels = task.grammar.labels
    if not all(label.isalpha() for label in labels) or task.texts.holds(str(number)):
        return None
    return _value([number], start, end, task)


def _value(numbers: list[int], start: int, end: int, task: ReadingTask) -> ReadLabels | None:
    labels = task.grammar.labels
    if not all(1 <= number <= len(labels) for number in numbers):
        return None
    named = frozenset(labels[number - 1] for number in numbers)
    return ReadLabels(named, "", start, end) if len(named) == len(numbers) else None
