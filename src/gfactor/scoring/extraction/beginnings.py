"""Beginnings of the matches of an expression, read from its parsed form.

A beginning is a short sequence of characters and classes, in lower case and with a space for all
white space; every match starts with one of them. Parts that cannot be determined make a beginning
shorter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby, takewhile
from re import _constants as codes  # pyright: ignore[reportAttributeAccessIssue]
from re import _parser  # pyright: ignore[reportAttributeAccessIssue]
from typing import Any

_LONGEST = 5
"""Largest number of tokens in a beginning, by default."""
_MOST = 600
"""Largest number of beginnings of a part; if there are more, shorter ones are taken."""
_WIDEST = 30
"""Largest number of characters of a class that are written out one by one."""

WORD_LETTER = r"A-Za-z\u00c0-\u024f0-9_"
BOUNDARY = rf"(?<![{WORD_LETTER}])"
"""The assertion that a word begins; beginnings contain no other assertion."""

Beginning = tuple[str, ...]
"""Tokens, the first an expression for one character; a boundary may stand before it."""
_Beginnings = dict[tuple[Beginning, bool], None]
"""Beginnings, each with True if the next items may follow it, or False if it was cut."""


class _UnreadableError(Exception):
    """The beginnings of an expression are too many."""


def beginnings_of(expression: str, flags: int, longest: int = _LONGEST) -> set[Beginning] | None:
    """Return the possible beginnings of matches; None if they are unknown or a match may be empty.

    Parameters
    ----------
    expression: regular expression.
    flags: its flags.
    longest: largest number of characters in a beginning.

    Returns
    -------
    set: beginnings as long as their number allows.
    """
    tree = _parser.parse(expression, flags)
    for length in range(longest, 0, -1):
        try:
            beginnings = {tokens for tokens, _ in _sequence(tree, length)}
        except _UnreadableError:
            continue
        return beginnings if all(map(without_boundary, beginnings)) else None
    return None


def _sequence(items: Iterable[Any], length: int) -> _Beginnings:
    """Return the beginnings of a sequence of parsed items."""
    beginnings: _Beginnings = {((), True): None}
    for code, value in _with_runs(items):
        if not any(goes_on for _, goes_on in beginnings):
            break
        if (
            code is codes.ASSERT
            and value[0] > 0
            and all(without_boundary(tokens) for tokens, _ in beginnings)
        ):
            following = {(tokens, False): None for tokens, _ in _sequence(value[1], length)}
        else:
            following = _item(code, value, length)
        beginnings = _followed(beginnings, following, length)
    return beginnings


def _with_runs(items: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
    """Yield parsed items; literals that stand together are one item, a tuple of their codes."""
    for is_literal, run in groupby(items, key=lambda item: item[0] is codes.LITERAL):
        if is_literal:
            yield codes.LITERAL, tuple(value for _, value in run)
        else:
            yield from run


def _followed(beginnings: _Beginnings, following: _Beginnings, length: int) -> _Beginnings:
    """Return each uncut beginning joined with each that may follow, cut to the length. Boundaries
    inside are left out, so that the beginnings are less specific than the expression.
    """
    both: _Beginnings = {}
    cut_at: dict[tuple[int, bool], list[tuple[Beginning, bool]]] = {}
    for tokens, goes_on in beginnings:
        if not goes_on:
            both[tokens, False] = None
            continue
        room = length - sum(map(_is_counted, tokens))
        # Many are the same after the cut, which is the same for all beginnings of a length.
        rest = cut_at.get((room, bool(tokens)))
        if rest is None:
            inside = [(without_boundary(more) if tokens else more, on) for more, on in following]
            rest = list(dict.fromkeys(_cut(more, room, on) for more, on in inside))
            cut_at[room, bool(tokens)] = rest
        for more, may_go_on in rest:
            both[tokens + more, may_go_on] = None
        if len(both) > _MOST:
            raise _UnreadableError
    return both


def _cut(tokens: Beginning, room: int, goes_on: bool) -> tuple[Beginning, bool]:
    """Return the tokens of at most `room` characters, and whether others may follow."""
    if len(tokens) >= room:
        for end, token in enumerate(tokens, 1):
            room -= _is_counted(token)
            if not room:
                return tokens[:end], False
    return tokens, goes_on


@lru_cache(maxsize=10_000)
def _is_counted(token: str) -> bool:
    """Return True if a token is one character: no boundary, and not the rest of a run."""
    return token != BOUNDARY and not (token[-1] == "}" and len(token) > 2)


def without_boundary(tokens: Beginning) -> Beginning:
    return tokens[1:] if tokens and tokens[0] == BOUNDARY else tokens


_ANYTHING: _Beginnings = {((), False): None}
_NOTHING: _Beginnings = {((), True): None}


def _item(code: Any, value: Any, length: int) -> _Beginnings:
    """Return the beginnings of one parsed item."""
    if code is codes.LITERAL:
        return _literals(value)
    if code is codes.IN:
        return _one_of(value)
    if code is codes.BRANCH:
        return _merged(_sequence(branch, length) for branch in value[1])
    if code is codes.SUBPATTERN:
        return _sequence(value[3], length)
    if code is codes.ATOMIC_GROUP:
        return _sequence(value, length)
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return _repeated(value[0], value[1], value[2], length)
    if code is codes.ASSERT_NOT:
        return _boundary(*value)
    if code is codes.ASSERT or code is codes.AT:
        return _NOTHING
    return {} if code is codes.FAILURE else _ANYTHING


def _merged(parts: Iterable[_Beginnings]) -> _Beginnings:
    merged: _Beginnings = {}
    for part in parts:
        merged |= part
        if len(merged) > _MOST:
            raise _UnreadableError
    return merged


def _repeated(least: int, most: int, items: Sequence[Any], length: int) -> _Beginnings:
    """Return the beginnings of a repetition: a run of a class as two tokens, else written out."""
    merged: _Beginnings = dict(_NOTHING) if least == 0 else {}
    if len(items) == 1 and items[0][0] is codes.IN and most > 1:
        one = _class(items[0][1])
        if one is None:
            return merged | _ANYTHING
        upper = "" if most is codes.MAXREPEAT else most - 1
        return merged | {((one, f"{one}{{{max(0, least - 1)},{upper}}}"), True): None}
    once = _sequence(items, length)
    beginnings = _NOTHING
    for number in range(1, min(most, length + 1) + 1):
        beginnings = _followed(beginnings, once, length)
        merged = _merged(
            [merged, beginnings if number >= least else {k: None for k in beginnings if not k[1]}]
        )
        beginnings = {key: None for key in beginnings if key[1]}
        if not beginnings:
            break
    return merged


def _boundary(direction: int, items: Sequence[Any]) -> _Beginnings:
    """Return the assertion that no letter precedes, as a token; nothing for other assertions."""
    is_boundary = direction < 0 and list(items) == _parsed_boundary()
    return {((BOUNDARY,), True): None} if is_boundary else _NOTHING


@cache
def _parsed_boundary() -> list[Any]:
    ((_, (_, items)),) = _parser.parse(BOUNDARY)
    return list(items)


def _literals(run: Sequence[int]) -> _Beginnings:
    """Return the characters of a run of literals, up to the first that cannot be written in lower
    case."""
    plain = tuple(takewhile(is_plain, run))
    return {(tuple(map(_written, plain)), len(plain) == len(run)): None}


def _one_of(items: Sequence[Any]) -> _Beginnings:
    """Return the characters of a small class one by one, a larger class as itself."""
    characters: list[int] = []
    for kind, one in items:
        if kind is codes.LITERAL:
            characters.append(one)
        elif kind is codes.RANGE and one[1] - one[0] < _WIDEST:
            characters += range(one[0], one[1] + 1)
        else:
            characters = []
            break
    if characters and len(characters) <= _WIDEST and all(map(is_plain, characters)):
        return {((_written(c),), True): None for c in characters}
    whole = _class(items)
    return {((whole,), True): None} if whole else _ANYTHING


def _class(items: Sequence[tuple[Any, Any]]) -> str | None:
    """Return a class for the lower case; None if the class does not determine it."""
    if items[0][0] is codes.NEGATE:
        is_space = (codes.CATEGORY, codes.CATEGORY_NOT_SPACE) in items
        return r"\ " if is_space else None
    parts: list[str] = []
    for code, value in items:
        if code is codes.CATEGORY and value in _CATEGORIES:
            parts.append(_CATEGORIES[value])
        elif code is codes.LITERAL and is_plain(value):
            parts.append(_written(value))
        elif code is codes.RANGE and (value[0] >= 0x3000 or value[1] - value[0] < _WIDEST):
            numbers = range(value[0], value[1] + 1)
            if not (is_plain(numbers[0]) and is_plain(numbers[-1])):
                return None
            same = value[0] >= 0x3000
            parts += [f"{chr(value[0])}-{chr(value[1])}"] if same else [*map(_written, numbers)]
        else:
            return None
    return parts[0] if len(parts) == 1 and len(parts[0]) < 3 else f"[{''.join(parts)}]"


_CATEGORIES = {
    codes.CATEGORY_SPACE: r"\ ", codes.CATEGORY_DIGIT: r"\d", codes.CATEGORY_WORD: r"\w",
}  # fmt: skip


@lru_cache(maxsize=10_000)
def _written(code: int) -> str:
    """Return the expression of a character in lower case; any white space becomes a space."""
    character = chr(code)
    return re.escape(" " if character.isspace() else character.lower())


def is_plain(code: int) -> bool:
    """Return True if `re`, ignoring case, matches just the letters with the same lower case."""
    if code < 0x250:
        return code not in (0xB5, 0x130, 0x131, 0x17F)
    if code < 0xA000:
        has_no_case = code >= 0x2E80 or 0x600 <= code < 0x700
        return has_no_case or (0x2010 <= code < 0x2C00 and code not in (0x212A, 0x212B))
    return 0xAC00 <= code < 0xD7A4


def any_of(beginnings: set[Beginning]) -> str:
    """Return an expression that matches any of the beginnings, grouped by their first character."""
    by_first: dict[str, dict[str, set[Beginning]]] = {}
    for tokens in beginnings:
        boundary = tokens[0] if tokens[0] == BOUNDARY else ""
        first, *others = without_boundary(tokens)
        by_first.setdefault(first, {}).setdefault(boundary, set()).add(tuple(others))
    branches: list[str] = []
    for first, sides in sorted(by_first.items()):
        behind = [_before(side, first) + _behind(rest) for side, rest in sides.items()]
        branches.append(first + _alternatives(behind))
    return _alternatives(branches)


def _before(boundary: str, first: str) -> str:
    """Return a boundary written behind the first character: `re` then jumps to that character."""
    return boundary.removesuffix(")") + first + ")" if boundary else ""


def _behind(rest: set[Beginning]) -> str:
    tree = _tree(rest)
    return f"(?={tree})" if tree else ""


def _tree(rest: set[Beginning]) -> str:
    """Return the expression of any of these sequences of tokens, with shared starts."""
    if () in rest:
        return ""
    by_first: dict[str, set[Beginning]] = {}
    for first, *others in rest:
        by_first.setdefault(first, set()).add(tuple(others))
    return _alternatives([first + _tree(others) for first, others in sorted(by_first.items())])


def _alternatives(branches: Sequence[str]) -> str:
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches) or '(?!)'})"
