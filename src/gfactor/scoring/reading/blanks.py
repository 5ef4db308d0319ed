"""Reading the texts for an item's blanks, in order (FB); all of them or nothing."""

from __future__ import annotations

import re

from gfactor.scoring.extraction import Extraction
from gfactor.scoring.reading.claims import LETTER
from gfactor.scoring.reading.markers import finder, phrases
from gfactor.scoring.reading.normalize import Cleaned, boxed, tagged
from gfactor.scoring.reading.outcome import found, nothing
from gfactor.scoring.reading.refusal import why_nothing
from gfactor.scoring.reading.structured import find_json

_NUMBER = re.compile(
    r"(?:(?<=\n)|(?<=[;,。.\s])|^)\s*(?:(?:blank|gap|blanc|espacio|hueco|espaço|lacuna|빈칸|空"
    r"|填空|第)\s*)?"
    r"(?:\((?P<a>\d{1,2})\)|(?P<e>[①-⑳])|(?P<b>\d{1,2})\s?[.):、](?!\d)"
    r"|第?(?P<c>[一二三四五六七八九十]|\d{1,2})\s?(?:空|题|處|处|个空|번)\s*[:.,]?"
    r"|(?<=[a-z空칸])\s?(?P<d>\d{1,2})\s*[:.=])\s*",
    re.IGNORECASE,
)
_COUNTED = {
    c: k + 1 for signs in ("一二三四五六七八九十", "①②③④⑤⑥⑦⑧⑨⑩") for k, c in enumerate(signs)
}
_LONGEST = 300
_EDGES = " \t\n.。;,、"


def read_blanks(cleaned: Cleaned, count: int) -> Extraction:
    """The texts of `count` blanks; nothing unless exactly so many, none empty, are found."""
    raw = cleaned.reply.text
    stored = find_json(raw)
    if stored is not None:
        texts = _from_json(stored[0])
        return _result(texts, count, "json", cleaned.reply.span(stored[1], stored[2]))
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
    if stated and len(text) - stated[-1].end() < _LONGEST:
        sentence = re.split(r"[.。!?](?:\s|$)|\n", text[stated[-1].end() :], maxsplit=1)[0]
        texts = _split(re.sub(r"^\s*:", "", sentence), count)
        if _fits(texts, count):
            return _result(
                texts, count, "announcement", cleaned.prose.span(stated[-1].end(), len(text))
            )
    texts = _numbered(text, count) or _split(text, count)
    is_sentence = count == 1 and len(text.split()) > 6
    if _fits(texts, count) and not is_sentence:
        return _result(texts, count, "whole", span)
    return nothing(why_nothing(cleaned))


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
    matches = list(_NUMBER.finditer(text))[:100]
    values = [_COUNTED.get(m[m.lastgroup or 0]) or int(m[m.lastgroup or 0]) for m in matches]
    if values != list(range(1, count + 1)):
        return []
    ends = [m.start() for m in matches[1:]] + [len(text)]
    return [text[m.end() : end] for m, end in zip(matches, ends, strict=True)]


def _from_json(value: object) -> list[str]:
    if isinstance(value, dict):
        return [str(v) for v in value.values()]
    if isinstance(value, list):
        return [str(v) for v in value]
    return [] if value is None else [str(value)]


def _fits(texts: list[str], count: int) -> bool:
    parts = [text.strip(_EDGES) for text in texts]
    return len(parts) == count and all(
        len(part) <= _LONGEST and (re.search(r"\w", part) or 0 < len(part) <= 3) for part in parts
    )


def _result(texts: list[str], count: int, rule: str, span: tuple[int, int]) -> Extraction:
    if not _fits(texts, count):
        return nothing("blanks")
    return found(tuple(text.strip(_EDGES).strip("$").strip() for text in texts), rule, span)


def _heading() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![{LETTER}]){phrases('heading')}\s?[\])]?\s?:\s*|(?<![{LETTER}])(?i:ans)\.\s"
    )
