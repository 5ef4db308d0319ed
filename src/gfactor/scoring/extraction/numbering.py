"""The parts of a text that are numbered: "1. salt 2. water", "(가) ... (나) ...", "First: ...".

The numbers, letters or ordinals must be those from the first on, without a gap, in any order.
"""

from __future__ import annotations

import re

from gfactor.scoring.extraction.markers import finder

NUMBER = re.compile(
    r"(?:(?<=\n)|(?<=[;,。.\s])|^)\s*(?:(?:blank|gap|blanc|espacio|hueco|espaço|lacuna|빈칸|空"
    r"|填空|第)\s*)?"
    r"(?:(?:\((?P<a>\d{1,2})\)|(?P<e>[①-⑳]))(?:[:.]|[은는에]\s)?|(?P<b>\d{1,2})\s?(?:\.?[ao]?[.):、])(?!\d)"
    r"|第?(?P<c>[一二三四五六七八九十]|\d{1,2})\s?(?:空|题|處|处|个空|번)\s*[:.,]?"
    r"|(?<=[a-z空칸])\s?(?P<d>\d{1,2})\s*[:.=])\s*"
    r"|(?<![A-Za-z(])\((?P<f>\d{1,2})\)[:.]?\s*|(?P<g>[①-⑳])[:.]?\s*",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"(?:^|(?<=[\n;,])|(?<=\s)(?=\())\s*\(?([a-j])[).:]\s+", re.IGNORECASE)
_HANGUL = re.compile(r"(?:^|(?<=[\n;,\s]))\s*\(?([가나다라마바사])[).:]\s*")
_CIRCLED_HANGUL = re.compile(r"\s*([㉠-㉻])[:.]?\s*")
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi")
_ROMAN = re.compile(r"(?:^|(?<=[\n;,\s]))\s*\(?(i{1,3}|iv|vi?)[).:]\s+", re.IGNORECASE)
_ORDINALS = (
    "first|1st|premi(?:er|ère|ere)|1er|1ère|1re|primer[oa]?|primeir[oa]|1[ºªao]|第\\s?[一1]|前一?|첫\\s?번?째?|첫째|1번째",
    "second|2nd|deuxième|deuxieme|seconde?|2e|2ème|segund[oa]|2[ºªao]|第\\s?[二2]|[后後]一?|두\\s?번째|둘째|2번째",
    "third|3rd|troisième|troisieme|3e|3ème|tercer[oa]?|terceir[oa]|3[ºªao]|第\\s?[三3]|세\\s?번째|셋째|3번째",
    "fourth|4th|quatrième|quatrieme|4e|cuart[oa]|quart[oa]|4[ºªao]|第\\s?[四4]|네\\s?번째|넷째|4번째",
    "fifth|5th|cinquième|5e|quint[oa]|5[ºªao]|第\\s?[五5]|다섯\\s?번째|5번째",
)
_GAP = (
    "(?:blanks?|gaps?|spaces?|ones?|words?|terms?|answers?|numbers?|boxe?s?|slots?|values?|blancs?|trous?"
    "|mots?|cases?|espaces?|termes?|réponses?|espacios?|huecos?|palabras?|términos?|respuestas?|casillas?"
    "|espaços?|lacunas?|palavras?|termos?|respostas?|(?:个|個|处|處|道)?(?:空格?|横线|填空|括号)(?:处|里|中|内|上)?"
    "|빈\\s?칸|칸|답|단어|말|자리)"
)
_LINK = (
    r"(?:[:=：]|->|→|—|–|-(?=\s)|(?:(?:is|are|should be|must be|would be"
    r"|to be)(?: filled(?: in)?(?: with| by)?)?|goes|reads|est|sont|es|é|va|vai|lleva|fica"
    r"|doit être|debe ser|deve ser|corresponde a|entra)(?![A-Za-zÀ-ɏ])"
    r"|应?填[写入]?(?:的?是)?|应?[为是]"
    r"|에는?|(?<=[가-힣])[은는이가](?=\s)|,)"
)
_NTH = "|".join(f"(?P<n{k}>{words})" for k, words in enumerate(_ORDINALS, 1))
_NAMED = re.compile(
    r"(?:^|(?<=[\n;,.。；，、\s(]))(?:(?:in|for|to|dans|pour|en|para|no|na|au|à)\s+)?"
    r"(?:(?:the|le|la|l'|el|o|a|os|as|au)[ \t]*)?(?:(?:blank|gap|espacio|lacuna|blanc)\s+)?"
    rf"(?:{_NTH})"
    rf"(?P<gap>\s*{_GAP}(?![A-Za-zÀ-ɏ]))?\s*(?:{_LINK}\s*)+"
    rf"|(?:^|(?<=[\n;,.。\s]))(?:the\s+)?{_GAP}\s*(?:#|n[°ºo]\.?\s?|number\s|no\.\s?)?(?P<d>\d{{1,2}}|[一二三四五])\s*(?:{_LINK}\s*)+",
    re.IGNORECASE,
)
_BARE_SECOND = re.compile(
    r"(?:(?<=[,;])\s*|\s(?=(?:and|while|et|y|e)\s))(?:(?:and|while|et|y|e|mientras que"
    r"|enquanto)\s+)?"
    r"(?:(?:in|for|to|dans|pour|en|para|no|na)\s+)?(?:(?:the|le|la|el|o|a)\s+)?"
    rf"(?:{_NTH})\s*(?:{_LINK}\s*)?(?=[\"'])",
    re.IGNORECASE,
)
_TRAILING = re.compile(
    r"[\s,;.。]*(?:(?<![A-Za-zÀ-ɏ])(?:and|while|whereas|but|et|tandis que|y|mientras que|e"
    r"|enquanto(?: que)?)"
    r"|그리고|而|且|입니다|이고|이며|이다|이에요|예요)?[\s,;.。]*$",
    re.IGNORECASE,
)
_COUNTED = {
    c: k + 1 for signs in ("一二三四五六七八九十", "①②③④⑤⑥⑦⑧⑨⑩") for k, c in enumerate(signs)
}


