"""Option texts in place of labels: "the blue drum" for (B), "24" for (B) 24.

A text counts only if it is the whole text of one option, without cut words or numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import groupby

from gfactor.scoring.extraction.markers import COMMA, LATIN, LETTER, STOP, each, expressions, joined
from gfactor.scoring.extraction.normalize import clean, with_fractions
from gfactor.scoring.extraction.signs import (
    ANGLE,
    CIRCLED,
    COMMON_FRACTIONS,
    CROSSES,
    DEGREE,
    LOWERED,
    MINUS,
    RAISED,
    ROOT,
    SQUARE_CUBE,
    TICKS,
)
from gfactor.scoring.texts import comparable, with_plain_exponents

_ARTICLE = re.compile(rf"{expressions('any_article')}\s+|{expressions('elided')}", re.IGNORECASE)
_ARTICLE_BEFORE = re.compile(rf"(?<![{LATIN}])({expressions('article_before')}\s)$", re.IGNORECASE)
_EDGES = f" \t\n.,;:!?{STOP}{COMMA}'\"()[]"


_WORD = re.compile(rf"[{LATIN}]{{4,}}")
"""A word that an ending may follow."""


class OptionTexts:
    """The texts of an item's options, prepared for search.

    Parameters
    ----------
    options: label to text; empty texts and texts that two options share are never looked for.
    """

    def __init__(self, options: Mapping[str, str]) -> None:
        plain = {label: _plain(text) for label, text in options.items()}
        cased = {label: _plain(text, folded=False) for label, text in options.items()}
        self._folded = len(set(cased.values())) == len(set(plain.values()))
        plain = plain if self._folded else cased
        self.words = {w for text in options.values() for w in _WORD.findall(text.casefold())}
        shared = [text for text in plain.values() if list(plain.values()).count(text) == 1]
        self._label_of = {text: label for label, text in plain.items() if text and text in shared}
        self.synonyms = synonyms(self._label_of)
        self.truth = truth(self._label_of)
        normal = {label: self._normal(text) for label, text in options.items() if text}
        alone = list(normal.values())
        self._normal_of = {form: label for label, form in normal.items() if alone.count(form) == 1}
        self.number_of, self.unit, self.counts_things = _numbers(normal)
        self.plain_numbers = _plain_numbers(options)
        self.circled = any(c in CIRCLED for text in options.values() for c in text)

    def holds(self, number: str) -> bool:
        """Return True if a text of an option holds this number."""
        pattern = re.compile(rf"(?<!\d){number}(?!\d)")
        return any(pattern.search(text) for text in self._label_of)

    def whole(self, text: str) -> str | None:
        """Return the label of the option that equals `text`; None if there is none.

        Case, articles, marks at the ends and the spelling of formulas do not matter.
        """
        if len(text) >= 2000:
            return None
        bare = _plain(text, cleaned=True, folded=self._folded)
        label = self._label_of.get(bare) or self.synonyms.get(bare)
        if (
            label
            or len(text) > _LONGEST_FORMULA
            or not re.search(rf"[\d={ROOT}{DEGREE}\u0391-\u03c9\\^_{LOWERED}]", text)
        ):
            return label
        form = self._normal(text.strip(_EDGES.replace("(", "").replace(")", "")))
        value = _VALUE.fullmatch(form)
        for spelling in (form, value[1] if value else ""):
            if label := self._normal_of.get(spelling) or self.number_of.get(spelling):
                return label
        return None

    def _normal(self, text: str) -> str:
        """Return the normal form of a formula: lower case, unless options differ by case alone."""
        form = comparable(text)
        return form.casefold() if self._folded else form

    def at(self, text: str, start: int) -> tuple[str, int] | None:
        """Return the label and the end of the longest option text that begins at `start`."""
        if self.anywhere is None:
            return None
        article = _ARTICLE.match(text, start)
        for begin in (article.end() if article else start, start):
            match = self.anywhere.match(text, begin)
            label = (
                self._label_of.get(_plain(match[0], cleaned=True, folded=self._folded))
                if match
                else None
            )
            if match and label:
                return label, match.end()
        return None

    def mentions(self, text: str) -> list[tuple[str, int, int]]:
        """Return the positions of options' texts in `text`: label, start, end."""
        if self.anywhere is None:
            return []
        mentions = [
            (
                self._label_of.get(_plain(m[0], cleaned=True, folded=self._folded)),
                m.start(),
                m.end(),
            )
            for m in self.anywhere.finditer(text)
        ]
        return [(label, _with_article(text, start), end) for label, start, end in mentions if label]

    def may_stand_in(self, text: str) -> bool:
        """Return False if an ASCII text in lower case lacks a word of every option's text."""
        for words in self._words:
            for word in words:
                if word not in text:
                    break
            else:
                return True
        return False

    @cached_property
    def _words(self) -> list[list[str]]:
        """The words of each text that have one spelling alone."""
        return [_ONE_SPELLING.findall(text.lower()) for text in self._label_of]

    @cached_property
    def anywhere(self) -> re.Pattern[str] | None:
        """Pattern of any option's text; None if no option has one."""
        texts = sorted(self._label_of, key=len, reverse=True)
        if not texts:
            return None
        flags = re.IGNORECASE if self._folded else 0
        # Neighbors with the same bounds share them: a class of letters takes long to compile.
        parts = (
            f"{before}(?:{'|'.join(_body(text) for text in group)}){after}"
            for (before, after), group in groupby(texts, _bounds)
        )
        return re.compile("|".join(parts), flags)


