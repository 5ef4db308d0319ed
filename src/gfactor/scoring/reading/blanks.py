"""Reading the texts for an item's blanks, in order (FB).

As many texts as there are blanks, or nothing: which blank a text is for would be a guess. A blank
that the reply itself marks as left open ("2. ?", null in JSON) is None beside the others' texts.
"""

from __future__ import annotations

import re
from functools import cache
from typing import cast

from gfactor.items import Answer
from gfactor.scoring.extraction import Extraction
from gfactor.scoring.reading.claims import LETTER
from gfactor.scoring.reading.markers import finder, phrases
from gfactor.scoring.reading.normalize import Cleaned, boxed, tagged
from gfactor.scoring.reading.outcome import found, nothing
from gfactor.scoring.reading.refusal import why_nothing
from gfactor.scoring.reading.structured import find_json, find_keyed

_NUMBER = re.compile(
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
_LONGEST = 300
_EDGES = " \t\n.。;,、"
_QUOTED = re.compile(r"[\s:,]*([\"'])(?P<inside>[^\"'\n]{1,300})\1")
_ENDING = re.compile(r"\s*(?:입니다|이다|이에요|예요|임)$")
_LEFT_OPEN = re.compile(
    r"\?+|_{2,}|—+|…+|\.{3}|\(?(?:unknown|n/?a|blank|empty|(?:i )?(?:don't|do not) know"
    r"|(?:i(?:'m| am) )?not (?:entirely |quite )?(?:sure|certain)|no idea|不会[做写]|모릅니다"
    r"|unclear|cannot be determined|can't tell|未知|不知道|不确定|不清楚|空白|无法\w{1,4}|inconnue?"
    r"|je ne sais pas|desconocid[oa]|no (?:lo )?sé|desconhecid[oa]|não sei|모름|모르겠\w{1,4}"
    r"|알 수 없음)\)?",
    re.IGNORECASE,
)
"""What stands in the place of a text that is not given."""
_FOR_BLANKS = re.compile(
    r"(?:missing|right|correct|appropriate|proper|required)\s+(?:word|term|phrase|number|value"
    r"|expression|formula|name)s?\s+(?:is|are|would be|should be)\b"
    r"|\b(?:value|result|sum|total|product|length|width|height|area|volume|speed|mass|number|angle"
    r"|perimeter|probability|distance|time|temperature|capital|name)\b[^.,;:\n]{0,40}?\s(?:is"
    r"|equals)\b"
    r"|\bblanks?\s+(?:(?:should|must|can|is to) be|is|are)(?:\s+filled(?:\s+in)?\s+(?:with|by))?\b"
    r"|(?:空格?|横线|横線|空白|括号)(?:处|里|中|上|内)?(?:的?[数字词数值][字值语]?)?(?:应该?|應該?|可以?|需要?|要)?"
    r"(?:填写?|填入|填上|是|为)(?:的?是)?|[应應]?填(?:写|入)?(?:的是|为|:|(?=\"))"
    r"|\b(?:mot|terme|nombre|valeur)s?\s+(?:manquante?|correcte?|juste|cherchée?)s?\s+(?:est"
    r"|sont)\b"
    r"|\b(?:palabra|t[ée]rmino|n[úu]mero|valor)(?:\s+que)?\s+(?:falta|faltante|correct[ao])\s+es\b"
    r"|\b(?:palavra|termo|n[úu]mero|valor)(?:\s+que|\s+em)?\s+(?:falta|faltante|corret[ao])\s+é\b"
    r"|빈칸에?\s*(?:들어갈|알맞은|들어가는)?\s*(?:말|단어|수|숫자|것|답|내용)(?:은|는)",
    re.IGNORECASE,
)
"""How the text of a blank is announced, beside what announces any answer."""


def read_blanks(cleaned: Cleaned, count: int) -> Extraction:
    """The texts of `count` blanks, None for one left open; nothing where there are not so many."""
    raw = cleaned.reply.text
    stored = find_json(raw)
    if stored is not None:
        texts = _from_json(stored[0])
        return _result(texts, count, "json", cleaned.reply.span(stored[1], stored[2]))
    keyed = find_keyed(raw)
    if keyed is not None:
        return _result(keyed, count, "json", cleaned.reply.span(0, len(raw)))
    for rule, places in (("tag", tagged(raw)[-1:]), ("boxed", boxed(raw))):
        if places:
            texts = [raw[start:end] for start, end in places]
            if len(texts) == 1 or (len(texts) != count and count == 1):
                texts = _split(texts[-1], count)
            return _result(texts, count, rule, cleaned.reply.span(places[0][0], places[-1][1]))
    return _from_prose(cleaned, count)


def _from_prose(cleaned: Cleaned, count: int) -> Extraction:
    text = cleaned.prose.text
    span = cleaned.prose.span(0, len(text))
    if not text.strip() or cleaned.thinking_open or finder("refusal").search(text[:1000]):
        return nothing(why_nothing(cleaned))
    headed = list(_heading().finditer(text))
    if headed and (len(headed) == 1 or count == 1):
        rest = text[headed[-1].end() :]
        first = rest.strip("\n").split("\n\n")[0] if count > 1 else rest.strip("\n").split("\n")[0]
        texts = _split(first, count)
        if _fits(texts, count):
            return _result(texts, count, "heading", cleaned.prose.span(headed[-1].end(), len(text)))
    stated = [m for m in finder("announce").finditer(text) if not text[m.end() :].startswith("\n")]
    stated += list(_FOR_BLANKS.finditer(text)) if count == 1 else []
    stated.sort(key=lambda match: match.end())
    if stated and len(text) - stated[-1].end() < _LONGEST:
        behind = text[stated[-1].end() :]
        quoted = _QUOTED.match(behind) if count == 1 else None
        sentence = re.split(r"[.!?](?=\s|$)|[。！？\n]", behind, maxsplit=1)[0]
        if count == 1 and _OPEN_STILL.match(behind, quoted.end() if quoted else 0):
            return nothing("ambiguous")
        sentence = quoted["inside"] if quoted else _ENDING.sub("", sentence)
        texts = _split(re.sub(r"^\s*:", "", sentence), count)
        if _fits(texts, count):
            return _result(
                texts, count, "announcement", cleaned.prose.span(stated[-1].end(), len(text))
            )
    labelled = re.match(r"[^\n:]{2,40}:\s*(?=[^\s:])", text) if count == 1 else None
    if labelled and "\n" not in text.strip() and re.search(_BLANK_WORD, labelled[0]):
        return _result([text[labelled.end() :]], count, "heading", span)
    if filled := _filled(text, count):
        return _result(filled, count, "quoted", span)
    texts = _numbered(text, count) or _split(text, count)
    is_sentence = count == 1 and (len(text.split()) > 6 or _is_said(_bare(text)))
    if _fits(texts, count) and not is_sentence:
        return _result(texts, count, "whole", span)
    return nothing(why_nothing(cleaned))


_OPEN_STILL = re.compile(
    r"\s*(?:(?:not|or|either|pas|ou|no|o|não|labell?ed|missing|unclear)\b\s*[\"']|或者?\s*[\"']|不是)",
    re.IGNORECASE,
)


def _filled(text: str, count: int) -> list[str]:
    """The quoted texts of a sentence that says of each that it is, or fills, a blank, in order.

    The last one ends the sentence; none where another is quoted, or where the sentence denies,
    doubts or asks.
    """
    quotes = list(_QUOTES.finditer(text[:1000]))
    if len(quotes) != count or not re.fullmatch(_AFTER_QUOTE, text[quotes[-1].end() :]):
        return []
    begins = [0] + [m.end() for m in quotes[:-1]]
    for begin, quote in zip(begins, quotes, strict=True):
        before = text[begin : quote.start()]
        if not _BEFORE_QUOTE.search(before) or _DOUBTED.search(before):
            return []
    return [m["inside"] for m in quotes] if re.search(_BLANK_WORD, text) else []


def _is_said(text: str) -> bool:
    """Whether a short text speaks of the blank, or quotes, rather than being what fills it."""
    return bool(
        _QUOTES.search(text) or (re.search(_BLANK_WORD, text) and re.search(r"[:\s]|[是为]", text))
    )


_QUOTES = re.compile(r"(?<![A-Za-zÀ-ɏ])([\"'])(?P<inside>[^\"'\n]{1,100})\1(?![A-Za-zÀ-ɏ])")
_NOUNS = (
    r"(?:(?:the|le|la|el|o|a)\s+)?(?:word|term|phrase|number|mot|terme|nombre|palabra|t[ée]rmino"
    r"|palavra|termo|n[úu]mero)\s+"
)
_BEFORE_QUOTE = re.compile(
    r"(?:\b(?:is|are|be|est|sont|es|son|é|são|with|by|par|avec|con|com|por)\s+(?:" + _NOUNS + r")?"
    r"|\b(?:write|put|insert|écrire|écris|mettre|insérer|escribir|escribo|poner|insertar|escrever"
    r"|escrevo|pôr|inserir)\s+(?:" + _NOUNS + r")?"
    r"|(?:是|为|填[写入上]?)(?:的?是)?[::]?\s*|(?:은|는|에는?)\s*)$",
    re.IGNORECASE,
)
_AFTER_QUOTE = r"\s*(?:입니다|이다|예요|이에요|[이가] 들어[가갑]\w*|[을를] \w{1,6})?[\s.。!)]*"
_DOUBTED = re.compile(
    rf"{phrases('unreal')}|{phrases('not_before')}|{phrases('either')}|\?", re.IGNORECASE
)
_BLANK_WORD = re.compile(
    r"\b(?:word|term|mot|terme|palabra|palavra|write|écrire|écris|escribir|escrever|insert\w*|blank"
    r"|gap|missing|complet\w*|fill\w*|manqu\w+|blanc|trou|rempli\w*|vide|falta\w*"
    r"|hueco|espacio|rellen\w*|lacuna|preench\w*|espaço)\b|空|填|横线|橫線|括号|빈칸|빈 칸|들어",
    re.IGNORECASE,
)


def _split(text: str, count: int) -> list[str]:
    """The parts of `text`: by numbers, lines, semicolons or commas, whichever gives `count`."""
    if count == 1:
        return (
            [] if "\n" in text.strip() else [_numbered(text, 1)[0] if _numbered(text, 1) else text]
        )
    numbered = _numbered(text, count)
    if numbered or len(_NUMBER.findall(text[:5000])) > 1:
        return numbered
    for separator in (r"\n+", r";", r"[,、](?!\d{3}(?!\d))", r"\s+(?:and|et|y|e)\s+"):
        parts = [p for p in re.split(separator, text.strip(_EDGES)) if p.strip(_EDGES)]
        if len(parts) == count:
            return parts
    return []


def _numbered(text: str, count: int) -> list[str]:
    """The parts behind the numbers 1 to `count`, in order; empty unless there are just these."""
    ways = (
        (_NUMBER, lambda m: _COUNTED.get(m[m.lastgroup or 0]) or int(m[m.lastgroup or 0])),
        (_HANGUL, lambda m: "가나다라마바사".index(m[1]) + 1),
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


def _from_json(value: object) -> list[str]:
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return ["?" if v is None else str(v) for v in parts]
    return [] if value is None else [str(value)]


def _fits(texts: list[str], count: int) -> bool:
    parts = [text.strip(_EDGES) for text in texts]
    return len(parts) == count and all(
        len(part) <= _LONGEST and (re.search(r"\w", part) or 0 < len(part) <= 3) for part in parts
    )


def _result(texts: list[str], count: int, rule: str, span: tuple[int, int]) -> Extraction:
    if not _fits(texts, count):
        return nothing("blanks")
    parts = tuple(_text(text) if count > 1 else _bare(text) for text in texts)
    if not any(parts) or (count == 1 and _LEFT_OPEN.fullmatch(texts[0].strip(" .。"))):
        return nothing("blanks")
    return found(cast(Answer, parts), rule, span)


def _bare(text: str) -> str:
    """A text without the stops, dollar signs and quotes round it."""
    bare = text.strip(_EDGES).strip("$").strip()
    quoted = re.fullmatch(_QUOTED, bare)
    return quoted["inside"] if quoted else bare


def _text(text: str) -> str | None:
    """The text given for one of several blanks, None where it is left open."""
    return None if _LEFT_OPEN.fullmatch(text.strip()) else _bare(text)


@cache
def _heading() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![{LETTER}]){phrases('heading')}\s?[\])]?\s?:\s*|(?<![{LETTER}])(?i:ans)\.\s"
    )
