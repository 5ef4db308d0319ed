"""The parts of a text that are numbered: "1. salt 2. water", "(가) ... (나) ...", "First: ...".

The numbers, letters or names must run from the first on without a gap.
"""

from __future__ import annotations

import re

NUMBER = re.compile(
    r"(?:(?<=\n)|(?<=[;,。.\s])|^)\s*(?:(?:blank|gap|blanc|espacio|hueco|espaço|lacuna|빈칸|空"
    r"|填空|第)\s*)?"
    r"(?:(?:\((?P<a>\d{1,2})\)|(?P<e>[①-⑳]))[:.]?|(?P<b>\d{1,2})\s?(?:\.?[ao]?[.):、])(?!\d)"
    r"|第?(?P<c>[一二三四五六七八九十]|\d{1,2})\s?(?:空|题|處|处|个空|번)\s*[:.,]?"
    r"|(?<=[a-z空칸])\s?(?P<d>\d{1,2})\s*[:.=])\s*"
    r"|(?<![A-Za-z(])\((?P<f>\d{1,2})\)[:.]?\s*|(?P<g>[①-⑳])[:.]?\s*",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"(?:^|(?<=[\n;,]))\s*\(?([a-j])[).:]\s+", re.IGNORECASE)
_HANGUL = re.compile(r"(?:^|(?<=[\n;,\s]))\s*\(?([가나다라마바사])[).:]\s*")
_CIRCLED_HANGUL = re.compile(r"\s*([㉠-㉻])[:.]?\s*")
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi")
_ROMAN = re.compile(r"(?:^|(?<=[\n;,\s]))\s*\(?(i{1,3}|iv|vi?)[).:]\s+", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:^|(?<=[\n;,.]))\s*(?:the\s+|le\s+|la\s+|el\s+|o\s+|a\s+)?(?:blank\s+)?"
    r"(?P<word>first|second|third|fourth|fifth|premier|premi[èe]re|deuxi[èe]me|troisi[èe]me"
    r"|primero?|primera|segund[oa]|tercero?|tercera|primeir[oa]|terceir[oa]|첫\s?번째|두\s?번째"
    r"|세\s?번째)"
    r"\s*(?:blank|gap|one|word|blanc|trou|mot|espacio|hueco|espaço|lacuna|palabra|palavra|빈칸)?"
    r"\s*(?:[:=]|is\b|est\b|es\b|é\b|은|는)\s*",
    re.IGNORECASE,
)
_PLACE = {
    word: place + 1
    for place, words in enumerate(
        (
            "first premier première primer primero primera primeiro primeira 첫번째",
            "second deuxième segundo segunda 두번째",
            "third troisième tercer tercero tercera terceiro terceira 세번째",
            "fourth",
            "fifth",
        )
    )
    for word in words.split()
}
_COUNTED = {
    c: k + 1 for signs in ("一二三四五六七八九十", "①②③④⑤⑥⑦⑧⑨⑩") for k, c in enumerate(signs)
}


def numbered(text: str, count: int) -> list[str]:
    """The parts behind the numbers 1 to `count`, in order; empty unless there are just these."""
    ways = (
        (NUMBER, lambda m: _COUNTED.get(m[m.lastgroup or 0]) or int(m[m.lastgroup or 0])),
        (_HANGUL, lambda m: "가나다라마바사".index(m[1]) + 1),
        (_CIRCLED_HANGUL, lambda m: (ord(m[1]) - ord("㉠")) % 14 + 1),
        (_ROMAN, lambda m: _ROMANS.index(m[1].lower()) + 1),
        (_LETTERED, lambda m: ord(m[1].lower()) - ord("a") + 1),
        (_NAMED, lambda m: _PLACE.get(m["word"].lower().replace(" ", ""), 0)),
    )
    for pattern, number_of in ways:
        matches = list(pattern.finditer(text))[:100]
        if matches and [number_of(m) for m in matches] == list(range(1, count + 1)):
            ends = [m.start() for m in matches[1:]] + [len(text)]
            return [text[m.end() : end] for m, end in zip(matches, ends, strict=True)]
    return []
