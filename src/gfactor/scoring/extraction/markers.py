"""The words with which languages announce an answer, as data, joined into one set of expressions.

A model may reply in another language than the one it was asked in, so every reply is read with all
languages at once. A language is one file in `languages/`; a new one needs nothing else.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import fields
from functools import cache
from itertools import count

from gfactor.scoring.extraction import languages
from gfactor.scoring.extraction.alternation import ordered
from gfactor.scoring.extraction.language import Language
from gfactor.scoring.extraction.scanning import Scanner

LATIN = r"A-Za-z\u00c0-\u024f"
"""Latin letters with and without accents, for a character class."""
GREEK = r"\u0391-\u03c9"
LETTER = rf"{LATIN}0-9_"
"""Characters of words in the spaced languages; a label next to one is part of a word."""


@cache
def phrases(kind: str) -> str:
    """Return all languages' expressions of one kind (a field of `Language`) as one alternation.

    Longer alternatives precede shorter ones, across all languages (`ordered`).
    """
    words = "|".join(_alternatives(kind, spaced=True))
    parts = [_bounded(words)] * bool(words) + _alternatives(kind, spaced=False)
    return f"(?i:{'|'.join(parts)})"


@cache
def phrases_apart(kind: str) -> tuple[str, ...]:
    """Return the alternation of `phrases` in several parts, in the same order."""
    words = map(_bounded, _in_parts(_alternatives(kind, spaced=True)))
    others = _in_parts(_alternatives(kind, spaced=False))
    return tuple(f"(?i:{text})" for text in (*words, *others))


@cache
def each_phrase(kind: str) -> tuple[str, ...]:
    """Return the alternatives of `phrases`, each an expression of its own."""
    words = map(_bounded, _alternatives(kind, spaced=True))
    return tuple(f"(?i:{text})" for text in (*words, *_alternatives(kind, spaced=False)))


_LARGEST_PART = 32
"""Number of alternatives in a part: fewer make more parts to compile, more make parts slower."""


def _in_parts(texts: list[str]) -> list[str]:
    starts = range(0, len(texts), _LARGEST_PART)
    return ["|".join(texts[start : start + _LARGEST_PART]) for start in starts]


def _bounded(words: str) -> str:
    """Return an expression that matches whole words only."""
    return rf"(?<![{LETTER}])(?:{words})(?![{LETTER}])"


def _alternatives(kind: str, *, spaced: bool) -> list[str]:
    """Return the alternatives of the languages that have spaces between words, or have none."""
    name = _checked(kind)
    return ordered(
        getattr(language, name) for language in all_languages() if language.spaced is spaced
    )


def _checked(kind: str) -> str:
    """Return the kind of words; raise KeyError if `Language` has no such field."""
    if kind not in {f.name for f in fields(Language)}:
        raise KeyError(kind)
    return kind


@cache
def expressions(kind: str) -> str:
    """Return all languages' expressions of one kind as one alternation, without word boundaries.

    Longer alternatives precede shorter ones. The files of the languages contain the word
    boundaries. A number is appended to the name of a group `(?P<name>...)`, so that several
    languages can use the same name; `group_named` reads the group.
    """
    number = count()
    joined = "|".join(_texts(kind)) or "(?!)"
    return f"(?:{_GROUP.sub(lambda m: f'(?P<{m[1]}_{kind}_{next(number)}>', joined)})"


def each_expression(kind: str) -> tuple[str, ...]:
    """Return the alternatives of `expressions`, each an expression of its own."""
    return tuple(f"(?i:{text})" for text in _texts(kind))


def _texts(kind: str) -> list[str]:
    """Return the alternatives of all languages."""
    name = _checked(kind)
    return ordered(getattr(language, name) for language in all_languages())


_GROUP = re.compile(r"\(\?P<(\w+)>")


def group_named(match: re.Match[str], name: str) -> str | None:
    """Return the text of a group that `expressions` numbered; None if no language's matched."""
    texts = match.groupdict()
    return next((t for key, t in texts.items() if t and key.split("_")[0] == name), None)


_NTHS = ("first", "second", "third", "fourth", "fifth")


def nth_named(match: re.Match[str], count: int = 0) -> int:
    """Return the number of the group that matched, of the groups `first` to `fifth`; `count` for
    the group `last`."""
    numbers = (k for k, name in enumerate(_NTHS, 1) if group_named(match, name))
    return next(numbers, count)


@cache
def joined(kind: str) -> str:
    """Return all languages' texts of one kind, joined into one text of letters for a character
    class."""
    return "".join(getattr(language, kind) for language in all_languages())


@cache
def each(*kinds: str) -> tuple[tuple[str, ...], ...]:
    """Return the texts of these kinds for each language that has the first of them."""
    texts = (tuple(getattr(language, kind) for kind in kinds) for language in all_languages())
    return tuple(one for one in texts if one[0])


@cache
def values_of_signs(kind: str) -> dict[str, int]:
    """Return the value of each sign: its place, from 0, in its own language's text of one kind."""
    return {sign: value for (signs,) in each(kind) for value, sign in enumerate(signs)}


@cache
def numbers(kind: str) -> dict[str, int]:
    """Return the numbers of all languages' `word=number` lists of one kind."""
    return {word: value for texts in each(kind) for word, value in pairs(texts[0]).items()}


def pairs(text: str) -> dict[str, int]:
    """Return the numbers of one `word=number` list."""
    return {word: int(value) for word, value in (p.split("=") for p in text.split(",") if p)}


def spelled(units: str, tens: str, joint: str) -> dict[str, int]:
    """Return a language's numerals: its units, its tens from twenty on, and both joined."""
    first = units.split()
    numerals = {word: value for value, word in enumerate(first)}
    for k, ten in enumerate(tens.split(), 2):
        numerals |= {ten: 10 * k}
        numerals |= {f"{ten}{joint}{word}": 10 * k + u for u, word in enumerate(first[1:10], 1)}
    return numerals


@cache
def finder(kind: str) -> Scanner:
    """Return the compiled expression of `phrases`."""
    return Scanner(*phrases_apart(kind))


@cache
def all_languages() -> tuple[Language, ...]:
    """Return every language of replies, in the order of their files."""
    names = sorted(m.name for m in pkgutil.iter_modules(languages.__path__))
    return tuple(importlib.import_module(f"{languages.__name__}.{n}").LANGUAGE for n in names)


STOP, COMMA = joined("stop"), joined("comma")
"""Signs that end a sentence and part a list in some language, for a character class."""
