"""The numbers of a text in digits and words, as the language of the text writes them.

"3.400" is 3400 in a language that groups thousands by points, and 3.4 in English; "elf" is 11 in
German alone. The language is recognized by frequent words or by its script.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal

from gfactor.scoring.extraction.amounts import unit_pattern
from gfactor.scoring.extraction.combined_numbers import combined_in
from gfactor.scoring.extraction.language import Language
from gfactor.scoring.extraction.markers import (
    LATIN,
    LETTER,
    expressions,
    joined,
    pairs,
    phrases,
)
from gfactor.scoring.extraction.signs import SQUARE_CUBE
from gfactor.scoring.extraction.writing_of_numbers import Writing

Kind = Literal["number", "percent", "other"]


@dataclass(frozen=True)
class WrittenNumber:
    """A number of a text.

    Parameters
    ----------
    start, end: its place, with its unit.
    text: its value in digits with a decimal point; "" for times, fractions and dates.
    kind: whether it is a percentage or has no one value.
    is_year: True if it is a year, or the day of a month.
    """

    start: int
    end: int
    text: str
    kind: Kind = "number"
    is_year: bool = False

    @property
    def value(self) -> Decimal:
        """Return the value; not a number if there is none."""
        return Decimal(self.text or "NaN")


def numbers_in(text: str, writing: Writing) -> list[WrittenNumber]:
    """Return the numbers of a text in their order.

    Ordinals, numbers of figures, labels ("x2") and the numbers of a list's lines are none.
    """
    candidates = [
        *_combined(text, writing),
        *_in_digits(text, writing),
        *_in_words(text, writing),
    ]
    candidates.sort(key=lambda one: (one.start, -one.end))
    numbers: list[WrittenNumber] = []
    for one in candidates:
        if not numbers or one.start >= numbers[-1].end:
            numbers.append(one)
    return numbers


def _combined(text: str, writing: Writing) -> Iterator[WrittenNumber]:
    """Yield the numbers of several words, each with its unit."""
    for one in combined_in(text, writing, _value_of):
        unit = unit_pattern().match(text, one.end)
        below = _BELOW_ZERO.search(text[max(0, one.start - _BEFORE) : one.start])
        percent = one.percent or _PERCENT.match(text, one.end)
        yield WrittenNumber(
            one.start,
            unit.end() if unit else one.end,
            f"-{one.text}" if below and one.text else one.text,
            "percent" if percent else ("number" if one.text else "other"),
        )


def _value_of(numeral: str, language: Language) -> Decimal | None:
    """Return the value of a numeral in digits or in words of a language."""
    if numeral[:1].isdigit():
        return Decimal(numeral.replace(",", "."))
    value = _composed(numeral.casefold(), _numerals(language))
    return None if value is None else Decimal(value)


_DIGITS = re.compile(
    rf"(?<![{LATIN}\d_])(?<!\d[.,:/'])(?P<sign>(?<![\w)\]}}])[-+]\s?)?"
    r"(?P<digits>\d+(?:[.,']\d+)*|(?<!\w)[.,]\d+)(?P<glued>(?:\s?[:/]\s?\d+)*)"
)
_SPACED = re.compile(r"[1-9]\d{0,2}(?: \d{3})+(?![\d])(?:[.,]\d+)?")
_RAISED = re.compile(rf"(?<=[{LATIN}])\s?(?:\^\s?\{{?\s?[23]\s?\}}?|[23](?!\d))")


def _in_digits(text: str, writing: Writing) -> Iterator[WrittenNumber]:
    at = 0
    spaced = any(" " in language.group_marks for language in writing.languages)
    while match := _DIGITS.search(text, at):
        at = match.end()
        digits, end = match["digits"], match.end("digits")
        grouped = _SPACED.match(text, match.start("digits")) if spaced else None
        if grouped and (grouped.end() > end or "," in grouped[0]):
            digits, end, at = grouped[0], grouped.end(), grouped.end()
        elif match["glued"]:
            yield WrittenNumber(*match.span(), "", "other")
            continue
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        value = _plain(digits, writing)
        is_grouped = not digits.isdigit() and value.isdigit()
        if not is_grouped and _names_one(before, writing):
            continue
        unit = unit_pattern().match(text, end) or _BEFORE_SCRIPT.match(text, end)
        behind = unit.end() if unit else end
        raised = _RAISED.match(text, behind)
        behind = raised.end() if raised else behind
        percent = bool(unit and "%" in unit[0]) or bool(_PERCENT.match(text, end))
        if _LETTER.match(text, behind) and not _THOUSANDS.match(text, behind):
            continue
        if value and not unit and (scale := _scale_behind(text, end, writing)):
            factor, behind = scale
            value = _written(Decimal(value) * factor)
        below = _BELOW_ZERO_BEHIND.match(text, behind)
        behind = below.end() if below else behind
        is_below = below or _BELOW_ZERO.search(before)
        negative = match["sign"].startswith("-") if match["sign"] else bool(is_below)
        yield WrittenNumber(
            match.start(),
            behind,
            f"-{value}" if negative and value else value,
            "percent" if percent else ("number" if value else "other"),
            _is_year(before, digits, text[end : end + _BEFORE]),
        )
        at = max(at, behind)


def _plain(digits: str, writing: Writing) -> str:
    """Return digits with points, commas and spaces as a number with a decimal point; "" if they
    are several numbers."""
    marks = re.findall(r"[., ']", digits)
    if not marks:
        return digits.lstrip("0") or "0" if len(digits) > 1 and not digits.strip("0") else digits
    parts = re.split(r"[., ']", digits)
    grouped = all(len(part) == 3 for part in parts[1:]) and 0 < len(parts[0]) < 4
    if len(set(marks)) == 1:
        if len(marks) > 1:
            return "".join(parts) if grouped and parts[0] != "0" else ""
        if grouped and writing.groups(marks[0], digits):
            return "".join(parts)
        return f"{parts[0] or '0'}.{parts[1]}" if marks[0] in ".," else ""
    if len(set(marks[:-1])) == 1 and marks[-1] in ".," and all(len(p) == 3 for p in parts[1:-1]):
        return f"{''.join(parts[:-1])}.{parts[-1]}"
    return ""


def _scale_behind(text: str, end: int, writing: Writing) -> tuple[int, int] | None:
    """Return the factor of a word such as "million" behind a number, and where it ends; of an
    unspaced language, of several such words together."""
    for language in writing.languages:
        match = _numerals(language).scale_behind.match(text, end)
        if match is None:
            continue
        together = match["words"].casefold()
        words = _numerals(language).word.findall(together) if language.script else [together]
        if words and not any(word in writing.question.casefold() for word in words):
            return math.prod(_numerals(language).scales[word] for word in words), match.end()
    if thousands := _THOUSANDS.match(text, end):
        return 1000, thousands.end()
    return None


_BEFORE = 60
"""Number of characters before and behind a number that are searched for words about it."""
_LETTER = re.compile(rf"[{LATIN}_]")
_THOUSANDS = re.compile(rf"k(?![{LETTER}])")
"""A thousand as a letter behind a number: "35k"."""


def _names_one(before: str, writing: Writing) -> bool:
    """Return True if the number behind these words names one of several: "figure 3", "2nd". The
    question may ask for such a number: "the number 23"."""
    match = _NAMED.search(before)
    word = match[0].strip().casefold() if match else ""
    return bool(word) and not (len(word) > 1 and word in writing.question.casefold())


_NAMED = re.compile(
    rf"(?:(?<![{LATIN}])(?i:{expressions('numbered_noun')})\s?"
    rf"|[{joined('nth_sign')}#]\s?|{phrases('option')}\s)$"
)
_BEFORE_SCRIPT = re.compile(rf"\s?[A-Za-z]{{1,4}}[{SQUARE_CUBE}23]?(?=[{joined('script')}])")
"""A symbol of a unit before a word of a language without spaces."""
_PERCENT = re.compile(rf"\s?\\?%|\s(?i:{expressions('percent')})")
_BELOW_ZERO = re.compile(rf"(?<!\d)(?<!\d\s){expressions('below_zero')}\s?$", re.IGNORECASE)
_BELOW_ZERO_BEHIND = re.compile(
    rf"[^.,;\d]{{0,12}}?{expressions('below_zero_behind')}", re.IGNORECASE
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_YEAR_LEAD = re.compile(rf"{expressions('year_lead')}\s(?:\w+\s)?$", re.IGNORECASE)
_YEAR_BEHIND = re.compile(rf"\s?{expressions('year_behind')}")


def _is_year(before: str, digits: str, behind: str) -> bool:
    if _YEAR_BEHIND.match(behind):
        return True
    return bool(_YEAR.fullmatch(digits) and _YEAR_LEAD.search(before))


def _in_words(text: str, writing: Writing) -> Iterator[WrittenNumber]:
    """Yield the numerals of the text's languages; of all languages if it shows none."""
    for language in writing.languages:
        numerals = _numerals(language)
        for match in re.finditer(language.one_thing or "(?!)", text, re.IGNORECASE):
            yield WrittenNumber(*match.span(), "1")
        for match in numerals.pattern.finditer(text):
            value = _composed(match[0].casefold(), numerals)
            before = text[max(0, match.start() - _BEFORE) : match.start()]
            if _names_one(before, writing):
                continue
            unit = unit_pattern().match(text, match.end())
            percent = _PERCENT.match(text, match.end())
            end = unit.end() if unit else match.end()
            behind = _BELOW_ZERO_BEHIND.match(text, end)
            below = behind or _BELOW_ZERO.search(before)
            written = "" if value is None else str(-value if below else value)
            yield WrittenNumber(
                match.start(),
                behind.end() if behind else end,
                written,
                "percent" if percent else ("number" if written else "other"),
            )