@lru_cache(maxsize=256)
def option_texts(options: tuple[tuple[str, str], ...]) -> OptionTexts:
    """Return the texts of options (label and text), prepared for search.

    The last results are cached, because replies to an item are read one after the other.
    """
    return OptionTexts(dict(options))


def _numbers(normal: Mapping[str, str]) -> tuple[dict[str, str], str, bool]:
    """Return labels by number, their one unit, and whether it is a thing; empty if they differ."""
    parts = {label: _MEASURE.fullmatch(form) for label, form in normal.items()}
    numbers = {m[1]: label for label, m in parts.items() if m}
    units = {(m[2] or m[3].removesuffix("s").strip()) for m in parts.values() if m}
    counts = any(m and m[3] for m in parts.values())
    is_one = len(numbers) == len(normal) and len(units) == 1
    return (numbers, units.pop(), counts) if is_one else ({}, "", False)


def _plain_numbers(options: Mapping[str, str]) -> dict[Fraction, str]:
    """Return label by number if every option is a number without a unit; else nothing."""
    plain = {label: text.strip().replace(",", ".") for label, text in options.items()}
    if not all(_PLAIN_NUMBER.fullmatch(text) for text in plain.values()):
        return {}
    numbers = {Fraction(text): label for label, text in plain.items()}
    return numbers if len(numbers) == len(options) else {}


_PLAIN_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,6}|/[1-9]\d{0,5})?")
_UNIT = (
    rf"(?:{DEGREE}c?|%|[mck\u03bcn]?m|[mk]?g|m?s|min|h|n|j|w|kw|v|a|k|m?l|hz|k?pa|\u03c9|mol|rad|[yd])"
    r"(?:\^\(\d\))?"
)
_THINGS = r"\s?(?!sin|cos|tan|log|exp|sqrt)[a-z\u00df-\u024f]{3,15}|\s?[\u0600-\uffdc]{1,6}"
_MEASURE = re.compile(rf"(-?\d+(?:[.,/]\d+)?)(?:({_UNIT}(?:[/*]{_UNIT})?)|({_THINGS}))")
_VALUE = re.compile(
    rf"(?:[^\W\d_](?:\d|_\([^()]*\)|\([^()]*\))?|{ANGLE}[A-Za-z]{{1,3}}|\\?[a-z]{{2,5}})=([^=]+)"
)
_LONGEST_FORMULA = 120


def _with_article(text: str, start: int) -> int:
    """Return the start of the article before an option's text ("A Lucky Find"), no label."""
    article = _ARTICLE_BEFORE.search(text, max(0, start - 5), start)
    return article.start(1) if article else start


def _plain(text: str, *, cleaned: bool = False, folded: bool = True) -> str:
    """A text for comparison: cleaned, in lower case, single spaces, no article, bare ends."""
    prose = text if cleaned else with_fractions(clean(text).prose).text
    joined = " ".join(with_plain_exponents(prose).split())
    joined = _LOWERED.sub(lambda m: m[0].translate(_PLAIN), joined)
    joined = _DEGREES.sub(DEGREE, joined.casefold() if folded else joined)
    joined = _NUMBER.sub(_number, joined).strip(_EDGES)
    return _ARTICLE.sub("", joined, count=1) if _ARTICLE.match(joined) else joined


_LOWERED = re.compile(rf"(?<=[A-Za-z)])(?<!log)(?<!lg)[{LOWERED}]+")
_PLAIN = str.maketrans(LOWERED, "0123456789")
_DEGREES = re.compile(rf"(?<=\d)\s?{expressions('degrees')}(?![^\W\d_])", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,/^])(\d{1,3}(?:,\d{3})+|\d*)(?:[.,](\d+))?(?![\w/^]|[.,]\d)")


def _number(match: re.Match[str]) -> str:
    """The standard spelling of a number: 2.5 for 2.50 and 2,5, 0.5 for .5, 1000 for 1,000."""
    if not match[0]:
        return ""
    whole, part = match[1].replace(",", "") or "0", (match[2] or "").rstrip("0")
    return f"{whole}.{part}" if part else whole


_DOUBLE_S = expressions("double_s")
_WORD_SCRIPT = joined("word_script") or "a"


def _body(text: str) -> str:
    """An expression for the words of a text in any of their spellings."""
    return r"\s+".join(_spellings(word) for word in text.split())


