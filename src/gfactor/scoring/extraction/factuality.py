"""Factuality of sentences: denied, conditional, a question, or reported as a mistake."""

from __future__ import annotations

import bisect
import re
from functools import lru_cache
from itertools import pairwise
from typing import Protocol

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.candidates import ReadLabels
from gfactor.scoring.extraction.markers import COMMA, LATIN, STOP, each, expressions, finder
from gfactor.scoring.extraction.signs import EM_DASH


class PlacedText(Protocol):
    """Part of a text with its beginning and with the position of its answer."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def value(self) -> ReadLabels: ...


class Sentences:
    """Beginnings and ends of the sentences and clauses of a text."""

    _END = re.compile(rf"[.!?](?=[\s\"')\]]|$)|[{STOP}!?\n]|\.\.\.")
    _CLAUSE = re.compile(
        rf"[.!?,;:](?=[\s\"')\]]|$)|[{STOP}!?;,{COMMA}:\n{EM_DASH}]|\.\.\."
        rf"|\s(?={expressions('clause_begins')} )|{expressions('clause_edge')}"
    )

    def __init__(self, text: str) -> None:
        self.text = text
        self._harmless = [words for words, sign in _NO_DENIALS if sign.search(text[:2000])]
        self._ends = [m.end() for m in self._END.finditer(text)]
        self._clauses = [m.end() for m in self._CLAUSE.finditer(text)]

    def clause_before(self, at: int) -> str:
        """Return the beginning of the clause in which `at` lies, at most 120 characters."""
        k = bisect.bisect_right(self._clauses, at)
        start = self._clauses[k - 1] if k else 0
        clause = self.text[max(start, at - 120) : at]
        return self.affirmed(clause)

    def affirmed(self, words: str) -> str:
        """Return the words without those that only look like negations and are none in the text's
        language."""
        for pattern in self._harmless:
            words = pattern.sub(" ", words)
        return words

    def sentence_before(self, at: int) -> str:
        """Return the beginning of the sentence in which `at` lies, at most 240 characters."""
        k = bisect.bisect_right(self._ends, at)
        start = self._ends[k - 1] if k else 0
        return self.text[start:at] if at - start <= 240 else ""

    def is_asked(self, at: int) -> bool:
        """Return True if the sentence in which `at` lies is a question."""
        k = bisect.bisect_left(self._ends, max(at, 1))
        end = self._ends[k] if k < len(self._ends) else len(self.text)
        sentence = self.text[max(at, end - 12) : end].rstrip()
        return sentence.endswith("?") or bool(_QUESTION_END.search(sentence))


@lru_cache(maxsize=8)
def sentences_of(text: str) -> Sentences:
    """Return the sentences of a text; the last results are cached, because every rule needs
    them."""
    return Sentences(text)


_NO_DENIALS = tuple(
    (re.compile(words, re.IGNORECASE), re.compile(sign, re.IGNORECASE))
    for words, sign in each("no_denial", "recognized")
)
_QUESTION_END = re.compile(expressions("question_end"))


SENTENCE_ENDS = re.compile(rf"[.!?](?=\s)|[{STOP}!?\n]")
HEDGE = re.compile(expressions("hedge"), re.IGNORECASE)
NEGATION = re.compile(expressions("negation"), re.IGNORECASE)


def last_sentence(text: str) -> int:
    """Return where the last sentence of a text begins; 0 if it is the only one."""
    ends = [match.end() for match in SENTENCE_ENDS.finditer(text.rstrip()[:-1])]
    return ends[-1] if ends else 0


def sentences_in(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of a text that have words begin and end."""
    ends = [0, *(match.end() for match in SENTENCE_ENDS.finditer(text)), len(text)]
    return [(a, b) for a, b in pairwise(ends) if re.search(r"\w", text[a:b])]