@dataclass(frozen=True)
class _Numerals:
    """The numerals of a language: their words, and the pattern of several words together."""

    values: dict[str, int]
    scales: dict[str, int]
    pattern: re.Pattern[str]
    word: re.Pattern[str]
    smallest_group: int
    """Smallest scale that closes a group of the number: thousand, or ten thousand."""
    scale_behind: re.Pattern[str]
    """A scale of a thousand or more behind digits, in the group `words`."""


@cache
def _numerals(language: Language) -> _Numerals:
    values, scales = pairs(language.cardinals), pairs(language.scales)
    values |= {word.casefold(): value for word, value in values.items()}
    words = "|".join(map(re.escape, sorted({**values, **scales}, key=len, reverse=True)))
    if not values:
        pattern = "(?!)"
    elif language.spaced:
        first = "|".join(map(re.escape, sorted(values, key=len, reverse=True)))
        hundred = "|".join(word for word, n in scales.items() if n < 10_000) or "(?!)"
        pattern = (
            rf"(?<![{LETTER}'-])(?:{first}|(?:a\s)?(?:{hundred}))"
            rf"(?:[\s-](?:{language.scale_and}[\s-])?(?:{words})){{0,6}}(?![{LETTER}]|-[{LATIN}]|')"
        )
    else:
        pattern = rf"(?<![{language.numeral_lead}])(?:{words})+{language.numeral_behind}"
    small = 1000 if language.spaced else 10_000
    large = "|".join(re.escape(word) for word, n in scales.items() if n >= 1000) or "(?!)"
    edge, more = (rf"(?![{LETTER}])", "") if language.spaced else ("", "+")
    return _Numerals(
        values,
        scales,
        re.compile(pattern, re.IGNORECASE),
        re.compile(words),
        small,
        re.compile(rf"\s?(?P<words>(?:{large}){more}){edge}", re.IGNORECASE),
    )


def _composed(text: str, numerals: _Numerals) -> int | None:
    """Return the value of a numeral: "two hundred and five" is 205; None if it is several."""
    values, scales = numerals.values, numerals.scales
    if text in values:
        return values[text]
    done = total = pending = 0
    for word in numerals.word.findall(text):
        if word in scales:
            scale = scales[word]
            if scale < numerals.smallest_group:
                total, pending = total + (pending or 1) * scale, 0
            else:
                done, total, pending = done + ((total + pending) or 1) * scale, 0, 0
        elif pending or (total % 100 and values[word] >= total % 100):
            return None
        elif values[word] >= 100:
            total += values[word]
        else:
            pending = values[word]
    return done + total + pending


def _written(value: Decimal) -> str:
    return format(value.normalize(), "f")
