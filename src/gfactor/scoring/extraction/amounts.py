"""The one number that a sentence states as a count or an amount, for an item with one blank.

"The pool is 5.0 m deep." states 5.0 m, and "There are 7 boats in the harbour." states 7. A sentence
with a second number, or one that denies, doubts, compares or rounds a count, states none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.blank_texts import DENIED, SENTENCE_END, TALK
from gfactor.scoring.extraction.factuality import HEDGE, NEGATION, Sentences
from gfactor.scoring.extraction.markers import (
    COMMA,
    LATIN,
    STOP,
    each,
    expressions,
    finder,
    joined,
    phrases,
)
from gfactor.scoring.extraction.signs import ABOUT, DEGREE, MINUS, SQUARE_CUBE

_LONGEST = 200
_IN_CAPITALS = re.compile(r"[A-Z]{3,} ")
"""Words of a sign, which is no sentence: "OPEN 24 HOURS"."""
_NUMBER = re.compile(
    rf"(?<![{LATIN}_.,])(?:(?<![\w)])[-+{MINUS}])?(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:/\d+)?"
)
_SCRIPT = re.compile(rf"[{joined('script')}]{{2}}")
_GLUED = re.compile(rf"[{LATIN}_]")
_COUNTS = lazy_pattern(expressions("count_sentence"), re.IGNORECASE)
_OPEN = lazy_pattern(expressions("count_open"), re.IGNORECASE)
_ALSO = lazy_pattern(rf"{expressions('also_counted')}|[,;{COMMA}]", re.IGNORECASE)
_COMPARED = lazy_pattern(expressions("compared"), re.IGNORECASE)
_ROUNDED = lazy_pattern(rf"(?:{expressions('approximately')}|[~{ABOUT}])\s*$", re.IGNORECASE)
_NO_TOTAL = lazy_pattern(
    rf"\s?{expressions('no_total')}|\s(?:\w+\s)?{phrases('option')}", re.IGNORECASE
)
"""Words right after a number with which it counts only a part: "7 more boats"."""
_ARTICLE = lazy_pattern(rf"(?<![{LATIN}])(?:{expressions('the')})\s*$", re.IGNORECASE)
_NUMBERED = lazy_pattern(
    rf"(?:{phrases('option')}|(?i:{expressions('number_word')})|[{joined('nth_sign')}#])\s*$"
)
"""Words before a number that names one of several: "figure 3"."""
_COUNTED = lazy_pattern(rf"{expressions('count_sentence')}\s*$", re.IGNORECASE)
_IS = lazy_pattern(
    rf"(?:{expressions('measures')}|[=:]|{expressions('of_amount')})\s*$",
    re.IGNORECASE,
)
"""Words before a number that ends its sentence: "is", "a depth of"."""
_BEHIND = lazy_pattern(
    rf"\s?(?:{expressions('dimension')})?(?:\s{expressions('behind_amount')}(?!\w)[^,;:\d]{{0,60}})?",
    re.IGNORECASE,
)
"""Words that may follow a number with its unit: "deep", "of water", "at this point"."""


@dataclass(frozen=True)
class _Amount:
    """The only number of a sentence, and the texts around it; `unit` is "" if none follows."""

    before: str
    number: str
    unit: str
    behind: str

    @property
    def written(self) -> str:
        """The number with its unit, as the reply writes them."""
        return self.number + self.unit

    @property
    def names_one_of_several(self) -> bool:
        """True of "figure 3", and of a last number after a noun: "the harbour 150"."""
        if _NUMBERED.search(self.before):
            return True
        if _COUNTED.search(self.before):
            return False
        if _ARTICLE.search(self.before):
            return True
        return not (self.unit or re.search(r"\w", self.behind) or _IS.search(self.before))


def amount_stated(text: str) -> str | None:
    """Return the number, with its unit, that a sentence states as an amount or as a count.

    Examples
    --------
    >>> amount_stated("The pool is 5.0 m deep."), amount_stated("There are 7 boats.")
    ('5.0 m', '7')
    >>> amount_stated("There are 7 boats and 3 buoys.") is None
    True
    """
    one = _only_amount(text)
    if one is None or one.names_one_of_several or "=" in text:
        return None
    if _IN_CAPITALS.match(one.before):
        return None
    if one.unit:
        return one.written if re.search(r"\w", one.before) and _ends(one.behind) else None
    begun = _COUNTS.search(one.before) or _COUNTS.search(one.behind)
    if begun is None or _ROUNDED.search(one.before) or _ALSO.search(one.behind):
        return None
    return one.number


def is_about_a_number(text: str) -> bool:
    """Return True if a text is a sentence about a number, which fills no blank.

    It counts ("There are 7 boats and 3 buoys"), denies a number, or is about one of several things
    ("Figure 3 shows a harbor").
    """
    numbers = list(_NUMBER.finditer(text))
    if not numbers:
        return False
    before, behind = text[: numbers[0].start()], text[numbers[0].end() :]
    if _COUNTS.match(text.lstrip()):
        return len(text.split()) > 2
    if _NUMBERED.search(before):
        return len(re.findall(r"\w+", behind)) > 1 or _SCRIPT.search(behind) is not None
    is_counted = len(text.split()) > 3 or _SCRIPT.match(text.strip())
    return bool(
        is_counted and len(numbers) == 1 and NEGATION.search(Sentences(text).affirmed(before))
    )


def without_dimension(text: str) -> str:
    """Return a number with its unit without what it measures: "5.0 m deep" is "5.0 m"."""
    match = _measured().fullmatch(text)
    return match["amount"] if match else text


def _only_amount(text: str) -> _Amount | None:
    """Return the amount of a text that is one sentence with one number and leaves no doubt."""
    text = text.strip()
    if len(text) > _LONGEST or "\n" in text:
        return None
    numbers = list(_NUMBER.finditer(text))
    if len(numbers) != 1:
        return None
    number = numbers[0]
    unit = unit_pattern().match(text, number.end())
    end = unit.end() if unit else number.end()
    before, behind = text[: number.start()], text[end:]
    if re.search(r"\d", before + behind) or not _is_sure(text, f"{before} _ {behind}"):
        return None
    if _NO_TOTAL.match(behind) or (unit is None and _GLUED.match(behind)):
        return None
    return _Amount(before, number[0], unit[0] if unit else "", behind.rstrip(f" .!{STOP}"))


def _is_sure(text: str, around: str) -> bool:
    """Return True if a text is one sentence that states something; `around` lacks its number."""
    if len([part for part in SENTENCE_END.split(text) if re.search(r"\w", part)]) > 1:
        return False
    begun = _COUNTS.match(around.lstrip())
    affirmed = Sentences(text).affirmed(around)
    before, number, behind = affirmed.partition(" _ ")
    affirmed = _ROUNDED.sub("", before) + number + behind
    return not (
        TALK.search(around.lstrip()[begun.end() :] if begun else around)
        or finder("declines").search(text)
        or any(doubt.search(affirmed) for doubt in (DENIED, HEDGE, NEGATION, _OPEN, _COMPARED))
    )


def _ends(behind: str) -> bool:
    return _BEHIND.fullmatch(behind) is not None


@cache
def unit_pattern() -> re.Pattern[str]:
    """Return the pattern of a unit after a number: a symbol or a name, a square, or a quotient."""
    symbols: set[str] = set()
    names: set[str] = set()
    for (texts,) in each("unit_names"):
        for symbol, spelled in (one.split("=") for one in texts.split(",")):
            symbols.add(symbol)
            names.update(spelled.split("/"))
    symbols = {one for one in symbols if "^" not in one and one not in names}
    words = sorted(names, key=len, reverse=True)
    spaced = "|".join(re.escape(one) for one in words if one[0] < "\u2e80")
    signs = "|".join(re.escape(one) for one in words if one[0] >= "\u2e80") or "(?!)"
    short = "|".join(sorted(map(re.escape, symbols), key=len, reverse=True))
    one = (
        rf"(?:(?:(?i:{spaced})|(?:{short})(?:[{SQUARE_CUBE}]|\^[23])?|{DEGREE}\s?[CF]?)(?![^\W\d_])"
        rf"|{signs}|%)"
    )
    return re.compile(rf"\s?{one}(?:(?:\s?/\s?|(?i:{expressions('per_unit')})){one})?")


@cache
def _measured() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<amount>{_NUMBER.pattern}{unit_pattern().pattern})\s?(?i:{expressions('dimension')})"
        rf"(?i:\s{expressions('behind_amount')}(?!\w)[^,;:\d]{{0,60}})?"
    )
