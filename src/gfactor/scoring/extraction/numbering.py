"""The parts of a text that are numbered: "1. salt 2. water", "a) ... b) ...", "First: ...".

The numbers, letters or ordinals must begin with the first and have no gap; their order is free.
"""

from __future__ import annotations

import re

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.markers import (
    COMMA,
    LATIN,
    STOP,
    each,
    expressions,
    finder,
    joined,
    nth_named,
    values_of_signs,
)
from gfactor.scoring.extraction.signs import ARROW, CIRCLED, EM_DASH, EN_DASH

NUMBER = lazy_pattern(
    rf"(?:(?<=\n)|(?<=[;,{STOP}.\s])|^)\s*(?:{expressions('before_number')}\s*)?"
    rf"(?:(?:\((?P<a>\d{{1,2}})\)|(?P<e>[{CIRCLED}]))(?:[:.]|{expressions('particle_number')}\s)?"
    rf"|(?P<b>\d{{1,2}})\s?(?:\.?{expressions('ordinal_sign')}?[.):{COMMA}])(?!\d)"
    rf"|{expressions('numbered_blank')}"
    rf"|(?<=[a-z{joined('blank_ends')}])\s?(?P<d>\d{{1,2}})\s*[:.=])\s*"
    rf"|(?<![A-Za-z(])\((?P<f>\d{{1,2}})\)[:.]?\s*|(?P<g>[{CIRCLED}])[:.]?\s*",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"(?:^|(?<=[\n;,])|(?<=\s)(?=\())\s*\(?([a-j])[).:]\s+", re.IGNORECASE)
_OF_SCRIPTS = tuple(
    re.compile(rf"(?:^|(?<=[\n;,\s]))\s*\(?([{letters}])[).:]\s*") for (letters,) in each("letters")
)
_POSITIONS = values_of_signs("letters")
_CIRCLED_LETTERS = {
    sign: number
    for (rows,) in each("circled_letters")
    for row in rows.split()
    for number, sign in enumerate(row, 1)
}
_CIRCLED_LETTER = re.compile(rf"\s*([{''.join(_CIRCLED_LETTERS)}])[:.]?\s*")
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi")
_ROMAN = re.compile(r"(?:^|(?<=[\n;,\s]))\s*\(?(i{1,3}|iv|vi?)[).:]\s+", re.IGNORECASE)
_GAP = expressions("gap")
_LINK = (
    rf"(?:[:=]|->|{ARROW}|{EM_DASH}|{EN_DASH}|-(?=\s)|{expressions('fills_blank')}(?![{LATIN}])"
    rf"|{expressions('joined_to_blank')}|,|(?=[\"']))"
)
_NTH = expressions("ordinal")
_UNITS = {
    word: number
    for kind in ("units", "strict_units")
    for (words,) in each(kind)
    for number, word in enumerate(words.split()[:6])
    if number
}
"""The numerals from one to five."""
_NAMED = lazy_pattern(
    rf"(?:^|(?<=[\n;,.{STOP}{COMMA}\s(]))(?:{expressions('in_blank')}\s+)?"
    rf"(?:{expressions('the_blank')}[ \t]*)?(?:{expressions('blank_before')}\s+)?"
    rf"(?:{_NTH})"
    rf"(?P<gap>\s*{_GAP}(?![{LATIN}]))?\s*(?:{_LINK}\s*)+"
    rf"|(?:^|(?<=[\n;,.{STOP}\s]))(?:{expressions('the')}\s+)?{_GAP}\s*"
    rf"(?:#|{expressions('number_word')}\s?)?"
    rf"(?P<d>\d{{1,2}}|{expressions('digits_five')}|(?:{'|'.join(_UNITS)})(?![{LATIN}]))"
    rf"\s*(?:{_LINK}\s*)+",
    re.IGNORECASE,
)
_BARE_SECOND = lazy_pattern(
    rf"(?:(?<=[,;])\s*|\s(?={expressions('and_short')}\s))(?:{expressions('and_second')}\s+)?"
    rf"(?:{expressions('in_blank')}\s+)?(?:{expressions('the')}\s+)?"
    rf"(?:{_NTH})\s*(?:{_LINK}\s*)?(?=[\"'])",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    rf"[\s,;.{STOP}]*(?:(?<![{LATIN}]){expressions('trailing')}"
    rf"|{expressions('trailing_joined')})?[\s,;.{STOP}]*$",
    re.IGNORECASE,
)
_COUNTED = values_of_signs("digits") | _UNITS | {c: k for k, c in enumerate(CIRCLED[:10], 1)}


_INTO = re.compile(
    rf"([\"'])(?P<text>[^\"'\n]{{1,60}})\1\s+(?:\w+\s+){{0,2}}?(?:{expressions('in_blank')})\s+"
    rf"(?:{expressions('the_blank')}\s+)?(?:{_NTH})(?![{LATIN}])",
    re.IGNORECASE,
)


def put_into(text: str, count: int) -> list[str]:
    """Return quoted texts in the order of the blanks named after them: "'salt' goes in the
    first blank and 'water' in the second"; empty if they are not one for each blank."""
    texts = {nth_named(m): m["text"] for m in _INTO.finditer(text[:2000])}
    is_whole = sorted(texts) == list(range(1, count + 1))
    return [texts[k] for k in sorted(texts)] if is_whole else []


