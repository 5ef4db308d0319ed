"""Signs in the text of a question: marks of statements and of sub-questions."""

from __future__ import annotations

import re

_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
_PARENTHESIZED = "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽"
_ROMAN = "ⅠⅡⅢⅣⅤⅥⅦⅧⅨⅩ"
_ASCII_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII")

STATEMENT = re.compile(
    rf"[{_CIRCLED}]|[{_PARENTHESIZED}]|[{_ROMAN}]|[(（]\s*(?:\d|10)\s*[)）]|\b(?:VIII|VII|VI|IV|V|III|II|I)\b(?=[.．、:)\s,，;；]|$)"
)
"""A mark before a statement: ①, ⑴, (1), Ⅰ, or I, II, III before a sign or a blank."""

SUB_QUESTION = re.compile(rf"(?m)(?:^|(?<=[。；;.\n\s]))(?:[(（]\s*(\d\d?)\s*[)）]|([{_CIRCLED}]))")
"""A mark of a sub-question, at the beginning of a line or of a sentence."""


def number_of(mark: str) -> tuple[str, int]:
    """Return the kind of a mark and its number, from 1; ("", 0) if the text is not a mark."""
    bare = mark.strip().strip("()（）").strip()
    for kind, signs in (("①", _CIRCLED), ("⑴", _PARENTHESIZED), ("Ⅰ", _ROMAN)):
        if bare and bare in signs:
            return kind, signs.index(bare) + 1
    if bare in _ASCII_ROMAN:
        return "I", _ASCII_ROMAN.index(bare) + 1
    return ("(1)", int(bare)) if bare.isdecimal() else ("", 0)
