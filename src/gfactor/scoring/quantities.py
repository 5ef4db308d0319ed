"""Equality of answers in blanks: one number in several spellings, and one word in any case.

A number is equal to another if value and unit are: `37 m/s` is `37.0 m/s` and `37 meters per
second`, `1,000` is `1000`, `1/2` is `0.5`. Nothing is rounded or converted, and a unit that only
one of the two has makes them different; "5 m deep" is 5 m. docs/scoring.md lists the cases.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, lru_cache

from gfactor.scoring.extraction.amounts import without_dimension
from gfactor.scoring.extraction.markers import each, expressions
from gfactor.scoring.texts import EQUATION, comparable

_LONGEST = 80
_QUANTITY = re.compile(
    r"(?P<sign>[-+])?(?:(?P<mixed>\d{1,9}) (?=\d+/\d))?"
    r"(?:(?P<ten>10)(?=\^)|(?P<grouped>[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?)"
    r"|(?P<plain>\d+(?:\.\d+)?|\.\d+)|(?P<comma>\d*,\d+))"
    r"(?:/(?P<below>\d{1,20}))?"
    r"(?:[eE](?P<exponent>[+-]?\d{1,3})|(?P<times>[*xX]10)?\^\((?P<power>[+-]?\d{1,3})\))?"
    r"(?P<unit>(?:[^\W\d_]|[%\u00b0\u2103\u2109])[\w%/^()*\u00b0 -]*)?"
)
_BETWEEN = r"(?:[ '-]+|, ?)"
_WORDS = re.compile(rf"[^\W\d_]+(?:{_BETWEEN}[^\W\d_]+)*")
_STOPS = re.compile(r"(?<![^\W_])([^\W\d_])\.(?=[^\W\d_](?![^\W_]))|(?<=[^\W\d_])\.(?=[ ,]|$)")
"""The stops of abbreviations: between single letters ("U.S.A") and after a word ("St. Louis")."""
_SHORT = 2
"""Largest number of letters of a word that may be a formula: CO is not Co."""


def same_answer(reply: str, key: str) -> bool:
    """Return True if a reply's text equals a key's up to spelling, as a number or as words.

    Parameters
    ----------
    reply, key : str
        The texts. A number before which "about" stands counts as the number.

    Returns
    -------
    bool
        True if the normal forms (`comparable`) are equal, if both are the same number with the
        same unit, or if both are the same words in another case.

    Examples
    --------
    >>> same_answer("37 meters per second", "37.0 m/s"), same_answer("37", "37 m/s")
    (True, False)
    >>> same_answer("paris", "Paris"), same_answer("CO", "Co")
    (True, False)
    """
    one, other = comparable(reply), comparable(key)
    if one == other:
        return True
    if ("=" in one) != ("=" in other):
        named = EQUATION.fullmatch(one if "=" in one else other)
        if named is None:
            return False
        one, other = (named[1], other) if "=" in one else (one, named[1])
        if one == other:
            return True
    if _same_words(one, other):
        return True
    first = _quantity(without_dimension(one), _has_spaced_comma(reply))
    return first is not None and first == _quantity(
        without_dimension(other), _has_spaced_comma(key)
    )


def _same_words(one: str, other: str) -> bool:
    """Return True if two texts are the same words in lower case, capitals, or capitalized.

    An abbreviation is the same with and without its stops.
    """
    one, other = (_STOPS.sub(r"\1", text) for text in (one, other))
    if one.casefold() != other.casefold() or not (
        _WORDS.fullmatch(one) and _WORDS.fullmatch(other)
    ):
        return False
    if one == other:
        return True
    pairs = list(zip(re.split(_BETWEEN, one), re.split(_BETWEEN, other), strict=True))
    return any(len(word) > _SHORT for word, _ in pairs) and all(
        first == second or _differ_in_case(first, second) for first, second in pairs
    )


def _differ_in_case(one: str, other: str) -> bool:
    """Return True if neither word mixes cases as a formula does, and none is a short one."""
    usual = all(word in (word.lower(), word.upper(), word.capitalize()) for word in (one, other))
    return usual and (len(one) > _SHORT or (len(one) == _SHORT and one.lower() in (one, other)))


def _has_spaced_comma(text: str) -> bool:
    return re.search(r",\s", text) is not None


@lru_cache(maxsize=4096)
def _quantity(text: str, spaced: bool) -> tuple[Fraction, str] | None:
    """Return the value and the unit of a normal form that is a number; None if it is none.

    `spaced` is True if a space follows a comma, so that the comma separates a list.
    """
    if len(text) > _LONGEST or not any(sign.isdigit() for sign in text):
        return None
    match = _QUANTITY.fullmatch(_approximately().sub("", text))
    if match is None or (spaced and "," in text):
        return None
    below = int(match["below"] or 1)
    if not below or (match["ten"] and match["power"] is None):
        return None
    written = match["grouped"] or match["plain"] or match["comma"] or ""
    if match["grouped"]:
        written = written.replace(",", "")
    value = Fraction(1)
    if not match["ten"]:
        if match["power"] is not None and not match["times"]:
            return None
        value = Fraction(written.replace(",", ".").removesuffix(".") or "0") / below
    value = (value + int(match["mixed"] or 0)) * Fraction(10) ** int(
        match["power"] or match["exponent"] or 0
    )
    return (-value if match["sign"] == "-" else value), _unit(match["unit"] or "")


@cache
def _approximately() -> re.Pattern[str]:
    return re.compile(
        rf"^(?:{expressions('approximately')}|[~\u2248])\s*(?=[-+.\d])", re.IGNORECASE
    )


def _unit(text: str) -> str:
    """Return a unit with symbols for its names: "meters per second" is m/s."""
    symbols, names, per = _units()
    spelled = names.sub(lambda m: symbols[m[0].casefold()], text)
    return re.sub(r"\s+", "", per.sub("/", spelled))


@cache
def _units() -> tuple[dict[str, str], re.Pattern[str], re.Pattern[str]]:
    """Return the symbols by name, the pattern of all names, and that of "per"."""
    symbols = {
        name: symbol
        for (texts,) in each("unit_names")
        for symbol, names in (one.split("=") for one in texts.split(","))
        for name in names.split("/")
    }
    ordered = sorted(symbols, key=len, reverse=True)
    latin = "|".join(re.escape(name) for name in ordered if name[0] < "\u2e80")
    signs = "|".join(re.escape(name) for name in ordered if name[0] >= "\u2e80")
    names = re.compile(rf"(?<![^\W\d_])(?:{latin})(?![^\W\d_])|{signs or '(?!)'}", re.IGNORECASE)
    return symbols, names, re.compile(expressions("per_unit"), re.IGNORECASE)
