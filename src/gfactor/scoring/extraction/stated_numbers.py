"""The one number that a sentence states, and how firmly."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from gfactor.scoring.extraction.factuality import HEDGE, NEGATION, Sentences
from gfactor.scoring.extraction.markers import expressions, finder
from gfactor.scoring.extraction.number_details import (
    in_the_unit,
    is_about_another_year,
    without_details,
)
from gfactor.scoring.extraction.number_words import NumberWords, words_of
from gfactor.scoring.extraction.reply_sentences import (
    SCRIPT,
    Sentence,
    clause_of,
    clauses_of,
    content_of,
    is_in_brackets,
    numbered_clauses,
)
from gfactor.scoring.extraction.signs import ABOUT, DIVIDED, MIDDLE_DOT, TIMES
from gfactor.scoring.extraction.writing_of_numbers import Writing, languages_of, writing_of
from gfactor.scoring.extraction.written_numbers import (
    WrittenNumber,
    numbers_in,
)


def asks_percent(question: str) -> bool:
    """Return True if a question asks for a percentage."""
    return bool(_PERCENT_ASKED.search(question))


@dataclass(frozen=True)
class Stated:
    """The one number of a sentence, and how firmly the sentence states it.

    Parameters
    ----------
    sentence, position: the sentence and its position among those of the reply.
    number: the number.
    is_cued: True if the sentence has words of a conclusion or a total, or a calculation.
    is_bold: True if the number is in bold.
    overlap: number of words that the sentence shares with the question.
    """

    sentence: Sentence
    number: WrittenNumber
    is_cued: bool
    is_bold: bool
    overlap: int
    position: int

    @property
    def text(self) -> str:
        """Return the number in digits with a decimal point."""
        return self.number.text


class Stating:
    """Reading of the sentences of a reply to one question.

    Parameters
    ----------
    question: the question's text, whose numbers are no answer beside another one.
    code: tag of the item's language.
    writing: how the reply writes numbers.
    """

    def __init__(self, question: str, code: str, writing: Writing) -> None:
        self.question = question
        self.code = code
        self.writing = writing
        self.question_words = frozenset(content_of(question))
        self.asks_percent = asks_percent(question)

    @cached_property
    def words(self) -> NumberWords:
        """Return the words round numbers in the reply's language."""
        return words_of(tuple(one.code for one in self.writing.languages))

    @cached_property
    def given(self) -> frozenset[object]:
        """Return the values of the numbers in the question."""
        writing = writing_of([self.question], self.code)
        return frozenset(one.value for one in numbers_in(self.question, writing) if one.text)

    @cached_property
    def _is_in_its_language(self) -> bool:
        """Return True if the reply may be in the language of the question."""
        languages = languages_of(self.question)
        return not languages or any(one in languages for one in self.writing.languages)

    def stated(self, sentence: Sentence, position: int) -> Stated | None:
        """Return the one number that a sentence states; None if it states several, or none."""
        text = sentence.text
        if len(sentence.numbers) > _MOST_NUMBERS:
            return None
        if sentence.in_table or not sentence.numbers or text.rstrip().endswith("?"):
            return None
        if HEDGE.search(Sentences(text).affirmed(text)) or is_about_another_year(
            sentence, self.given
        ):
            return None
        bold = {one.value for one in sentence.bold if one.text}
        whole = list(sentence.numbers)
        outside = [one for one in whole if not is_in_brackets(text, one)]
        numbers = without_details(
            text, outside or whole, self.words, self.given, self.question.casefold()
        )
        numbers = in_the_unit(text, numbers, self.question)
        shares = [one for one in numbers if one.kind == "percent"]
        if self.asks_percent and len({one.value for one in shares}) == 1:
            numbers = shares
        clause_cue = self._behind_cue(text, numbers)
        if clause_cue is None and self._are_alternatives(text, numbers):
            return None
        chain = _result(text, numbers)
        cued = bool(
            chain or clause_cue or self.words.cued.search(text) or self.words.total.search(text)
        )
        for one in (clause_cue, chain):
            if one is not None:
                number = one if one.text else None
                break
        else:
            number = self._only(text, numbers)
            if number is None and len(bold) == 1:
                number = (
                    next(one for one in numbers if one.value in bold)
                    if any(one.value in bold for one in numbers)
                    else None
                )
        number = number or self._of_the_clause(text, numbers)
        if number is None or not self._is_sure(text, number):
            return None
        overlap = len(self.question_words & frozenset(content_of(text)))
        return Stated(sentence, number, cued, number.value in bold, overlap, position)

    def _of_the_clause(self, text: str, numbers: Sequence[WrittenNumber]) -> WrittenNumber | None:
        """Return the number of the only clause about the question: "May had an average of 14.2;
        April was cooler with 10.6"."""
        by_overlap: list[tuple[int, WrittenNumber]] = []
        for start, end in numbered_clauses(text, numbers):
            inside = [one for one in numbers if start <= one.start < end]
            if len(inside) != 1 or not inside[0].text:
                return None
            shared = self.question_words & frozenset(content_of(text[start:end]))
            by_overlap.append((len(shared), inside[0]))
        by_overlap.sort(key=lambda one: one[0])
        if len(by_overlap) < 2 or by_overlap[-1][0] < max(2, by_overlap[-2][0] + 2):
            return None
        return by_overlap[-1][1]

    def _only(self, text: str, numbers: Sequence[WrittenNumber]) -> WrittenNumber | None:
        """Return the only number of a text: without the denied ones, the given ones and years."""
        left = [one for one in numbers if not self._is_denied(text, one)]
        wanted = "percent" if self.asks_percent else "number"
        keeps: list[Callable[[WrittenNumber], bool]] = [
            lambda one: one.kind == wanted,
            lambda one: one.value not in self.given,
            lambda one: not one.is_year,
        ]
        for keep in keeps:
            if len({one.value for one in left}) > 1 or any(one.kind == "other" for one in left):
                remaining = [one for one in left if keep(one)]
                left = remaining if remaining else left
        if any(one.kind == "other" for one in left):
            return None
        return left[-1] if len({one.value for one in left}) == 1 else None

    def _behind_cue(self, text: str, numbers: Sequence[WrittenNumber]) -> WrittenNumber | None:
        """Return the only number of the last clause with words of a result, of several clauses."""
        clauses = numbered_clauses(text, numbers)
        if len(clauses) < 2:
            return self._last_behind_cue(text, numbers)
        cued: list[tuple[WrittenNumber, bool]] = []
        for start, end in clauses:
            clause = text[start:end]
            inside = [one for one in numbers if start <= one.start < end]
            if inside and (
                self.words.cued.search(clause)
                or self.words.total.search(clause)
                or self.words.adds_up.search(clause)
            ):
                one = _result(text[:end], inside) or self._only(text, inside)
                if one is None or self._is_denied(text, one):
                    continue
                cued.append((one, bool(self.words.total.search(clause)) and "=" not in clause))
        totals = {one.value for one, is_total in cued if is_total}
        if len(totals) > 1:
            return WrittenNumber(cued[-1][0].start, cued[-1][0].end, "", "other")
        return cued[-1][0] if cued else self._last_behind_cue(text, numbers)

    def _last_behind_cue(self, text: str, numbers: Sequence[WrittenNumber]) -> WrittenNumber | None:
        """Return the only number behind the last words of a result, if others stand before."""
        ways = (self.words.total, self.words.adds_up, self.words.cued)
        ends = [m.end() for way in ways for m in way.finditer(text)]
        ends = [end for end in ends if any(one.start >= end for one in numbers)]
        behind = [one for one in numbers if ends and one.start >= max(ends)]
        if len(behind) != 1 or len(numbers) < 3 or behind[0].kind == "other":
            return None
        return behind[0]

    def _are_alternatives(self, text: str, numbers: Sequence[WrittenNumber]) -> bool:
        """Return True if "or" stands between two numbers."""
        return any(
            one.value != other.value and self.words.either.search(text[one.end : other.start])
            for one, other in pairwise(numbers)
        )

    def _is_denied(self, text: str, number: WrittenNumber) -> bool:
        start, end = clause_of(text, number)
        before, behind = text[start : number.start], text[number.end : end]
        affirmed = Sentences(text).affirmed(before)
        if _NOTHING_BUT.search(text[start : number.end]):
            return False
        if NEGATION.search(affirmed) or finder("not_before").search(affirmed):
            return not NEGATION.search(self.question)
        return bool(re.match(rf"\s?{expressions('negation')}", behind, re.IGNORECASE)) or bool(
            SCRIPT.search(behind) and NEGATION.search(behind) and not NEGATION.search(self.question)
        )

    def _is_listed(self, before: str, behind: str) -> bool:
        """Return True if a number is joined to a thing with an article: "a woman and 3 men"."""
        return bool(self.words.one_and.search(before) or self.words.and_one.match(behind))

    def _is_sure(self, text: str, number: WrittenNumber) -> bool:
        """Return True if a number is no bound, part, supposition or one of several."""
        start, _ = clause_of(text, number)
        before, behind = text[start : number.start], text[number.end :]
        bound = self.words.bound.search(text[max(0, number.start - 40) : number.start])
        word = bound[0].split()[0][:4] if bound else ""
        is_asked = len(word) > 3 and re.search(rf"\b{re.escape(word)}", self.question, re.I)
        if (bound and not is_asked) or self.words.bound_behind.match(behind):
            return False
        only = _NOTHING_BUT.search(text[start : number.end])
        if not only and self.words.unreal.search(Sentences(text).affirmed(before)):
            return False
        if self.words.or_number.match(behind):
            return False
        if not text[number.start : number.end][-1:].isdigit() and self.words.new.search(before):
            return False
        is_article = self.words.article.search(before) and number.kind != "percent"
        if (is_article and not self.words.adds_up.search(before)) or self._is_listed(
            before, behind
        ):
            return False
        part = self.words.part.match(behind)
        part = part or (self._is_in_its_language and self.words.no_total.match(behind))
        if part and part[0].strip().casefold() not in self.question.casefold():
            return False
        return not (number.kind == "percent" and not self.asks_percent)


