"""Numbers of a sentence that tell of a part, of another year, or of one amount in another unit.

"12,500 in 2017, up from 11,000 in 2016" states 12,500, and "24 meters, which is about 79 feet" 24.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise

from gfactor.scoring.extraction.markers import COMMA, expressions
from gfactor.scoring.extraction.number_words import NumberWords
from gfactor.scoring.extraction.reply_sentences import Sentence, clauses_of, is_in_brackets
from gfactor.scoring.extraction.signs import ABOUT
from gfactor.scoring.extraction.written_numbers import WrittenNumber

_COLON = re.compile(r":(?=\s|$)|:(?!\d)")
_EQUALS = re.compile("=")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_ROUNDED_AGAIN = re.compile(
    rf"[,;({COMMA}]\s?(?:{expressions('explains')})\s?(?:\w+\s)?(?:{expressions('approximately')}|[~{ABOUT}])",
    re.IGNORECASE,
)
"""Words before the same amount in another unit: ", which is about"."""


def without_details(
    text: str,
    numbers: list[WrittenNumber],
    words: NumberWords,
    given: Collection[object],
    question: str,
) -> list[WrittenNumber]:
    """Return the numbers of a sentence without those that only tell of a detail.

    Parameters
    ----------
    text: the sentence.
    numbers: its numbers.
    words: the words of its language.
    given: the values of the numbers in the question.
    question: the question, without regard to case.
    """
    numbers = _of_the_year(text, numbers, given)
    for pattern in (words.detail, _ROUNDED_AGAIN):
        detail = pattern.search(text)
        if detail and (before := [one for one in numbers if one.end <= detail.start()]):
            is_one = pattern is words.detail or (len(before) == 1 and before[0].text)
            numbers = before if is_one else numbers
    parts = [(one, words.part.match(text[one.end :])) for one in numbers[1:]]
    compared = [one for one, part in parts if part and part[0].strip().casefold() not in question]
    numbers = [one for one in numbers if one not in compared]
    return _without_parts(text, numbers, words, question)


def in_the_unit(text: str, numbers: list[WrittenNumber], question: str) -> list[WrittenNumber]:
    """Return the number in the unit of the question, of an amount given in two units: "2,350 g,
    that is 2.35 kg"; the first one if the question names none."""
    again = _AGAIN.search(text)
    behind = [one for one in numbers if again and one.start >= again.end()]
    before = [one for one in numbers if again and one.end <= again.start()]
    if len(behind) != 1 or not before or not behind[0].text:
        return numbers
    units = [_unit(text, one) for one in (before[-1], behind[0])]
    if not units[1] or not units[0]:
        return numbers
    if _is_in(units[1], question):
        return behind
    return before if len(before) == 1 and units[0] != units[1] else numbers


def _unit(text: str, number: WrittenNumber) -> str:
    return re.sub(r"^[-+\d.,\s/]+", "", text[number.start : number.end]).strip()


def _is_in(unit: str, question: str) -> bool:
    return bool(re.search(rf"(?<![^\W\d_]){re.escape(unit[:6])}", question, re.IGNORECASE))


_AGAIN = re.compile(
    rf"[,;({COMMA}]\s?(?:{expressions('explains')}|{expressions('in_all')})\s?", re.IGNORECASE
)
"""Words before the same amount in another unit: ", that is"."""


def _without_parts(
    text: str, numbers: list[WrittenNumber], words: NumberWords, question: str
) -> list[WrittenNumber]:
    """Return the number before a colon if those behind it add up to it."""
    colon = _COLON.search(text)
    if colon is None:
        return numbers
    head = [one for one in numbers if one.end <= colon.start()]
    parts = [one.value for one in numbers if one.start >= colon.end() and one.text]
    if len(head) == 1 and head[0].text and len(parts) > 1:
        missing = head[0].value - sum(parts)
        one = words.one.search(text, colon.end())
        if not missing or (missing == 1 and one):
            return head
    if len(head) == 1 and _is_lead(text[: colon.start()], head[0], question) and parts:
        ways = (words.total, words.adds_up, words.cued, _EQUALS)
        is_summed = any(way.search(text, colon.end()) for way in ways)
        return head if head[0].value > max(parts) and not is_summed else numbers
    return numbers


def _is_lead(before: str, number: WrittenNumber, question: str) -> bool:
    """Return True if a number begins a sentence, in words or before its noun: "Thirty: ..."."""
    noun = before[number.end :].split()
    is_word = not before[number.start : number.end].strip(" *").isdigit()
    is_asked = all(word.casefold() in question for word in noun) if noun else is_word
    return is_asked and len(noun) < 3 and not re.search(r"\w", before[: number.start])


def _of_the_year(
    text: str, numbers: list[WrittenNumber], given: Collection[object]
) -> list[WrittenNumber]:
    """Return the numbers before a clause about a year of which the question does not ask."""
    for (_, start), (_, end) in pairwise([(0, 0), *clauses_of(text)]):
        inside = [one for one in numbers if start <= one.start < end]
        before = [one for one in numbers if one.start < start and not is_year(one)]
        years = [one for one in inside if is_year(one)]
        if before and years and len(inside) > 1 and not _has_year_of(years, given):
            return [one for one in numbers if one.start < start]
    return numbers


def is_about_another_year(sentence: Sentence, given: Collection[object]) -> bool:
    """Return True if the question asks about a year, and a sentence names only other ones."""
    if not any(_YEAR.fullmatch(str(value)) for value in given):
        return False
    text = sentence.text
    years = [one for one in sentence.numbers if one.is_year and not is_in_brackets(text, one)]
    return bool(years) and not _has_year_of(years, given)


def is_year(number: WrittenNumber) -> bool:
    """Return True if a number is a year, or looks like one."""
    return number.is_year or bool(_YEAR.fullmatch(number.text))


def _has_year_of(years: list[WrittenNumber], given: Collection[object]) -> bool:
    return any(one.value in given for one in years)
