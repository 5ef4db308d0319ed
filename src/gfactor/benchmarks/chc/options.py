"""Reading the options of a battery's build as they are typed."""

from __future__ import annotations

from collections.abc import Sequence

from gfactor.benchmarks.chc.family import FAMILIES, Level
from gfactor.benchmarks.percept_v.options import parse_seed
from gfactor.errors import ParameterError, UnknownNameError

TWINS = ("picture", "text", "both", "together")
"""Presentations of a scene: picture, the same in words, both as two items, or together in one."""

__all__ = [
    "TWINS",
    "parse_answers",
    "parse_count",
    "parse_families",
    "parse_radicals",
    "parse_seed",
    "parse_words",
]


def parse_count(text: str) -> int:
    """Return a whole number, 1 or more."""
    if not text.isdecimal() or int(text) < 1:
        raise ParameterError(f"per_cell: must be a whole number from 1, not {text!r}")
    return int(text)


def parse_families(text: str) -> tuple[str, ...]:
    """Parse names of families separated by commas; an empty text means all."""
    return parse_words("family", FAMILIES, text)


def parse_words(what: str, allowed: Sequence[str] | object, text: str) -> tuple[str, ...]:
    """Parse known words separated by commas; an empty text means none."""
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    for word in words:
        if word not in allowed:  # pyright: ignore[reportOperatorIssue]
            raise UnknownNameError(what, word, allowed)  # pyright: ignore[reportArgumentType]
    if text and not words:
        raise ParameterError(f"{what}: {text!r} names none")
    return words


def parse_answers(text: str) -> str:
    """Parse the kind of answers: `choice`, `open`, `turns`, or "" if none is named."""
    return next(iter(parse_words("kind of answers", ("choice", "open", "turns"), text)), "")


def parse_radicals(text: str) -> dict[str, Level]:
    """Parse the levels of radicals in a text such as `rules=2,noise=1`."""
    result: dict[str, Level] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, equals, level = pair.partition("=")
        if not equals or not name.strip() or not level.strip():
            raise ParameterError(f"radicals: {pair!r} is not NAME=LEVEL, as in rules=2")
        allowed = {n for family in FAMILIES.values() for n in family.radicals}
        if name.strip() not in allowed:
            raise UnknownNameError("radical", name.strip(), allowed)
        value = level.strip()
        result[name.strip()] = int(value) if value.lstrip("-").isdecimal() else value
    return result