def _result(text: str, numbers: Sequence[WrittenNumber]) -> WrittenNumber | None:
    """Return the result of a calculation: the number behind the last equals sign of its clause."""
    signs = [m for m in _EQUALS.finditer(text)]
    if not signs:
        return None
    last = signs[-1]
    behind = [one for one in numbers if one.start >= last.end()]
    if len(behind) != 1 or _OPERATOR.search(text[behind[0].end :]):
        return None
    if re.search(r"\w", re.sub(r"\\\w+", "", text[last.end() : behind[0].start])):
        return None
    others = [m for m in signs[:-1]]
    clauses = clauses_of(text)
    clause_starts = [a for a, b in clauses if a <= last.start() < b]
    elsewhere = [m for m in others if clause_starts and m.start() < clause_starts[0]]
    left = text[clause_starts[0] if clause_starts else 0 : last.start()]
    if elsewhere and not (_OPERATOR.search(left) or _is_solved(text, left)):
        return None
    return behind[0]


def _is_solved(text: str, left: str) -> bool:
    """Return True if an equation is one of a variable alone, behind a calculation."""
    before = text[: text.rfind(left)]
    return bool(
        _VARIABLE.fullmatch(left) and re.search(rf"[+*/{TIMES}{DIVIDED}{MIDDLE_DOT}]", before)
    )


_VARIABLE = re.compile(r"\s*(?:\w+\s)?[^\W\d]\w?\s*")
"""The left side of an equation in a last clause: "so c"."""
_MOST_NUMBERS = 80
_EQUALS = re.compile(rf"[={ABOUT}]")
_OPERATOR = re.compile(rf"[+{TIMES}{DIVIDED}*/{MIDDLE_DOT}=]|\d\s?-\s?\d|\s[x-]\s")


_PERCENT_ASKED = re.compile(expressions("percent"), re.IGNORECASE)
_NOTHING_BUT = re.compile(expressions("nothing_but"), re.IGNORECASE)
