"""Alternatives of several languages in one order: longer ones come before shorter ones.

`re` takes the first alternative that matches, so a short word of one language would hide a longer
one of another (Italian `e`, Portuguese `e mais`). The order depends on the alternatives alone,
not on the languages that they come from.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass

_TOKEN = re.compile(
    r"(?P<look>\(\?<?[=!])|(?P<open>\((?:\?(?:P<\w+>|[a-z]*(?:-[a-z]+)?:|>))?)|(?P<close>\))"
    r"|(?P<bar>\|)|\{(?P<least>\d*)(?:,\d*)?\}[?+]?|(?P<repeat>[*+?])[?+]?"
    r"|(?P<nothing>[$^]|\\[bBAZ\d])|\\u[0-9A-Fa-f]{4}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]"
    r"|(?P<letters>[^\\\[\](){}|*+?$^.]+)|.",
    re.DOTALL,
)
"""The parts of an expression whose lengths are added."""


@dataclass
class _Level:
    """A group, or a whole expression, up to the part that is read.

    Parameters
    ----------
    counts: True if it matches characters; a look ahead or behind matches none.
    shortest: the least length of its alternatives before the present one.
    length: the least length of the present alternative. last: the least length of its last part,
    which may be repeated.
    """

    counts: bool = True
    shortest: int = sys.maxsize
    length: int = 0
    last: int = 0

    def add(self, length: int, last: int) -> None:
        self.length += length
        self.last = last


def alternatives(expression: str) -> list[tuple[str, int]]:
    """Return the alternatives of an expression, each with the least length that it matches.

    Examples
    --------
    >>> alternatives("and(?: also)?|(?:a|as) well as|or")
    [('and(?: also)?', 3), ('(?:a|as) well as', 9), ('or', 2)]
    """
    parts: list[tuple[str, int]] = []
    levels, start = [_Level()], 0
    for token in _TOKEN.finditer(expression):
        level = levels[-1]
        if token["look"] or token["open"]:
            levels.append(_Level(counts=bool(token["open"])))
        elif token["close"]:
            levels.pop()
            length = min(level.shortest, level.length) if level.counts else 0
            levels[-1].add(length, length)
        elif token["bar"] and len(levels) == 1:
            parts.append((expression[start : token.start()], level.length))
            levels, start = [_Level()], token.end()
        elif token["bar"]:
            level.shortest, level.length = min(level.shortest, level.length), 0
        elif token["repeat"] or token["least"] is not None:
            times = int(token["repeat"] == "+" if token["repeat"] else token["least"] or 0)
            level.add((times - 1) * level.last, times * level.last)
        else:
            level.add(len(token["letters"] or " ") * (not token["nothing"]), not token["nothing"])
    return [*parts, (expression[start:], levels[-1].length)]


def ordered(expressions: Iterable[str]) -> list[str]:
    """Return the alternatives of all expressions, sorted by the length of their shortest match, the
    longest first; ties are sorted by the length of the expression."""
    every = {one for expression in expressions if expression for one in alternatives(expression)}
    return [text for text, length in sorted(every, key=lambda one: (-one[1], -len(one[0]), one[0]))]
