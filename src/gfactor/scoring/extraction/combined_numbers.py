"""Numbers of several words: fractions ("three eighths"), halves ("two and a half million"), dozens,
and scales behind each other ("3 million 200 thousand").

A fraction whose decimals do not end has no value in digits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from gfactor.scoring.extraction.language import Language
from gfactor.scoring.extraction.markers import LATIN, LETTER, pairs
from gfactor.scoring.extraction.signs import FRACTIONS
from gfactor.scoring.extraction.writing_of_numbers import Writing

_MOST_DECIMALS = 6


def share(above: Decimal, below: Decimal) -> str:
    """Return a fraction as a decimal number; "" if its decimals do not end, or are many."""
    if not below:
        return ""
    value = above / below
    text = format(value.normalize(), "f")
    return text if len(text.partition(".")[2]) <= _MOST_DECIMALS else ""


@dataclass(frozen=True)
class Combined:
    """A number of several words: its place, and its value in digits, "" if it has none."""

    start: int
    end: int
    text: str
    percent: bool = False


Parsed = Callable[[str, Language], Decimal | None]
"""Function that returns the value of a numeral of a language."""


def combined_in(text: str, writing: Writing, value_of: Parsed) -> Iterator[Combined]:
    """Yield the numbers of several words of a text, of the languages that it may be in.

    Parameters
    ----------
    text: the text.
    writing: how it writes numbers.
    value_of: the value of a numeral in digits or words, None if it is none.
    """
    for match in _MIXED.finditer(text):
        whole, sign, above, below = match.groups()
        parts = FRACTIONS[sign].split("/") if sign else [above, below]
        part = share(Decimal(parts[0]), Decimal(parts[1]))
        if part and Decimal(part) < 1:
            yield Combined(*match.span(), _plain(Decimal(whole) + Decimal(part)))
    if writing.has_decimals:
        for match in _RATIO.finditer(text):
            yield Combined(*match.span(), share(Decimal(match[1]), Decimal(match[2])))
    for language in writing.languages:
        words = _words(language)
        ways = (words.fractions, words.dozens, words.halves, words.scaled)
        for way in ways:
            yield from way(text, writing, value_of)


_MIXED = re.compile(
    rf"(?<![\d.,/{LATIN}])(\d{{1,4}})(?:\s?([{''.join(FRACTIONS)}])|\s(\d{{1,2}})/(\d{{1,2}})(?![\d/.,]\d))"
)
_RATIO = re.compile(rf"(?<![\d.,/{LATIN}:])(\d{{1,6}})\s?/\s?(\d{{1,6}})(?![\d/]|[.,:]\d|\s?[=/])")


def _plain(value: Decimal) -> str:
    return format(value.normalize(), "f")


class _PartWords:
    """The words of one language for parts of numbers."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.below = pairs(language.denominators)
        self.scale = {w: n for w, n in pairs(language.scales).items() if n >= 1000}
        numeral = self._numeral()
        gap = r"[\s-]" if language.spaced else r"\s?"
        one = language.one_of_parts or "(?!)"
        below = _any(self.below)
        end = rf"(?![{LETTER}])" if language.spaced else ""
        begin = rf"(?<![{LETTER}.,/])" if language.spaced else ""
        self._fraction = self._compiled(
            rf"{begin}(?:(?P<above>{numeral}){gap}|(?P<one>{one}){gap})(?P<below>{below})"
            rf"(?:\s{language.parts_word})?{end}"
            if language.parts_word
            else rf"{begin}(?:(?P<above>{numeral}){gap}|(?P<one>{one}){gap})(?P<below>{below}){end}"
        )
        self._turned = self._compiled(
            rf"(?P<below>\d+|{numeral}){language.of_parts}(?P<above>\d+|{numeral})"
            if language.of_parts
            else "(?!)"
        )
        self._half = self._compiled(rf"{begin}(?:{language.half_alone or '(?!)'}){end}")
        scale = _any(self.scale)
        noun = language.half_noun or "(?!)"
        self._and_half = self._compiled(
            rf"{begin}(?:(?P<whole>{numeral}|\d{{1,4}})|{one})(?:\s?(?P<scale>{scale}))?(?:\s?(?:{noun}))?"
            rf"(?:{language.and_half or '(?!)'})(?:\s?(?P<behind>{scale}))?{end}(?!-\w)"
        )
        self._mixed = dict(numbers_of(language.halves))
        halves, half = _any(set(self._mixed)), language.and_half or "(?!)"
        self._dozen = self._compiled(
            rf"{begin}(?:(?P<half>{language.half_dozen or '(?!)'})"
            rf"|(?:(?:(?:(?P<count>{numeral}|\d{{1,3}})|{one})(?P<counted>{half})?|(?P<mixed>{halves}))\s?)?"
            rf"(?:{language.dozens or '(?!)'})(?P<more>{half})?){end}"
        )
        amount = rf"\d+(?:[.,]\d+)?|{numeral}"
        scales = scale if language.spaced else f"{scale}+"
        joint = rf"(?:{language.scale_and}\s)?" if language.scale_and else ""
        self._scaled = self._compiled(
            rf"{begin}(?P<first>{amount})\s?(?P<large>{scales})\s?{joint}"
            rf"(?P<second>{amount})\s?(?P<small>{scales}){end}"
        )

    def _numeral(self) -> str:
        values, scales = pairs(self.language.cardinals), pairs(self.language.scales)
        small = {w for w, n in values.items() if n < 1000}
        if self.language.spaced:
            return _any(small)
        small |= {w for w, n in scales.items() if n < 1000}
        return f"(?:{_any(small)}){{1,5}}"

    def _compiled(self, pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)

    def fractions(self, text: str, writing: Writing, value_of: Parsed) -> Iterator[Combined]:
        """Yield "three eighths" and "five parts of which two"."""
        question = writing.question.casefold()
        for match in self._fraction.finditer(text):
            if match["below"].casefold() in question:
                continue
            above = Decimal(1) if match["one"] else value_of(match["above"], self.language)
            if above is None or (match["one"] and not writing.has_decimals):
                continue
            yield Combined(
                *match.span(), share(above, Decimal(self.below[match["below"].casefold()]))
            )
        for match in self._turned.finditer(text):
            values = [value_of(match[name], self.language) for name in ("above", "below")]
            if None not in values and values[1]:
                above, below = (one or Decimal(0) for one in values)
                percent = below == 100
                written = _plain(above) if percent else share(above, below)
                yield Combined(*match.span(), written, percent)
        if writing.has_decimals:
            yield from (Combined(*match.span(), "0.5") for match in self._half.finditer(text))

    def halves(self, text: str, _: Writing, value_of: Parsed) -> Iterator[Combined]:
        """Yield "two and a half", "two million and a half" and "two and a half million"."""
        for word, value in numbers_of(self.language.halves):
            for match in self._compiled(rf"(?<![{LETTER}]){word}(?![{LETTER}])").finditer(text):
                yield Combined(*match.span(), value)
        for match in self._and_half.finditer(text):
            whole = value_of(match["whole"], self.language) if match["whole"] else Decimal(1)
            if whole is None:
                continue
            scale = self.scale.get((match["scale"] or match["behind"] or "").casefold(), 1)
            yield Combined(*match.span(), _plain((whole + Decimal("0.5")) * scale))

    def dozens(self, text: str, _: Writing, value_of: Parsed) -> Iterator[Combined]:
        """Yield "a dozen", "half a dozen", "two dozen" and "a dozen and a half"."""
        for match in self._dozen.finditer(text):
            count = value_of(match["count"], self.language) if match["count"] else Decimal(1)
            count = Decimal(self._mixed[match["mixed"].lower()]) if match["mixed"] else count
            if count is not None:
                dozens = 12 * count + (6 if match["more"] or match["counted"] else 0)
                yield Combined(*match.span(), "6" if match["half"] else _plain(dozens))

    def scaled(self, text: str, _: Writing, value_of: Parsed) -> Iterator[Combined]:
        """Yield "3 million 200 thousand"."""
        for match in self._scaled.finditer(text):
            first, second = (value_of(match[k], self.language) for k in ("first", "second"))
            large, small = (self._factor(match[k].casefold()) for k in ("large", "small"))
            if first is not None and second is not None and second * small < large:
                yield Combined(*match.span(), _plain(first * large + second * small))

    def _factor(self, words: str) -> int:
        """Return the product of scales, which stand together in unspaced languages."""
        return math.prod(self.scale[word] for word in re.findall(_any(self.scale), words))


def numbers_of(text: str) -> list[tuple[str, str]]:
    """Return the words and values of a list `word=value` whose values may have decimals."""
    return [(word, value) for word, value in (one.split("=") for one in text.split(",") if one)]


def _any(words: Sequence[str] | set[str] | dict[str, int]) -> str:
    return rf"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True))) or '(?!)'})"


@cache
def _words(language: Language) -> _PartWords:
    return _PartWords(language)
