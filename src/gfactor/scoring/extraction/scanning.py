"""Search with long expressions by their beginnings: the same matches in a part of the time.

The expressions of all languages together have hundreds of branches, and `re` tries them at every
letter of a reply. A match can begin only if one of its beginnings stands ("ans", "die"), so a
`Scanner` looks these up among the words of the text, and tries there only the languages that begin
so. The words of a text are listed once for all scanners.

The beginnings are read from the parsed expressions, in lower case and with a space for all white
space. Expressions are tried everywhere if their beginnings cannot be read (`[^,]+ is`), and in a
text with one of the few letters whose lower case is not what `re` compares.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

from gfactor.scoring.extraction.beginnings import (
    BOUNDARY,
    LONGEST_BEGINNING,
    WORD_LETTER,
    Beginning,
    any_of,
    beginnings_of,
)

_KEY = 3
"""Letters of a word by which it is looked up."""

_MOST_WORDS = 20_000
"""Words of replies whose parts are stored."""

_UNUSUAL = re.compile("[\u0130\u0131\u017f\u1e9e\u212a\u212b\u2c7e\u2c7f]")
"""Letters that `re` takes for others than their lower case, or that become a letter of `LETTER`."""
_WORD = re.compile(rf"[{WORD_LETTER}]+")
_SPACE = re.compile(r"[^\S ]")

_ESCAPED = re.compile(r"\\u[0-9A-Fa-f]{4}|\\.|\(\?P|[A-Z]", re.DOTALL)
_ODD_RANGE = re.compile(r"[^A-Z]-[A-Z]|[A-Z]-[^A-Z]")


class _Part:
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

        It takes a fraction of the time: `re` compares the first letter of an alternative before
        it enters it, but not where case is ignored.
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
        """Beginnings of all matches; None if they cannot be told."""
        return beginnings_of(self.expression, self.flags)

    @cached_property
    def begins(self) -> Callable[..., re.Match[str] | None]:
        """Match of a beginning at a position of the text in lower case."""
        return re.compile(any_of(self.beginnings or set())).match


@cache
def _part(expression: str, flags: int) -> _Part:
    """Return a part, which scanners with the same expression share."""
    return _Part(expression, flags)


class _Lowered:
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
        for match in _WORD.finditer(text):
            start = match.start()
            for end in range(start + 1, start + 1 + _KEY):
                words.setdefault(text[start:end], []).append(start)
        return words


@lru_cache(maxsize=8)
def _lowered(text: str) -> _Lowered | None:
    """Return the text in lower case; None if it has an unusual letter."""
    return _Lowered(text) if text.isascii() or not _UNUSUAL.search(text) else None


@dataclass(frozen=True)
class _Starts:
    """Places in a text where the parts of a scanner can begin.

    Parameters
    ----------
    words: the numbers of the parts that begin with a word that has these first letters.
    elsewhere: pattern of all other beginnings, None if there are none.
    elsewhere_ascii: the same for a text of ASCII characters.
    others: numbers of the parts with other beginnings.
    """

    words: dict[str, tuple[int, ...]]
    elsewhere: re.Pattern[str] | None
    elsewhere_ascii: re.Pattern[str] | None
    others: tuple[int, ...]


@dataclass
class _Node:
    """Beginnings of parts that share their first tokens.

    Parameters
    ----------
    following: the nodes by the next token.
    parts: numbers of the parts whose beginnings come through here.
    ended: numbers of the parts of which a beginning ends here.
    """

    following: dict[str, _Node] = field(default_factory=dict)
    parts: set[int] = field(default_factory=set)
    ended: set[int] = field(default_factory=set)

    def beginning_with(self, letters: str, *, ended: bool) -> set[int]:
        """Return the numbers of the parts that may go on with letters; `ended`, if a word ends
        behind these."""
        numbers = set(self.ended)
        for token, node in self.following.items():
            run = _RUN.fullmatch(token)
            if run is not None:
                numbers |= node._behind_run(run["one"], int(run["least"]), letters, ended=ended)
            elif not letters:
                numbers |= set() if ended and _is_letter(token) else node.parts
            elif token != BOUNDARY and _fits(token, letters[0]):
                numbers |= node.beginning_with(letters[1:], ended=ended)
        return numbers

    def _behind_run(self, one: str, least: int, letters: str, *, ended: bool) -> set[int]:
        """Return the numbers of the parts that may go on with a run that ends here."""
        numbers: set[int] = set()
        for length in range(len(letters) + 1):
            if length >= least:
                numbers |= self.beginning_with(letters[length:], ended=ended)
            if length == len(letters) and not (ended and _is_letter(one)):
                numbers |= self.parts
            if length < len(letters) and not _fits(one, letters[length]):
                break
        return numbers


def _is_letter(token: str) -> bool:
    """Return True if a token matches letters of words alone."""
    return token in (r"\w", r"\d") or bool(_WORD.fullmatch(token))


_RUN = re.compile(r"(?P<one>.{2,})\{(?P<least>\d+),\d*\}", re.DOTALL)
"""The rest of a run of a class, as `beginnings` writes it."""


@lru_cache(maxsize=100_000)
def _fits(token: str, letter: str) -> bool:
    return re.match(token, letter) is not None


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
        self._parts = [_part(part, flags) for part in parts]
        self._flags = flags
        self._by_word: dict[str, tuple[tuple[int, _Part], ...]] = {}

    @cached_property
    def whole(self) -> re.Pattern[str]:
        """All parts as one pattern."""
        return re.compile("|".join(part.expression for part in self._parts), self._flags)

    @cached_property
    def _starts(self) -> _Starts | None:
        """Possible beginnings of matches; None if the expressions do not determine them."""
        words: dict[str, dict[int, None]] = {}
        elsewhere: dict[Beginning, None] = {}
        others: dict[int, None] = {}
        for number, part in enumerate(self._parts):
            if part.beginnings is None:
                return None
            for tokens in part.beginnings:
                key = _key(tokens)
                if key is not None:
                    words.setdefault(key, {})[number] = None
                else:
                    elsewhere[tokens] = others[number] = None
        ascii_ones = {tokens for tokens in elsewhere if all(map(_is_ascii, tokens))}
        return _Starts(
            {key: tuple(numbers) for key, numbers in words.items()},
            re.compile(any_of(set(elsewhere))) if elsewhere else None,
            re.compile(any_of(ascii_ones)) if ascii_ones else None,
            tuple(others),
        )

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Match at a position, as `re.Pattern.match` does."""
        lowered = _lowered(text) if self._starts else None
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
        lowered = _lowered(text) if self._starts else None
        if self._starts is None or lowered is None:
            return self.whole.finditer(text, start, end)
        positions = self._positions(self._starts, lowered, start, end)
        return self._matches(positions, text, lowered.text, start, end) if positions else iter(())

    def _positions(
        self, starts: _Starts, lowered: _Lowered, start: int, end: int
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
        elsewhere = starts.elsewhere_ascii if lowered.is_ascii else starts.elsewhere
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

    def begins_in(self, text: str, end: int) -> bool:
        """Return True if a match begins in a word before `end`, even inside another match.

        Matches that begin outside words are not searched.
        """
        lowered = _lowered(text) if self._tree is not None else None
        if lowered is None:
            return any(self.whole.match(text, at) for at in range(end))
        low, small, is_ascii = lowered.text, lowered.with_lines, lowered.is_ascii
        stored = self._by_word.get
        for word in _WORD.finditer(low):
            start, word_end = word.span()
            if start >= end:
                break
            # With what follows a short word, fewer parts may begin than with the word alone.
            least = start + LONGEST_BEGINNING
            key = low[start : word_end if word_end > least else least]
            parts = stored(key)
            if parts is None:
                parts = self._store(key, word_end - start)
            for offset, part in parts:
                first = part.lowered_match if is_ascii else None
                if first is not None and not first(small, start + offset):
                    continue
                if part.match(text, start + offset):
                    return True
        return False

    def _store(self, letters: str, length: int) -> tuple[tuple[int, _Part], ...]:
        if len(self._by_word) >= _MOST_WORDS:
            self._by_word.clear()
        parts = self._by_word[letters] = self._parts_in(letters, length)
        return parts

    @cached_property
    def _tree(self) -> _Node | None:
        """The beginnings of all parts; None if they cannot be told."""
        tree = _Node()
        for number, part in enumerate(self._parts):
            if part.beginnings is None:
                return None
            for tokens in part.beginnings:
                node = tree
                for token in tokens:
                    node = node.following.setdefault(token, _Node())
                    node.parts.add(number)
                node.ended.add(number)
        return tree

    def _parts_in(self, letters: str, length: int) -> tuple[tuple[int, _Part], ...]:
        """Return where in a word of some length parts may begin, whatever follows the letters."""
        tree = self._tree or _Node()
        parts: list[tuple[int, _Part]] = []
        ended = len(letters) == length
        for offset in range(length):
            numbers = tree.beginning_with(letters[offset:], ended=ended)
            if offset == 0 and BOUNDARY in tree.following:
                numbers |= tree.following[BOUNDARY].beginning_with(letters, ended=ended)
            parts += ((offset, self._parts[number]) for number in sorted(numbers))
        return tuple(parts)

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
    return letters if letters and _WORD.match(letters) else None


def _is_ascii(token: str) -> bool:
    """Return True if a token can match an ASCII character."""
    return token.isascii() or (
        token[0] == "[" and any(c.isascii() for c in token[1:-1] if c != "-")
    )
