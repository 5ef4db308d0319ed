"""Numbers in words of languages other than English, in sentences that count something.

A numeral is read only beside a phrase of its own language that counts (Spanish "hay"), because the
same letters mean something else in other languages (Spanish "dos" is Portuguese for "of the"). The
numeral for one is left out, because it is also the article in most languages.
"""

from __future__ import annotations

import re

from gfactor.scoring.extraction.markers import (
    LATIN,
    STOP,
    each,
    expressions,
    group_named,
    joined,
    numbers,
    pairs,
    spelled,
    values_of_signs,
)

_WORD = re.compile(r"[^\W\d_]+")
_THINGS = re.compile(expressions("counted_things"))
_BEFORE_COUNTER = {
    word: value
    for (words,) in each("counted_numerals")
    for value, word in enumerate(words.split(" "))
    if word != "_"
}
_SIGNS = values_of_signs("digits") | dict.fromkeys(joined("two"), 2)
_TENS_SIGN = re.compile(f"[{''.join(sign for sign, value in _SIGNS.items() if value == 10)}]")


_SPELLED: dict[str, int] = {
    word: value
    for texts in each("units", "tens", "tens_joint")
    for word, value in spelled(*texts).items()
} | numbers("more_numerals")
_TENS = {"": 0} | numbers("tens_before")
_UNITS = {"": 0} | numbers("units_behind")
_RUN_TOGETHER = {
    ten + unit: tens + units
    for ten, tens in _TENS.items()
    for unit, units in _UNITS.items()
    if ten + unit
}
_TOTAL_HEAD = re.compile(
    rf"\W*(?:{expressions('total_article')}?{expressions('total_heading')}(?![{LATIN}])"
    rf"[^:=\d\n]{{0,30}}[:=]|{expressions('joined_total')})\s*",
    re.IGNORECASE,
)
_REST = re.compile(
    rf"(?P<n>\d{{1,9}}|{expressions('number_run')}"
    rf"|[^\W\d_]+(?:-[^\W\d_]+|\s{expressions('ten_and')}\s[^\W\d_]+)?)"
    rf"(?:\s?{expressions('counter_behind')}|\s[^\W\d_]+(?:\s[^\W\d_]+)?)?[\s.{STOP}!]*",
    re.IGNORECASE,
)
_IN_SIGNS = re.compile(expressions("number_signs"))


def headed(line: str) -> int | None:
    """Return the number, in digits or words, after a heading for the total: "Total : douze
    cercles"."""
    head = _TOTAL_HEAD.match(line)
    rest = _REST.fullmatch(line, head.end()) if head else None
    return number_in_words(rest["n"]) if rest else None


def number_in_words(text: str) -> int | None:
    """Parse a text that is a number in digits or words; return None if it is not a number."""
    plain = text.casefold()
    if plain.isdecimal() and plain.isascii():
        return int(plain)
    if _IN_SIGNS.fullmatch(plain):
        return _in_signs(plain)
    return _SPELLED.get(plain, _RUN_TOGETHER.get(plain))


def counted(line: str) -> int | None:
    """Return the only number in words in a sentence that counts; None if there is none or
    several."""
    values: set[int] = set()
    for phrase, words, more in each("counts_in_words", "numerals", "more_counted"):
        if re.search(phrase, line, re.IGNORECASE):
            value_of = {w: v for v, w in enumerate(words.split()) if w != "_"} | pairs(more)
            words_of_line = map(str.casefold, _WORD.findall(line))
            values |= {value_of[w] for w in words_of_line if w in value_of}
    for match in _THINGS.finditer(line):
        numeral = group_named(match, "n") or ""
        if numeral in _BEFORE_COUNTER:
            values.add(_BEFORE_COUNTER[numeral])
        elif _IN_SIGNS.fullmatch(numeral):
            values.add(_in_signs(numeral))
    return values.pop() if len(values) == 1 else None


def _in_signs(text: str) -> int:
    """Return a number below a hundred that is written in signs of one language."""
    if text in _SIGNS:
        return _SIGNS[text]
    tens, units = _TENS_SIGN.split(text)
    return 10 * (_SIGNS[tens] if tens else 1) + (_SIGNS[units] if units else 0)