def numbered(text: str, count: int) -> list[str]:
    """The parts behind the numbers 1 to `count`, in their order; empty unless there are just these.

    The numbers may stand in any order, for each says which part is behind it.
    """
    named = _named(text, count)
    if named:
        return named
    ways = (
        (NUMBER, lambda m: _COUNTED.get(m[m.lastgroup or 0]) or int(m[m.lastgroup or 0])),
        (_BRACKETED, lambda m: int(m[1])),
        (_ROW, lambda m: int(m[1])),
        (_HANGUL, lambda m: "가나다라마바사".index(m[1]) + 1),
        (_CIRCLED_HANGUL, lambda m: (ord(m[1]) - ord("㉠")) % 14 + 1),
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
    """Whether a text says of a blank by its ordinal what fills it: "the second blank is"."""
    return bool(_NAMED.search(text))


_ORDINAL_FIRST = re.compile(
    rf"\s*(?:(?:and|et|y|e)\s+)?(?:the|le|la|el|o|a)\s+(?:{_NTH})(?![A-Za-zÀ-ɏ])", re.IGNORECASE
)


def begins_with_an_ordinal(text: str) -> bool:
    """Whether a part says itself which one it is, without a verb: "the first iron"."""
    return bool(_ORDINAL_FIRST.match(text))


def _named(text: str, count: int) -> list[str]:
    """The parts behind ordinals: "second blank: copper; the first is iron"."""
    matches = [*_NAMED.finditer(text[:5000])]
    taken = [m.span() for m in matches]
    matches += [
        m
        for m in _BARE_SECOND.finditer(text[:5000])
        if not any(start < m.end() and m.start() < end for start, end in taken)
    ]
    matches.sort(key=lambda m: m.start())
    numbers = [
        _COUNTED.get(m["d"]) or int(m["d"])
        if "d" in m.re.groupindex and m["d"]
        else next(k for k in range(1, 6) if m[f"n{k}"])
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
    """Whether the last ordinals begin the reply's last lines, with a few words behind each.

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
