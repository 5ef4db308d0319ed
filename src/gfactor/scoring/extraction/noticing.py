"""Test whether one of many long expressions matches somewhere in the words of a text. The position
and the matching expression do not matter, so the expressions need no order: each alternative is a
separate part. A word with the letters after it, its "opening", determines which parts may match in
it. For most openings these are none; they are stored, so that a text of common words is looked up
and not searched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from gfactor.scoring.extraction.beginnings import BOUNDARY, WORD_LETTER, beginnings_of
from gfactor.scoring.extraction.markers import LATIN
from gfactor.scoring.extraction.scanning import WORD, Alternative, Lowered, lower_case, part_of

_LETTERS = 6
"""Number of letters of a short word's opening: enough for the first letters of the next word."""

_MOST_OPENINGS = 20_000
"""Largest number of openings whose parts are stored."""

_OPENING = re.compile(
    rf"(?=([{WORD_LETTER}]{{{_LETTERS},}}|[{WORD_LETTER}].{{0,{_LETTERS - 1}}}))[{WORD_LETTER}]+",
    re.DOTALL,
)
"""A word; its group is the word with the following letters, or a longer word alone."""

_NO_LETTER = rf"(?i:(?<![{LATIN}"
"""The start of an expression that cannot match behind a Latin letter."""
_LATIN_LETTER = re.compile(rf"[{LATIN}]")

_Alternatives = tuple[tuple[int, Alternative], ...]
"""Parts, each with the letter of an opening at which it may begin."""


class Noticer:
    """Expressions of which one may match in a text.

    Parameters
    ----------
    *expressions : str
        Regular expressions. The smaller they are, the better openings tell them apart.
    flags : re.RegexFlag
        Flags of all of them.

    Examples
    --------
    >>> noticer = Noticer("the answer is", "therefore", flags=re.IGNORECASE)
    >>> noticer.begins_in("Therefore I think", 17), noticer.begins_in("I think so", 10)
    (True, False)
    """

    def __init__(self, *expressions: str, flags: int = 0) -> None:
        self.parts = tuple(part_of(expression, flags) for expression in expressions)
        self._alternatives: dict[str, _Alternatives] = {}
        self._idle: set[str] = set()
        """Openings in which no part can begin."""

    def begins_in(self, text: str, end: int) -> bool:
        """Return True if a match begins in a word before `end`, inside another match too.

        Matches that begin outside the words are not looked for.
        """
        small = lower_case(text) if self._tree is not None else None
        if small is None:
            return any(part.match(text, at) for part in self.parts for at in range(end))
        end = _end_of_word(small.text, end)
        openings = set(_OPENING.findall(small.text, 0, end))
        return any(
            self._matches(opening, text, small, end)
            for opening in openings.difference(self._idle)
        )  # fmt: skip

    def _matches(self, opening: str, text: str, small: Lowered, end: int) -> bool:
        """Return True if a part matches where this opening stands before `end`."""
        alternatives = self._alternatives.get(opening)
        if alternatives is None:
            alternatives = self._store(opening)
        low, lines, is_ascii = small.text, small.with_lines, small.is_ascii
        at = low.find(opening, 0, end) if alternatives else -1
        while at >= 0:
            for offset, part in alternatives:
                first = part.lowered_match if is_ascii else None
                if first is not None and not first(lines, at + offset):
                    continue
                if part.match(text, at + offset):
                    return True
            at = low.find(opening, at + 1, end)
        return False

    def _store(self, opening: str) -> _Alternatives:
        if len(self._alternatives) >= _MOST_OPENINGS:
            self._alternatives.clear()
            self._idle.clear()
        alternatives = self._alternatives[opening] = self._alternatives_in(opening)
        if not alternatives:
            self._idle.add(opening)
        return alternatives

    def _alternatives_in(self, opening: str) -> _Alternatives:
        """Return the positions in the word of an opening at which parts may begin, with any text
        after it."""
        tree = self._tree or _Node()
        word = WORD.match(opening)
        length = word.end() if word else 0
        alternatives: list[tuple[int, Alternative]] = []
        ended = len(opening) == length
        for offset in range(length):
            numbers = tree.beginning_with(opening[offset:], ended=ended)
            if offset == 0 and BOUNDARY in tree.following:
                numbers |= tree.following[BOUNDARY].beginning_with(opening, ended=ended)
            behind_letter = offset > 0 and _LATIN_LETTER.match(opening, offset - 1) is not None
            alternatives += (
                (offset, self.parts[number])
                for number in sorted(numbers)
                if not (behind_letter and self.parts[number].expression.startswith(_NO_LETTER))
            )
        return tuple(alternatives)

    @cached_property
    def _tree(self) -> _Node | None:
        """The beginnings of all parts; None if they cannot be determined."""
        tree = _Node()
        for number, part in enumerate(self.parts):
            beginnings = beginnings_of(part.expression, part.flags, _LETTERS)
            if beginnings is None:
                return None
            for tokens in beginnings:
                tree.add(tokens, number)
        return tree