def numbered(text: str, count: int) -> list[str]:
    """Return the parts that follow the numbers 1 to `count`; empty if there are other numbers.

    Parts are returned in the order of their numbers; in the text they may have any order.
    """
    named = _named(text, count)
    if named:
        return named
    ways = (
        (NUMBER, lambda m: _COUNTED.get(m[m.lastgroup or 0]) or int(m[m.lastgroup or 0])),
        (_BRACKETED, lambda m: int(m[1])),
        (_ROW, lambda m: int(m[1])),
        *((script, lambda m: _POSITIONS[m[1]] + 1) for script in _OF_SCRIPTS),
        (_CIRCLED_LETTER, lambda m: _CIRCLED_LETTERS[m[1]]),
        (_ROMAN, lambda m: _ROMANS.index(m[1].lower()) + 1),
        (_LETTERED, lambda m: ord(m[1].lower()) - ord("a") + 1),
    )
    for pattern, number_of in ways:
        matches = list(pattern.finditer(text))[:100]
        numbers = [number_of(m) for m in matches]
        if len(matches) > count and finder("correction").search(
            text, matches[0].end(), matches[-count].start()
        ):
            matches, numbers = matches[-count:], numbers[-count:]
            text = text[matches[0].start() :]
            matches = list(pattern.finditer(text))[:100]
        if not matches or sorted(numbers) != list(range(1, count + 1)):
            continue
        if numbers != sorted(numbers) and re.search(r"\w", text[: matches[0].start()]):
            continue
        return _in_order(text, numbers, [m.span() for m in matches])
    return []


_BRACKETED = re.compile(r"(?:^|(?<=[\s,;]))\[(\d{1,2})\]\s*[:.]?\s*")


_ROW = re.compile(
    rf"(?:^|(?<=\n))[ \t]*(?:{_GAP}\s?)?\(?(\d{{1,2}})\)?\s?\|\s?(?=[^|\n]+(?:\n|$))", re.IGNORECASE
)
"""The first of two cells of a table: "1 | salt"."""


def is_named(text: str) -> bool:
    """Return True if a text names a blank by an ordinal: "the second blank is"."""
    return bool(_NAMED.search(text))


_ORDINAL_FIRST = lazy_pattern(
    rf"\s*(?:{expressions('and_short')}\s+)?{expressions('the')}\s+(?:{_NTH})(?![{LATIN}])",
    re.IGNORECASE,
)


def begins_with_an_ordinal(text: str) -> bool:
    """Return True if a part names its number itself, without a verb: "the first iron"."""
    return bool(_ORDINAL_FIRST.match(text))


def _named(text: str, count: int) -> list[str]:
    """The parts after ordinals: "second blank: copper; the first is iron"."""
    matches = [*_NAMED.finditer(text[:5000])]
    taken = [m.span() for m in matches]
    matches += [
        m
        for m in _BARE_SECOND.finditer(text[:5000])
        if not any(start < m.end() and m.start() < end for start, end in taken)
    ]
    matches.sort(key=lambda m: m.start())
    numbers = [
        _COUNTED.get(m["d"].casefold()) or int(m["d"])
        if "d" in m.re.groupindex and m["d"]
        else nth_named(m)
        for m in matches
    ]
    block = _last_lines(text, matches, count)
    if block:
        matches, numbers = matches[-count:], numbers[-count:]
    if len(matches) < 2 or sorted(numbers) != list(range(1, count + 1)):
        return []
    if not block and re.search(r"\w{3}.*\w{3}.*\w{3}.*\w{3}", text[: matches[0].start()]):
        return []
    parts = _in_order(text, numbers, [m.span() for m in matches])
    parts = [_TRAILING.sub("", part) for part in parts]
    quoted = [re.match(r"\s*([\"'])(.{1,100}?)\1", part) for part in parts]
    return [q[2] if q else part for q, part in zip(quoted, parts, strict=True)]


def _last_lines(text: str, matches: list[re.Match[str]], count: int) -> bool:
    """Return True if the last ordinals begin the reply's last lines, with a few words after each.

    Ordinals before them must be taken back: "Blank 1: left. No, wrong:" and the list again.
    """
    last = matches[-count:]
    ends = [*(m.start() for m in last[1:]), len(text)]
    earlier = matches[:-count]
    return (
        len(last) == count
        and all(f"\n{text[: m.start()]}".rstrip(" \t").endswith("\n") for m in last)
        and all(
            0 < len(text[m.end() : end].split()) <= 8 and "\n" not in text[m.end() : end].strip()
            for m, end in zip(last, ends, strict=True)
        )
        and (
            not earlier
            or bool(finder("correction").search(text, earlier[0].end(), last[0].start()))
        )
    )


def _in_order(text: str, numbers: list[int], spans: list[tuple[int, int]]) -> list[str]:
    ends = [start for start, _ in spans[1:]] + [len(text)]
    parts = {
        n: text[end:stop].strip("\n").split("\n\n")[0]
        for n, (_, end), stop in zip(numbers, spans, ends, strict=True)
    }
    return [parts[number] for number in sorted(parts)]
