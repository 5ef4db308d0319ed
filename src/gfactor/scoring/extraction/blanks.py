"""Reading the texts for an item's blanks, in order (FB).

An answer needs as many texts as blanks, because assigning others would be a guess. A blank that the
reply marks as left open ("2. ?", null in JSON) is None beside the others' texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import cast

from gfactor.items import Answer
from gfactor.scoring.extraction.amounts import (
    amount_stated,
    is_about_a_number,
    without_dimension,
)
from gfactor.scoring.extraction.blank_texts import (
    AGAINST,
    BLANK_WORD,
    EDGES,
    EITHER,
    FOR_BLANKS,
    FOR_SEVERAL,
    IN_BRACKETS,
    LAST_RESULT,
    LED_IN,
    LEFT_OPEN,
    NO_TEXT,
    NOT_BUT,
    OPEN_STILL,
    QUOTED,
    QUOTES,
    REMARK,
    REPLACED,
    SENTENCE,
    SENTENCE_END,
    TALK,
    bare_text,
    marked_text,
    named_in_a_sentence,
    without_edges,
)
from gfactor.scoring.extraction.factuality import HEDGE, NEGATION, Sentences
from gfactor.scoring.extraction.markers import (
    COMMA,
    LATIN,
    LETTER,
    STOP,
    expressions,
    finder,
    group_named,
    joined,
    phrases,
)
from gfactor.scoring.extraction.normalize import Cleaned, boxed, tagged
from gfactor.scoring.extraction.numbering import (
    NUMBER,
    begins_with_an_ordinal,
    is_named,
    numbered,
    put_into,
)
from gfactor.scoring.extraction.refusal import why_nothing
from gfactor.scoring.extraction.replaced_texts import corrected_quote
from gfactor.scoring.extraction.result import Extraction, extracted, no_answer
from gfactor.scoring.extraction.set_apart import (
    find_emphasized,
    find_named_lines,
    find_quoted,
    find_sole_bold,
    named_first,
)
from gfactor.scoring.extraction.signs import DASHES
from gfactor.scoring.extraction.structured import find_json, find_keyed, in_order, is_contradicted

_LONGEST = 300
_WORD = re.compile(r"[^\s{}]+")  # braces alone do not count, as in \frac { 1 } { 2 }
_ENDING = re.compile(rf"\s*{expressions('fills')}$")
_IS_PREFIX = re.compile(rf"^{expressions('is_prefix')}")
_GLUED = re.compile(rf"(?<=\w)[,{COMMA}]|(?<=[{LATIN}])\.(?=\d)")
"""A mark after the last word of an announcement that does not begin a number."""
_RESULT_LINE = re.compile(r"^####[ \t]*([-+$\u20ac\u00a3]?\.?\d[^\n]{0,40}?)\s*\Z", re.MULTILINE)
"""The last line of a worked solution in the format of GSM8K: #### and the number."""


def read_blanks(cleaned: Cleaned, count: int) -> Extraction:
    """Read the texts of `count` blanks; there is no answer if their number differs from `count`.

    The text of a blank that was left open is None.
    """
    raw = cleaned.reply.text
    stored = find_json(raw)
    if stored is not None:
        if is_contradicted(raw, lambda value: [t.casefold() for t in _from_json(value)] or None):
            return no_answer("contradiction")
        texts = [_number_list(stored[0])] if count == 1 else []
        texts = texts if any(texts) else _from_json(stored[0])
        return _result(texts, count, "json", cleaned.reply.span(stored[1], stored[2]))
    keyed = find_keyed(raw)
    if keyed is not None:
        return _result(keyed, count, "json", cleaned.reply.span(0, len(raw)))
    for rule, spans in (("tag", tagged(raw)[-1:]), ("boxed", boxed(raw))):
        if spans:
            texts = [raw[start:end] for start, end in spans]
            if len(texts) == 1 or (len(texts) != count and count == 1):
                texts = _split(texts[-1], count)
            return _result(texts, count, rule, cleaned.reply.span(spans[0][0], spans[-1][1]))
    if count == 1 and (last := _RESULT_LINE.search(raw)):
        return _result([last[1]], count, "result line", cleaned.reply.span(*last.span(1)))
    if count == 1 and not cleaned.thinking_open and (read := _marked_or_corrected(cleaned)):
        return read
    return _from_prose(cleaned, count)