def _bounds(text: str) -> tuple[str, str]:
    """Return the assertions before and after a text that is no part of longer words or numbers."""
    before = after = ""
    if re.match(rf"[{LETTER}]", text):
        before = rf"(?<![{LETTER}])(?<!\d[.,])" + (
            rf"(?<![-{MINUS}^])" if text[0].isdigit() else ""
        )
        before += rf"(?<![\s=({MINUS}-]\.)(?<!^\.)" if text[0].isdigit() else ""
        before += f"(?<!{ROOT})" if text[0].isdigit() else ""
    elif re.match(rf"[{ROOT}\u0391-\u03c9]", text):
        before = rf"(?<![{LETTER}\u0391-\u03c9{ROOT}])"
    elif re.match(rf"[{_WORD_SCRIPT}]", text):
        before = rf"(?<![{_WORD_SCRIPT}])"
    if re.search(rf"[{LETTER}]$", text):
        after = (
            rf"(?![{LETTER}]|[.,]\d"
            + (
                rf"|\s?[%{DEGREE}/]|[{SQUARE_CUBE}^{COMMON_FRACTIONS}{ROOT}\u0391-\u03c9{LOWERED}]|\s?{expressions('degree_stem')}"
                if text[-1].isdigit()
                else ""
            )
            + ")"
        )
    elif re.search(r"[\u0391-\u03c9]$", text):
        after = rf"(?![{LETTER}\u0391-\u03c9/^])"
    return before, after


_ONE_SPELLING = re.compile(r"(?<!\S)[a-z]+(?!\S)")
"""A word that `_spellings` leaves as it is."""


def _spellings(word: str) -> str:
    """An expression for a word; for a number, its other spellings too."""
    number = re.fullmatch(r"(-?\d+)(?:\.(\d+))?", word)
    if number is None:
        exponent = re.sub(
            r"\\\^(\d+)",
            lambda m: f"(?:\\^{{?{m[1]}}}?|{m[1].translate(_RAISED)})",
            re.escape(word).replace("s" * 2, _DOUBLE_S),
        )
        exponent = re.sub(
            r"(?<=[A-Za-z)])[0-9]",
            lambda m: f"[{m[0]}{chr(0x2080 + int(m[0]))}]",
            exponent,
        )
        return exponent.replace(DEGREE, rf"\s?(?:{DEGREE}|{expressions('degrees')})")
    whole, part = number[1], number[2]
    if part is None:
        grouped = rf"{whole[:-3]},?{whole[-3:]}" if 3 < len(whole) < 7 else whole
        return rf"{grouped}(?:\.0{{1,9}}(?!\d))?"
    return rf"{'0?' if whole == '0' else '-0?' if whole == '-0' else whole}[.,]{part}0*"


_RAISED = str.maketrans("0123456789", RAISED)


def _texts(kind: str, *more: str) -> frozenset[str]:
    """Return all languages' texts of one kind, and further ones."""
    return frozenset(text for texts in each(kind) for text in texts[0].split("/")) | set(more)


_TRUE = _texts("true_texts", *TICKS)
_FALSE = _texts("false_texts", *CROSSES)
_YES = _texts("yes_texts")
_NO = _texts("no_texts")

_PAIRS = ((_TRUE, _FALSE), (_FALSE, _TRUE), (_YES, _NO), (_NO, _YES))


def synonyms(label_of: Mapping[str, str]) -> dict[str, str]:
    """Return further texts (in lower case) of an item with two options, one the opposite of the
    other: those of "yes" and "true", and those of "no" and "false", and the first letters.

    Parameters
    ----------
    label_of: text (in lower case) to label, for each option.
    """
    if len(label_of) != 2:
        return {}
    first, second = label_of
    one, other = label_of.values()
    for affirmed, denied in ((first, second), (second, first)):
        is_truth = affirmed in _TRUE and denied in _FALSE
        if not is_truth and not (affirmed in _YES and denied in _NO):
            continue
        words = [(_TRUE, _FALSE), (_YES, _NO)][:: 1 if is_truth else -1]
        further: dict[str, str] = {}
        for right, wrong in words:
            for_right = dict.fromkeys(right - wrong, label_of[affirmed])
            further = for_right | dict.fromkeys(wrong - right, label_of[denied]) | further
        letters = {affirmed[0]: label_of[affirmed], denied[0]: label_of[denied]}
        labels = {one.casefold(), other.casefold()}
        is_told = len(letters) == 2 and not labels & letters.keys()
        return (letters if is_told else {}) | further
    return {}


def truth(label_of: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the labels of "true" and "false" if an item's two options have this meaning."""
    if len(label_of) != 2:
        return None
    first, second = label_of
    true, false = _PAIRS[0]
    if first in true and second in false:
        return label_of[first], label_of[second]
    if first in false and second in true:
        return label_of[second], label_of[first]
    return None