def _end_of_word(text: str, end: int) -> int:
    """Return the end of the word that reaches over `end`, or else `end` itself."""
    word = WORD.match(text, end - 1) if 0 < end < len(text) else None
    return word.end() if word else end


@dataclass
class _Node:
    """Beginnings of parts that share their first tokens.

    Parameters
    ----------
    following: the nodes by the next token.
    parts: numbers of the parts with a beginning that contains this node. ended: numbers of the
    parts with a beginning that ends here.
    """

    following: dict[str, _Node] = field(default_factory=dict)
    parts: set[int] = field(default_factory=set)
    ended: set[int] = field(default_factory=set)

    def add(self, tokens: Iterable[str], number: int) -> None:
        """Add a beginning of a part."""
        node = self
        for token in tokens:
            following = node.following.get(token)
            if following is None:
                following = node.following[token] = _Node()
            node = following
            node.parts.add(number)
        node.ended.add(number)

    def beginning_with(self, letters: str, *, ended: bool) -> set[int]:
        """Return the numbers of the parts that may go on with letters; `ended`, if a word ends
        behind these."""
        numbers = set(self.ended)
        for one, least, node in self._runs:
            numbers |= node._behind_run(one, least, letters, ended=ended)
        if not letters:
            return numbers.union(*self._next_parts[ended])
        for node in self._fitting(letters[0]):
            numbers |= node.beginning_with(letters[1:], ended=ended)
        return numbers

    @cached_property
    def _runs(self) -> list[tuple[str, int, _Node]]:
        """The rest of each run that may follow: its class, its least length, its node."""
        runs = ((_RUN.fullmatch(token), node) for token, node in self.following.items())
        return [(run["one"], int(run["least"]), node) for run, node in runs if run]

    @cached_property
    def _next_parts(self) -> tuple[list[set[int]], list[set[int]]]:
        """The parts of each node whose token may follow; then without tokens that go on a word."""
        following = [(t, node.parts) for t, node in self.following.items() if not _RUN.fullmatch(t)]
        every = [parts for _, parts in following]
        return every, [parts for token, parts in following if not _is_letter(token)]

    def _fitting(self, letter: str) -> tuple[_Node, ...]:
        """The nodes whose token matches a letter; found once for each letter."""
        nodes = self._by_letter.get(letter)
        if nodes is None:
            nodes = self._by_letter[letter] = tuple(
                node
                for token, node in self.following.items()
                if token != BOUNDARY and not _RUN.fullmatch(token) and _fits(token, letter)
            )
        return nodes

    @cached_property
    def _by_letter(self) -> dict[str, tuple[_Node, ...]]:
        return {}

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
    return token in (r"\w", r"\d") or bool(WORD.fullmatch(token))


_RUN = re.compile(r"(?P<one>.{2,})\{(?P<least>\d+),\d*\}", re.DOTALL)
"""The rest of a run of a class, as `beginnings` writes it."""


@lru_cache(maxsize=100_000)
def _fits(token: str, letter: str) -> bool:
    return re.match(token, letter) is not None