def _marked_or_corrected(cleaned: Cleaned) -> Extraction | None:
    """Return the text that a short reply points at with signs, or the quoted one by which it
    replaces another; None if it does neither."""
    text = cleaned.prose.text
    span = cleaned.prose.span(0, len(text))
    if marked := marked_text(cleaned.reply.text):
        return _result([marked], 1, "heading", span)
    replacing, is_taken_back = corrected_quote(text)
    if replacing:
        return _result([replacing], 1, "quoted", span)
    return no_answer("ambiguous") if is_taken_back else None


def _from_prose(cleaned: Cleaned, count: int) -> Extraction:
    text = cleaned.prose.text
    span = cleaned.prose.span(0, len(text))
    text = REPLACED.sub(lambda m: group_named(m, "verb") or " ", text)
    if count == 1:
        bare = without_edges(text)
        text = _IS_PREFIX.sub("", REMARK.sub("", bare)) if REMARK.search(bare) else text
        if against := NOT_BUT.fullmatch(text.strip()):
            return _result([str(group_named(against, "name"))], count, "contrast", span)
    else:
        text = IN_BRACKETS.sub("", text)
    if not text.strip() or cleaned.thinking_open or finder("refusal").search(text[:1000]):
        return no_answer(why_nothing(cleaned))
    if count > 1 and is_named(text) and (parts := numbered(text, count)):
        return _result(parts, count, "named", span)
    if count > 1 and (parts := put_into(text, count)):
        return _result(parts, count, "named", span)
    headed = [h for h in _heading().finditer(text) if not _is_denied(text, h.start())]
    if count == 1 and _is_contradicted(text, headed[-2:]):
        return no_answer("contradiction")
    if headed and (len(headed) == 1 or count == 1):
        rest = text[headed[-1].end() :]
        first = rest.strip("\n").split("\n\n")[0] if count > 1 else rest.strip("\n").split("\n")[0]
        texts = _split(first, count)
        if _fits(texts, count):
            return _result(texts, count, "heading", cleaned.prose.span(headed[-1].end(), len(text)))
    if count == 1 and not headed and len(text) < 200 and EITHER.search(text):
        return no_answer("refusal" if why_nothing(cleaned) == "refusal" else "ambiguous")
    bold = find_sole_bold(cleaned.reply.text) if count == 1 else None
    stated = [m for m in finder("announce").finditer(text) if not text[m.end() :].startswith("\n")]
    stated += FOR_BLANKS.finditer(text) if count == 1 else FOR_SEVERAL.finditer(text)
    stated.sort(key=lambda match: match.end())
    if stated and len(text) - stated[-1].end() < _LONGEST:
        if _is_declined(text, stated[-1].start()):
            return no_answer("refusal")
        glued = _GLUED.match(text, stated[-1].end())
        behind = text[glued.end() if glued else stated[-1].end() :]
        quoted = QUOTED.match(behind) if count == 1 else None
        sentence = SENTENCE_END.split(behind, maxsplit=1)[0]
        if count == 1 and OPEN_STILL.match(behind, quoted.end() if quoted else 0):
            return no_answer("ambiguous")
        sentence = quoted["inside"] if quoted else _predicate(sentence)
        if bold and (sentence.strip().find(bold["inside"]) > 0 or not re.search(r"\w", behind)):
            return _result([bold["inside"]], count, "emphasis", span)
        texts = numbered(behind.split("\n\n")[0].lstrip(" :"), count) if count > 1 else []
        texts = texts or _split(re.sub(r"^\s*:", "", sentence), count)
        if count == 1 and EITHER.search(sentence):
            return no_answer("ambiguous")
        if _fits(texts, count):
            return _result(
                texts, count, "announcement", cleaned.prose.span(stated[-1].end(), len(text))
            )
    labeled = re.match(r"[^\n:]{2,40}:\s*(?=[^\s:])", text) if count == 1 else None
    if labeled and "\n" not in text.strip() and re.search(BLANK_WORD, labeled[0]):
        return _result([text[labeled.end() :]], count, "heading", span)
    for rule, texts in _set_apart(cleaned.reply.text, text, count, bold):
        if texts:
            return _result(texts, count, rule, span)
    why = why_nothing(cleaned)
    if finder("declines").search(text[:1000]):
        return no_answer("refusal")
    if count == 1 and EITHER.search(text):
        return no_answer("refusal" if why == "refusal" else "ambiguous")
    if count == 1 and (amount := amount_stated(text)):
        return _result([amount], 1, "sentence", span)
    body = (named_in_a_sentence(text.strip()) if count == 1 else None) or text
    if count > 1 and (led := LED_IN.match(body.strip())):
        body = body.strip()[led.end() :]
    texts = _split(body, count)
    if _fits(texts, count) and not _is_sentence(body, texts, count):
        return _result(texts, count, "whole", span)
    return no_answer(why)