def is_real(claim: PlacedText, sentences: Sentences) -> bool:
    """Return True if a claim is not denied, conditional, a question, or reported as a mistake."""
    before = sentences.clause_before(claim.start)
    if finder("unreal").search(before) or sentences.is_asked(claim.end):
        return False
    before = sentences.sentence_before(claim.start)
    if _CLAIMED.search(before):
        return False
    trap = _TRAP.search(before)
    if trap and not _TURNED.search(before, trap.end()) and not _is_named_trap(before, trap):
        return False
    if _SAID_WRONG.match(sentences.text, claim.end - (sentences.text[claim.end - 1] in "\"'")):
        return False
    if _WAS.search(sentences.text, claim.start, claim.value.start) and _ELSEWHERE.search(
        before + sentences.text[claim.end : claim.end + 60]
    ):
        return False
    if REJECTED.search(sentences.text, claim.start, claim.value.start):
        return False
    if _SAID_BY.match(sentences.text, claim.end):
        return False
    if _CHOOSING.match(sentences.text, claim.start) and _WOULD.match(sentences.text, claim.end):
        return False
    if is_supposed(before + sentences.text[claim.start : claim.value.start]):
        return False
    return not is_conditional(sentences.text, claim.end)


def is_supposed(before: str) -> bool:
    """Return True if a sentence begins with a condition, from which nothing is concluded."""
    supposed = _SUPPOSED.match(before)
    return bool(supposed and not _DRAWN.search(before, supposed.end()))


def _is_named_trap(before: str, trap: re.Match[str]) -> bool:
    """Return True if the option that is called a trap stands before the word, and a new clause
    after it: "Many would mark A, but that is a trap: it is B"."""
    labels = (m for m in _A_LABEL.finditer(before) if m.start() < trap.start())
    return any(labels) and bool(_NEW_CLAUSE.match(before, trap.end()))


_A_LABEL = re.compile(rf"(?<![{LATIN}])[A-J](?![{LATIN}'])(?!\s[a-z\u00df-\u024f])")
_NEW_CLAUSE = re.compile(rf"[^\W\d_]{{0,4}}\s*[,;:{COMMA}{EM_DASH}]|[^\W\d_]{{0,4}}\s-\s")


def is_conditional(text: str, end: int) -> bool:
    """Return True if a condition follows at `end`: "B, if the rows are read downwards"."""
    return bool(_CONDITION.match(text, end))


_CLAIMED = re.compile(rf"{expressions('claimed')}[\s:,\"'(]*$", re.IGNORECASE)
"""Words before a claim with which somebody else makes it: "a student claims (that)"."""
_WAS = re.compile(expressions("was"), re.IGNORECASE)
_ELSEWHERE = re.compile(expressions("elsewhere"), re.IGNORECASE)
"""Pattern of the answer to another question: "for question 1 the answer was B"."""
_TURNED = re.compile(
    rf"(?<![{LATIN}])[A-J]{{1,5}}(?![{LATIN}'])[^,;:.]{{0,40}}(?:[,;:{EM_DASH}]|{expressions('turns')})"
)
"""A new clause after a mistake that names its label: "the common mistake is C; it is D"."""
_SAID_BY = lazy_pattern(rf"[,.!]?\s?[\"']\s?,?\s?{expressions('said_by')}", re.IGNORECASE)
"""The speaker of a claim in quotes, after it: '"It is B," says the student'."""
_CHOOSING = re.compile(expressions("choosing"), re.IGNORECASE)
_WOULD = re.compile(expressions("would"), re.IGNORECASE)
"""Statements about a choice that is not made: "choosing A would be hasty"."""
_SAID_WRONG = re.compile(rf"\s?[\"']\s?{expressions('said_wrong')}", re.IGNORECASE)
"""Words after a claim in quotes which say that it is wrong."""
_DRAWN = re.compile(expressions("drawn"), re.IGNORECASE)
_SUPPOSED = re.compile(
    rf"[\s\"'(]*(?:{expressions('supposed_before')}\s*)?{expressions('supposed')}",
    re.IGNORECASE,
)
"""A sentence that begins with a condition; "if you look closely" is not one."""


_NOT_BY = "".join(f"(?<!{way})" for (ways,) in each("by_way_of") for way in ways.split("|"))
REJECTED = re.compile(
    rf"\b{_NOT_BY}{expressions('rejected')}|{expressions('joined_rejected')}", re.IGNORECASE
)
"""Words of rejection inside an announcement: "the option that I eliminated is"."""

_TRAP = re.compile(expressions("trap"), re.IGNORECASE)
_CONDITION = re.compile(
    rf"{expressions('joined_condition')}|[)\]}}\"']*\s*,?\s*{expressions('condition')}\b",
    re.IGNORECASE,
)
