"""Search with long expressions by their beginnings: the same matches in less time.

The expressions of all languages together have hundreds of branches, and `re` tries them at every
letter of a reply. A match can begin only at one of its beginnings ("ans", "die"), so a `Scanner`
looks these up among the words of the text, and tries only the languages with this beginning there.
The words of a text are listed once for all scanners.

The beginnings are read from the parsed expressions, in lower case and with a space for all white
space. Expressions are tried everywhere if their beginnings cannot be read (`[^,]+ is`), and in a
text with one of the few letters that `re` compares with another letter than their lower case.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from gfactor.scoring.extraction.beginnings import (
    BOUNDARY,
    WORD_LETTER,
    Beginning,
    any_of,
    beginnings_of,
)

_KEY = 3
"""Number of letters by which a word is looked up."""

_UNUSUAL = re.compile("[\u0130\u0131\u017f\u1e9e\u212a\u212b\u2c7e\u2c7f]")
"""Letters that `re` matches with others than their lower case, or whose lower case is in
`LETTER`."""
WORD = re.compile(rf"[{WORD_LETTER}]+")
_SPACE = re.compile(r"[^\S ]")

_ESCAPED = re.compile(r"\\u[0-9A-Fa-f]{4}|\\.|\(\?P|[A-Z]", re.DOTALL)
_ODD_RANGE = re.compile(r"[^A-Z]-[A-Z]|[A-Z]-[^A-Z]")


class Alternative:
    """One of the alternatives of a scanner, with its beginnings."""

    def __init__(self, expression: str, flags: int) -> None:
        self.expression = expression
        self.flags = flags

    @cached_property
    def match(self) -> Callable[..., re.Match[str] | None]:
        """Match of the part at a position of the text."""
        return re.compile(self.expression, self.flags).match

    @cached_property
    def lowered_match(self) -> Callable[..., re.Match[str] | None] | None:
        """Match in a lower-case ASCII text wherever `match` matches in the text; None if unknown.

        It takes a fraction of the time: `re` compares the first letter of an alternative before it
        enters it, unless case is ignored.
        """
        expression = self.expression
        if not expression.startswith("(?i:") or "(?-i" in expression:
            return None
        if _ODD_RANGE.search(expression):
            return None
        small = _ESCAPED.sub(lambda m: m[0].lower() if len(m[0]) == 1 else m[0], expression)
        return re.compile(small.replace("(?i:", "(?:"), self.flags).match

    @cached_property
    def beginnings(self) -> set[Beginning] | None:
        """Beginnings of all matches; None if they cannot be determined."""
        return beginnings_of(self.expression, self.flags)

    @cached_property
    def begins(self) -> Callable[..., re.Match[str] | None]:
        """Match of a beginning at a position of the text in lower case."""
        return re.compile(any_of(self.beginnings or set())).match


@cache
def part_of(expression: str, flags: int) -> Alternative:
    """Return a part, which scanners with the same expression share."""
    return Alternative(expression, flags)


class Lowered:
    """A text in lower case with a space for each white space, and where its words begin.

    Parameters
    ----------
    text: the text, without unusual letters.
    """

    def __init__(self, text: str) -> None:
        self.with_lines = text.lower()
        self.text = _SPACE.sub(" ", self.with_lines)
        self.is_ascii = text.isascii()

    @cached_property
    def words(self) -> dict[str, list[int]]:
        """Map the first letters of words (one, two and three of them) to the words' positions."""
        text, words = self.text, {}
        for match in WORD.finditer(text):
            start = match.start()
            for end in range(start + 1, start + 1 + _KEY):
                words.setdefault(text[start:end], []).append(start)
        return words


@lru_cache(maxsize=8)
def lower_case(text: str) -> Lowered | None:
    """Return the text in lower case; None if it has an unusual letter."""
    return Lowered(text) if text.isascii() or not _UNUSUAL.search(text) else None


@dataclass(frozen=True)
class _Starts:
    """Places in a text where the parts of a scanner can begin.

    Parameters
    ----------
    words: the numbers of the parts that begin with a word that has these first letters.
    elsewhere: all other beginnings.
    others: numbers of the parts with other beginnings.
    """

    words: dict[str, tuple[int, ...]]
    elsewhere: set[Beginning]
    others: tuple[int, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str] | None:
        """Pattern of the other beginnings, None if there are none."""
        return re.compile(any_of(self.elsewhere)) if self.elsewhere else None

    @cached_property
    def ascii_pattern(self) -> re.Pattern[str] | None:
        """The same for a text of ASCII characters; most texts need this smaller one alone."""
        ascii_ones = {tokens for tokens in self.elsewhere if all(map(_is_ascii, tokens))}
        return re.compile(any_of(ascii_ones)) if ascii_ones else None