def _set_apart(
    raw: str, text: str, count: int, bold: re.Match[str] | None
) -> Iterator[tuple[str, list[str]]]:
    """Yield the texts that the reply sets apart, with the rule: firmest first, empty if none."""
    first = named_first(text) if count == 1 else None
    yield "lead", [first] if first else []
    yield "emphasis", [bold["inside"]] if bold else []
    yield "named lines", find_named_lines(raw, count) if count > 1 else []
    last = _last_line(text) if count == 1 else ""
    yield "last line", [last] if last else []
    yield "emphasis", find_emphasized(raw, count)
    yield "quoted", find_quoted(text, count)


def _is_sentence(body: str, texts: list[str], count: int) -> bool:
    """Return True if a text says something instead of filling a blank."""
    return bool(
        TALK.search(body)
        or (count > 1 and (SENTENCE.match(body) or is_named(body)))
        or any(begins_with_an_ordinal(part) for part in texts)
        or (len(body.split()) > 2 and HEDGE.search(body))
        or (count == 1 and body.rstrip().endswith("?") and len(body.split()) > 2)
        or (count == 1 and len(body.split()) > 4 and _are_two_sentences(body))
        or (count == 1 and is_about_a_number(body))
        or (count == 1 and (_is_long(body) or _is_said(bare_text(body)) or SENTENCE.match(body)))
    )


def _is_denied(text: str, at: int) -> bool:
    """Return True if the words before a heading deny it: "Cannot answer: a figure is missing"."""
    return bool(NEGATION.search(Sentences(text).clause_before(at)))


def _is_contradicted(text: str, headed: list[re.Match[str]]) -> bool:
    """Return True if two successive lines with the same heading give different texts."""
    if len(headed) < 2 or headed[0][0].casefold().split() != headed[1][0].casefold().split():
        return False
    first, last = (text[h.end() :].strip("\n").split("\n")[0] for h in headed)
    between = text[headed[0].end() : headed[1].start()]
    differ = bare_text(first).casefold() != bare_text(last).casefold()
    return differ and _fits([first, last], 2) and not finder("correction").search(between)


def _predicate(sentence: str) -> str:
    """Return a sentence without its polite ending, its reason, and what it denies."""
    predicate = _THAT.sub("", _REASON.sub("", _ENDING.sub("", sentence)))
    against = AGAINST.fullmatch(predicate)
    return str(group_named(against, "name")) if against else predicate


_THAT = re.compile(rf"^\s*(?:{expressions('that_word')})\s", re.IGNORECASE)
_REASON = re.compile(
    rf"(?<=\S)\s*(?:[,;({DASHES}]\s*{expressions('because_lead')}"
    rf"|\s{expressions('because_only')})\s[^\n]*$",
    re.IGNORECASE,
)
"""A reason after a text: "42, because the differences grow by 2"."""


def _is_declined(text: str, at: int) -> bool:
    """Return True if the announcement at `at` is part of a refusal: "I prefer not to answer"."""
    return any(m.start() <= at < m.end() for m in finder("declines").finditer(text[:1000]))


def _is_long(text: str) -> bool:
    return len(_WORD.findall(text)) > 6 or len(_SIGNS.findall(text)) > _MOST_SIGNS


_SIGNS = re.compile(f"[{joined('script')}]")
_MOST_SIGNS = 16
"""Signs of an unspaced language of which the text of a blank may consist."""


