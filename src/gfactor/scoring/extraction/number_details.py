"""Numbers of a sentence that tell of a part, of another year, or of the same amount in another unit.

"12,500 in 2017, up from 11,000 in 2016" states 12,500, and "24 meters, which is about 79 feet" 24.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise

from gfactor.scoring.extraction.markers import COMMA, expressions
from gfactor.scoring.extraction.number_words import NumberWords
from gfactor.scoring.extraction.reply_sentences import Sentence, clauses_of
from gfactor.scoring.extraction.signs import ABOUT
from gfactor.scoring.extraction.written_numbers import WrittenNumber

_COLON = re.compile(r":(?=\s|$)|:(?!\d)")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_ROUNDED_AGAIN = re.compile(
    rf"[,;({COMMA}]\s?(?:{expressions('explains')})\s?(?:\w+\s)?(?:{expressions('approximately')}|[~{ABOUT}])",
    re.IGNORECASE,
)
"""Words before the same amount in another unit: ", which is about"."""


def without_details(
    text: str, numbers: list[WrittenNumber], words: NumberWords, given: Collection[object]
) -> list[WrittenNumber]:
    """Return the numbers of a sentence without those that only tell of a detail.

    Parameters
    ----------
    text: the sentence.
    numbers: its numbers.
    words: the words of its language.
    given: the values of the numbers in the question.
    """
    numbers = _of_the_year(text, numbers, given)
    for pattern in (words.detail, _ROUNDED_AGAIN):
        detail = pattern.search(text)
        if detail and (before := [one for one in numbers if one.end <= detail.start()]):
            is_one = pattern is words.detail or (len(before) == 1 and before[0].text)
            numbers = before if is_one else numbers
    return _without_parts(text, numbers, words)


def _without_parts(
    text: str, numbers: list[WrittenNumber], words: NumberWords
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
    return numbers


def _of_the_year(
    text: str, numbers: list[WrittenNumber], given: Collection[object]
) -> list[WrittenNumber]:
    """Return the numbers before a clause about a year of which the question does not ask."""
    for (_, start), (_, end) in pairwise([(0, 0), *clauses_of(text)]):
        inside = [one for one in numbers if start <= one.start < end]
        before = [one for one in numbers if one.start < start and not is_year(one)]
        years = [one for one in inside if is_year(one)]
        if before and years and len(inside) > 1 and not _asked(years, given):
            return [one for one in numbers if one.start < start]
    return numbers


def is_about_another_year(sentence: Sentence, given: Collection[object]) -> bool:
    """Return True if the question asks about a year, and a sentence names only other ones."""
    if not any(_YEAR.fullmatch(str(value)) for value in given):
        return False
    years = [one for one in sentence.numbers if one.is_year]
    return bool(years) and not _asked(years, given)


def is_year(number: WrittenNumber) -> bool:
    """Return True if a number is a year, or looks like one."""
    return number.is_year or bool(_YEAR.fullmatch(number.text))


def _asked(years: list[WrittenNumber], given: Collection[object]) -> bool:
    return any(one.value in given for one in years)