class Scanner:
    """A compiled alternation with the methods of `re.Pattern`, faster on long texts.

    Parameters
    ----------
    *parts : str
        Regular expressions; at every position the first one that matches counts.
    flags : re.RegexFlag
        Flags of all of them.

    Examples
    --------
    >>> scanner = Scanner("the answer is", "therefore", flags=re.IGNORECASE)
    >>> [match[0] for match in scanner.finditer("Therefore I think the answer is B.")]
    ['Therefore', 'the answer is']
    """

    def __init__(self, *parts: str, flags: int = 0) -> None:
        self._parts = [part_of(part, flags) for part in parts]
        self._flags = flags

    @cached_property
    def whole(self) -> re.Pattern[str]:
        """All parts as one pattern."""
        return re.compile("|".join(part.expression for part in self._parts), self._flags)

    @cached_property
    def _starts(self) -> _Starts | None:
        """Possible beginnings of matches; None if the expressions do not determine them."""
        words: dict[str, dict[int, None]] = {}
        elsewhere: set[Beginning] = set()
        others: dict[int, None] = {}
        for number, part in enumerate(self._parts):
            if part.beginnings is None:
                return None
            for tokens in part.beginnings:
                key = _key(tokens)
                if key is not None:
                    words.setdefault(key, {})[number] = None
                else:
                    elsewhere.add(tokens)
                    others[number] = None
        by_word = {key: tuple(numbers) for key, numbers in words.items()}
        return _Starts(by_word, elsewhere, tuple(others))

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Match at a position, as `re.Pattern.match` does."""
        lowered = lower_case(text) if self._starts else None
        if self._starts is None or lowered is None:
            return self.whole.match(text, start)
        for part in self._parts:
            if part.begins(lowered.text, start) and (match := part.match(text, start)):
                return match
        return None

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Match a whole text, as `re.Pattern.fullmatch` does."""
        return self.whole.fullmatch(text)

    def finditer(
        self, text: str, start: int = 0, end: int = sys.maxsize
    ) -> Iterator[re.Match[str]]:
        """Iterate over the matches, as `re.Pattern.finditer` does."""
        lowered = lower_case(text) if self._starts else None
        if self._starts is None or lowered is None:
            return self.whole.finditer(text, start, end)
        positions = self._positions(self._starts, lowered, start, end)
        return self._matches(positions, text, lowered.text, start, end) if positions else iter(())

    def _positions(
        self, starts: _Starts, lowered: Lowered, start: int, end: int
    ) -> dict[int, tuple[int, ...]]:
        """Return the positions at which parts may begin, with the numbers of these."""
        positions: dict[int, tuple[int, ...]] = {}
        for key in starts.words.keys() & lowered.words.keys():
            words = lowered.words[key]
            if start or end < len(lowered.text):
                words = words[bisect_left(words, start) : bisect_left(words, end)]
            numbers = starts.words[key]
            for position in words:
                positions[position] = positions.get(position, ()) + numbers
        elsewhere = starts.ascii_pattern if lowered.is_ascii else starts.pattern
        if elsewhere is not None:
            for match in elsewhere.finditer(lowered.text, start, end):
                positions[match.start()] = positions.get(match.start(), ()) + starts.others
        return positions

    def _matches(
        self, positions: dict[int, tuple[int, ...]], text: str, low: str, start: int, end: int
    ) -> Iterator[re.Match[str]]:
        for at in sorted(positions):
            if at < start:
                continue
            for number in sorted(positions[at]):
                part = self._parts[number]
                if part.begins(low, at, end) and (match := part.match(text, at, end)):
                    yield match
                    start = match.end()
                    break

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match, as `re.Pattern.search` does."""
        return next(self.finditer(text, start, end), None)

    def sub(self, new: Callable[[re.Match[str]], str], text: str) -> str:
        """Return the text with every match replaced, as `re.Pattern.sub` does."""
        parts: list[str] = []
        behind = 0
        for match in self.finditer(text):
            parts += [text[behind : match.start()], new(match)]
            behind = match.end()
        return "".join([*parts, text[behind:]]) if parts else text


def _key(tokens: Beginning) -> str | None:
    """Return the letters by which a beginning is looked up among the words; None if it is none."""
    if tokens[0] != BOUNDARY:
        return None
    letters = ""
    for token in tokens[1 : 1 + _KEY]:
        if len(token) > 2 or (len(token) == 2 and token[1].isalnum()):
            break
        letters += token[-1]
    return letters if letters and WORD.match(letters) else None


def _is_ascii(token: str) -> bool:
    """Return True if a token can match an ASCII character."""
    return token.isascii() or (
        token[0] == "[" and any(c.isascii() for c in token[1:-1] if c != "-")
    )