def _are_two_sentences(text: str) -> bool:
    return len([part for part in SENTENCE_END.split(text) if re.search(r"\w", part)]) > 1


def _last_line(text: str) -> str:
    """Return a last paragraph of a few words that repeats some of the text before it; else ""."""
    before, _, last = text.rstrip().rpartition("\n\n")
    bare = without_edges(last)
    repeats = len(bare.split()) <= 4 and "\n" not in bare and bare.casefold() in before.casefold()
    repeats = repeats or bool(before and LAST_RESULT.fullmatch(bare))
    return bare if bare and repeats and not EITHER.search(before[-80:]) else ""


_IS_SIGN = re.compile(rf"[:\s]|{expressions('is_sign')}")


def _is_said(text: str) -> bool:
    """Return True if a short text speaks of the blank, or quotes, instead of filling it."""
    return bool(QUOTES.search(text) or (re.search(BLANK_WORD, text) and _IS_SIGN.search(text)))


def _split(text: str, count: int) -> list[str]:
    """The parts of `text`: by numbers, lines, semicolons or commas, whichever gives `count`."""
    if count == 1:
        return [] if "\n" in text.strip() else [next(filter(None, numbered(text, 1)), text)]
    behind_numbers = numbered(text, count)
    if behind_numbers or len(NUMBER.findall(text[:5000])) > 1:
        return behind_numbers
    if listed := _LISTED.fullmatch(text):
        text = listed[1]
    for separator in _SEPARATORS:
        parts = [p for p in re.split(separator, without_edges(text)) if p.strip(EDGES)]
        if len(parts) == count:
            return parts
    return []


_LISTED = re.compile(rf"[\s:]*\[([^\[\]()]*)\][\s.{STOP}]*")
"""A list in brackets, like JSON except for its quotes."""
_SEPARATORS = (
    r"\n+",
    r";",
    rf"[,{COMMA}](?!\d{{3}}(?!\d))",
    rf"\s+{expressions('and_word')}\s+",
    expressions("joined_and"),
    r"\s/\s",
    expressions("parted"),
)


def _from_json(value: object) -> list[str]:
    if isinstance(value, dict | list):
        parts = in_order(value) if isinstance(value, dict) else value
        return ["?" if v is None else str(v) for v in parts]
    return [] if value is None else [str(value)]


def _number_list(value: object) -> str:
    """Return a list of several numbers, an interval or a pair, as one text; else ""."""
    parts = cast("list[object]", value) if isinstance(value, list) else []
    return (
        json.dumps(parts) if len(parts) > 1 and all(type(v) in (int, float) for v in parts) else ""
    )


def _fits(texts: list[str], count: int) -> bool:
    parts = [text.strip(EDGES) for text in texts]
    return len(parts) == count and all(
        len(part) <= _LONGEST and (re.search(r"\w", part) or 0 < len(part) <= 3) for part in parts
    )


def _result(texts: list[str], count: int, rule: str, span: tuple[int, int]) -> Extraction:
    if not _fits(texts, count):
        return no_answer("blanks")
    parts = tuple(map(_text, texts)) if count > 1 else (_sole_text(texts[0]),)
    if not any(parts) or (count == 1 and _is_left_open(texts[0].strip(f" .{STOP}"))):
        return no_answer("blanks")
    return extracted(cast(Answer, parts), rule, span)


def _is_left_open(text: str) -> bool:
    return bool(LEFT_OPEN.fullmatch(text) or NO_TEXT.match(text))


def _sole_text(text: str) -> str:
    """The text for the only blank: the amount that it states, or the text without its edges."""
    return amount_stated(text) or without_dimension(bare_text(text))


def _text(text: str) -> str | None:
    """The text given for one of several blanks, None if it is left open."""
    return None if LEFT_OPEN.fullmatch(text.strip()) else bare_text(text)


@cache
def _heading() -> re.Pattern[str]:
    return re.compile(
        rf"(?<![{LETTER}]){phrases('heading')}\s?(?:[\])]?\s?:|\])\s*|(?<![{LETTER}])(?i:{expressions('abbreviated_heading')})\.\s"
    )
