"""Spellings of the parts of an answer: exact ones, and those of free replies.

An atom is one part of an answer (see `gfactor.items.OutputFormat`). Strict reading knows the
format's own spelling in any case. Lenient reading knows also number words, plurals, brackets of
any kind round a cell, and synonyms of color and shape names, but a synonym counts only if it can
mean exactly one word of the format's vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gfactor.items import Answer, Atom, OutputFormat
from gfactor.scoring.extraction.markers import LETTER, each, expressions, spelled
from gfactor.scoring.extraction.signs import MINUS

MAX_DIGITS = 18
"""Largest number of digits of an answer (Python refuses to read very long numbers)."""

SYNONYMS = tuple(
    frozenset(names.split("/")) for (lists,) in each("same_things") for names in lists.split(",")
)
"""Groups of names of one thing; a group is used only if exactly one name is in the vocabulary."""


NUMBER_WORDS: dict[str, int] = {
    word: value
    for units, tens in each("strict_units", "strict_tens")
    for word, value in spelled(units, tens, " ").items()
}
"""The numerals of all languages that answers in a fixed format may have."""

_CELL = rf"\(\s*\d{{1,{MAX_DIGITS}}}\s*,\s*\d{{1,{MAX_DIGITS}}}\s*\)"
_CELL_IN_WORDS = rf"(?<![\w-])\(?\s?{expressions('cell_in_words')}\s?\)?"
_BARE_CELL = rf"\d{{1,{MAX_DIGITS}}}\s*,\s*\d{{1,{MAX_DIGITS}}}"


def exact_atoms(text: str, fmt: OutputFormat) -> list[Atom] | None:
    """Return the atoms of a text that conforms to the format; None if a number is too long."""
    if fmt.atom == "cell":
        return [_cell(part) for part in re.findall(_CELL, text)] or None
    pattern, words = _exact(fmt.vocabulary)
    parts = pattern.findall(text)
    if any(len(part) > MAX_DIGITS for part in parts if part[0].isdigit()):
        return None
    return [words.get(part.casefold()) or int(part) for part in parts]


@lru_cache(maxsize=256)
def _exact(vocabulary: tuple[str, ...]) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the pattern of a number or a word of a vocabulary, and the words by folded case."""
    words = {word.casefold(): word for word in vocabulary}
    ordered = sorted(words, key=len, reverse=True)
    return re.compile("|".join([r"\d+", *map(re.escape, ordered)]), re.IGNORECASE), words


def shaped(atoms: Sequence[Atom], fmt: OutputFormat) -> Answer:
    """Return atoms as the answer of a format: a single one, a tuple, or a frozenset."""
    if fmt.answer_type == "set":
        return frozenset(atoms)
    if fmt.answer_type == "value" or (fmt.answer_type == "tuple" and len(fmt.labels) <= 1):
        return atoms[0]
    return tuple(atoms)


def _cell(text: str) -> Atom:
    row, column = re.findall(r"\d+", text)
    return int(row), int(column)


@dataclass(frozen=True)
class Lexicon:
    """The free spellings of a format's atoms.

    Parameters
    ----------
    atom: matches one atom, bounded (no part of a longer word or number).
    suspect: matches other texts that may be meant as an atom, by which ambiguity is noticed.
    bare: matches an atom that stands alone on its line (a cell without brackets), else None.
    """

    atom: re.Pattern[str]
    suspect: re.Pattern[str]
    bare: re.Pattern[str] | None
    _values: dict[str, Atom]
    _is_cell: bool

    def value(self, text: str) -> Atom:
        """Return the meaning of a text that `atom`, `bare` or `suspect` matches."""
        if self._is_cell:
            return _cell(text)
        key = _key(text)
        return self._values[key] if key in self._values else int(text)


def _key(text: str) -> str:
    return re.sub(r"[\s-]+", " ", text).casefold()


@lru_cache(maxsize=256)
def lexicon(fmt: OutputFormat) -> Lexicon:
    """Return the lexicon of a format."""
    if fmt.atom == "cell":
        cell = re.compile(rf"{_CELL}|{_CELL_IN_WORDS}", re.IGNORECASE)
        return Lexicon(cell, cell, re.compile(_BARE_CELL), {}, True)
    values: dict[str, Atom] = {}
    if fmt.atom in ("word", "token"):
        values |= _words(fmt.vocabulary)
    if fmt.atom in ("integer", "token"):
        values |= NUMBER_WORDS
    spelled = "|".join(
        re.escape(word).replace(r"\ ", r"[\s-]+") for word in sorted(values, key=len, reverse=True)
    )
    word = rf"(?<![{LETTER}-])(?:{spelled})(?![{LETTER}-])"
    if fmt.atom == "word":
        pattern = re.compile(word, re.IGNORECASE)
        return Lexicon(pattern, pattern, None, values, False)
    number = (
        rf"(?:(?<![\w.+{MINUS}-])|(?<={expressions('digit_before')}))\d{{1,{MAX_DIGITS}}}"
        rf"(?:(?![\w%]|\.\d)|(?={expressions('digit_behind')}))"
    )
    return Lexicon(
        re.compile(rf"{number}|{word}", re.IGNORECASE),
        re.compile(rf"\d{{1,{MAX_DIGITS}}}|{word}", re.IGNORECASE),
        None,
        values,
        False,
    )


def _words(vocabulary: tuple[str, ...]) -> dict[str, Atom]:
    by_word: dict[str, Atom] = {word.casefold(): word for word in vocabulary}
    spelled = dict(by_word)
    for group in SYNONYMS:
        meant = [by_word[name] for name in group if name in by_word]
        if len(meant) == 1:
            spelled |= {name: meant[0] for name in group}
    plurals = {f"{name}s": word for name, word in spelled.items() if len(name) > 1}
    return plurals | spelled
