"""The number that a reply gives to an item whose one blank is scored by the rule `number`."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cached_property

from gfactor.scoring.extraction.concluded import concluded_number, corrected_number
from gfactor.scoring.extraction.normalize import Cleaned, clean
from gfactor.scoring.extraction.refusal import why_nothing
from gfactor.scoring.extraction.reply_sentences import SCRIPT
from gfactor.scoring.extraction.result import Extraction, extracted, no_answer
from gfactor.scoring.extraction.stated_numbers import asks_percent
from gfactor.scoring.extraction.writing_of_numbers import Writing, writing_of
from gfactor.scoring.extraction.written_numbers import (
    WrittenNumber,
    numbers_in,
)
from gfactor.scoring.questions import PutItem
from gfactor.scoring.text_rules import sole_number

_FIRM = frozenset(("json", "tag", "boxed", "result line", "heading", "contrast"))
"""Rules whose text stands where the reply puts its answer, whatever else it says."""
_AMOUNT = re.compile(r"[-+$\u20ac\u00a3.]?\d\S*(?:\s\S+){0,2}")
"""A number with its unit."""
_NAMED = re.compile(r"\W*[^\W\d]{2,12}\W{0,2}\d+\W*")
"""A number behind its noun: "page 5"."""
_FRACTION = re.compile(r"\\[dt]?frac\s?\{\s?(\d+)\s?\}\s?\{\s?(\d+)\s?\}")
_FEW = 4
"""Number of words from which on a text is a sentence, not a number with its unit."""
_PLAIN = re.compile(r"[-+]?\d+(?:\.(?!\d{3}$)\d+)?")
"""A number as the rule reads it in every language."""


def read_number(text: str, read: Extraction, question: PutItem) -> Extraction:
    """Return the reading of a reply whose key is a number, from the reading of its text.

    A text that was set apart as the answer stays, in digits with a decimal point; else the number
    that the reply concludes with is the answer. A text without a number is none.
    """
    given = _text(read)
    if _PLAIN.fullmatch(text.strip()) or (given and _PLAIN.fullmatch(given) and read.rule in _FIRM):
        return read
    return _NumberReading(text, read, question).result()


def _text(read: Extraction) -> str:
    return str(read.answer[0]) if isinstance(read.answer, tuple) else ""


class _NumberReading:
    """A reply, what was read in it, and what the item says of its number."""

    def __init__(self, text: str, read: Extraction, question: PutItem) -> None:
        self.text = text
        self.read = read
        self.question = question
        self.given = _text(read)

    @cached_property
    def code(self) -> str:
        """Tag of the item's language; "" if it is not known."""
        code = self.question.facts.get("language")
        return code if isinstance(code, str) else ""

    @cached_property
    def keys(self) -> list[Decimal]:
        """The numbers of the keys."""
        keys = [key for key in (self.question.target, *self.question.accepted) if key]
        texts = [str(key[0]) for key in keys if isinstance(key, tuple) and len(key) == 1]
        return [one for text in texts if (one := sole_number(text)) is not None]

    @property
    def is_large(self) -> bool:
        """True if every key is an integer of 1000 or more."""
        return bool(self.keys) and all(key == int(key) and abs(key) >= 1000 for key in self.keys)

    @property
    def has_decimals(self) -> bool:
        """True if a key is no integer."""
        return any(key != int(key) for key in self.keys)

    @cached_property
    def cleaned(self) -> Cleaned:
        """The reply without thinking and markup, with fractions in one line."""
        return clean(_FRACTION.sub(r"\1/\2", self.text) if self.has_decimals else self.text)

    @cached_property
    def writing(self) -> Writing:
        """Conventions by which the reply writes numbers."""
        return writing_of(
            [self.cleaned.prose.text, self.question.text],
            self.code,
            large=self.is_large,
            has_decimals=self.has_decimals,
            question=self.question.text,
        )

    def result(self) -> Extraction:
        """Return the reading."""
        if self.read.has_answer and self.read.rule in _FIRM:
            number = self._number_of(self.given)
            return self._as(number) if number else self._concluded_in_it()
        if corrected := corrected_number(self.cleaned.prose.text, self.writing):
            span = self.cleaned.prose.span(0, len(self.cleaned.prose.text))
            return extracted((corrected,), "number", span)
        conclusion = concluded_number(self.cleaned, self.question.text, self.code, self.writing)
        if conclusion is not None:
            number = sole_number(_text(conclusion))
            is_same = _AMOUNT.fullmatch(self.given) and sole_number(self.given) == number
            is_same = is_same and not SCRIPT.search(self.given)
            return self.read if is_same else conclusion
        if not self.read.has_answer or _NAMED.fullmatch(self.text):
            return self.read
        return no_answer(why_nothing(self.cleaned))

    def _concluded_in_it(self) -> Extraction:
        """Return the number that the text set apart as the answer concludes with."""
        start, end = self.read.span or (0, 0)
        headed = clean(self.text[start:end].lstrip("*_ \n"))
        inner = concluded_number(headed, self.question.text, self.code, self.writing)
        if inner is not None:
            return extracted((_text(inner),), self.read.rule, (start, end))
        number = sole_number(self.given)
        if number is None:
            return no_answer("ambiguous")
        is_sentence = len(self.given.split()) > _FEW
        return extracted((str(number),), self.read.rule, (start, end)) if is_sentence else self.read

    def _number_of(self, given: str) -> WrittenNumber | None:
        """Return the only number of a text, behind an equals sign if there is one."""
        plain = clean(given).prose.text
        plain = plain.rpartition("=")[2] if plain.count("=") == 1 else plain
        numbers = numbers_in(plain, self.writing)
        if len(numbers) != 1 or not numbers[0].text:
            return None
        is_share = numbers[0].kind == "percent" and not asks_percent(self.question.text)
        return None if is_share else numbers[0]

    def _as(self, number: WrittenNumber) -> Extraction:
        is_short = len(self.given.split()) <= _FEW and not SCRIPT.search(self.given)
        if is_short and sole_number(self.given) == number.value:
            return self.read
        return extracted((number.text,), self.read.rule, self.read.span or (0, 0))
