"""The right answers of a question, by its type (section 4.3 and the release's own scoring)."""

from __future__ import annotations

import re
import unicodedata

from gfactor.items import Answer

_ALTERNATIVE = re.compile(r"(?<![与亦抑多])或者?(?![许然门非缺多])")
"""或 between alternatives; not in one word (或许, 或门)."""
_RELATION = re.compile("[大小等多少高低早晚]于|[=＝<>＜＞≤≥]")
_BETWEEN = re.compile(r"[\s,，、;；.。]+")


def key_letters(answer: str, several: bool) -> tuple[str, ...]:
    """The labels of the right options, in alphabetical order.

    Raises ValueError where the answer is no letters, or several where one is right.
    """
    plain = _BETWEEN.sub("", unicodedata.normalize("NFKC", answer)).upper()
    if not plain or not re.fullmatch("[A-Z]+", plain):
        raise ValueError(f"its key {answer!r} is not the letter of an option")
    letters = tuple(sorted(set(plain)))
    if len(letters) > 1 and not several:
        raise ValueError(f"its key {answer!r} names {len(letters)} options, and one can be right")
    return letters


def blanks(answer: str) -> tuple[Answer, tuple[Answer, ...]]:
    """The texts of the blanks, a line each, and the right answers beside these.

    A line may hold alternatives with 或 between them; each of them is right in its blank, and so is
    the line as it stands. Raises ValueError where there is no text.
    """
    lines = [line.strip() for line in answer.replace("\r", "").split("\n") if line.strip()]
    if not lines:
        raise ValueError("it has no answer")
    known = [_alternatives(line) for line in lines]
    first = tuple(texts[0] for texts in known)
    others = [
        (*first[:number], text, *first[number + 1 :])
        for number, texts in enumerate(known)
        for text in texts[1:]
    ]
    return first, tuple(others)


def _alternatives(line: str) -> list[str]:
    """The texts that are right in a blank.

    A line in which 或 is part of a word is one text, and so is one with a relation on both sides
    of it: 大于或等于 and x>3或x<1 say one thing each.
    """
    parts = [part.strip() for part in _ALTERNATIVE.split(line)]
    if len(parts) == 1 or not all(parts) or all(map(_RELATION.search, parts)):
        return [line]
    return list(dict.fromkeys([*parts, line]))


def reference(answer: str) -> str:
    """The reference of an open question; ValueError where there is none."""
    text = answer.replace("\r", "").strip()
    if not text:
        raise ValueError("it has no answer")
    return text
