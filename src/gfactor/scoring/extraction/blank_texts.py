"""Words around the text of a blank: announcements, quotes, texts left open, and talk about the
task."""

from __future__ import annotations

import re
from functools import cache

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.markers import (
    COMMA,
    GREEK,
    LATIN,
    STOP,
    expressions,
    finder,
    group_named,
    joined,
    phrases,
)
from gfactor.scoring.extraction.signs import (
    ABOUT,
    ANGLE,
    ARROWS,
    DASHES,
    DEGREE,
    EM_DASH,
    LEFT_ARROWS,
    LOWERED,
    MINUS,
    ROOT,
    SQUARE_CUBE,
)

LEFT_OPEN = lazy_pattern(
    rf"\?+|_{{2,}}|{EM_DASH}+|\.{{3}}|\(?{expressions('open_text')}\)?", re.IGNORECASE
)
"""Pattern of signs in place of a text that is not given."""
FOR_BLANKS = lazy_pattern(expressions("blank_announce"), re.IGNORECASE)
"""Announcements of the text of a blank, beside those of any answer."""
FOR_SEVERAL = lazy_pattern(expressions("blanks_announce"), re.IGNORECASE)
"""Announcements of the texts of several blanks together."""
NOT_BUT = lazy_pattern(expressions("contrast_text"), re.IGNORECASE)
"""A contrast of two texts: "not weight but mass"."""
AGAINST = lazy_pattern(rf"\s*{expressions('against_text')}", re.IGNORECASE)
"""A contrast after "the value is not": "12 sino 14"."""
LED_IN = lazy_pattern(
    r"(?=[^:\n]*\w\s\w)[^:\n\d]{3,80}\s?:\s(?=[^:\n]+$)"
    rf"|{expressions('respectively')}\b\s?[:,]?\s*(?=[^:\n]+$)",
    re.IGNORECASE,
)
"""Words that introduce several texts in one line: "two products: CO2 and H2O"."""
CALLED = lazy_pattern(
    rf"{expressions('called')}\s*"
    rf"(?P<name>{expressions('called_article')}?[^\s.,;!?]{{1,30}})[.{STOP}!]?",
    re.IGNORECASE,
)
"""A short sentence that only names the text: "It is salt.", "It is called X."."""
FORMULA_SAID = lazy_pattern(
    rf"[^.!?{STOP}\n=]{{2,80}}?(?:{expressions('measures')}|:\s+)(?:{expressions('the')}\s+)?"
    rf"(?P<name>(?=[^\s]*(?:[\d{ROOT}{LOWERED}{SQUARE_CUBE}{DEGREE}{GREEK}^_\\]|(?-i:[A-Z][a-z]?[A-Z])))"
    rf"[^\s{joined('script')},;]{{1,40}}"
    rf"|[^.!?{STOP}\n]{{1,60}}? {expressions('but_formula')} (?=\S*[\d{LOWERED}])\S{{1,30}})"
    rf"{expressions('polite')}?[\s.{STOP}]*",
    re.IGNORECASE,
)
"""A sentence whose predicate is a number or a formula: "The gas released is CO2"."""
_NAMES_TEXT = lazy_pattern(
    rf"{expressions('names_text')}"
    r"(?P<name>[(\[][^()\[\]\n]{1,40}[)\]]"
    r"|(?:[^.,;:!?(\n]|(?<! )\(|[.,](?=\S)|:(?=\d)|[.,] (?=(?-i:[A-Z]))){1,60})"
    rf"(?:{expressions('polite_only')})?",
    re.IGNORECASE,
)
"""A sentence that names a text: "The city is Paris"."""
NO_TEXT = lazy_pattern(expressions("no_text"), re.IGNORECASE)
"""Words after an announcement which say that no text is given: "not visible"."""
_OF_A_PART = lazy_pattern(expressions("part_of_picture"), re.IGNORECASE)
_NAME = re.compile(rf"[(\[{{\"'$+{MINUS}-]*[A-Z\d]")
"""The beginning of a name, a number or a formula."""
SENTENCE_END = lazy_pattern(rf"[.!?](?=\s|$)(?!{expressions('inner_stop')})|[{STOP}\n]")
"""The end of a sentence; a stop after an abbreviation ("St. Louis") does not count."""
EXPLAINED = lazy_pattern(
    rf"(?<=\S)\s*[,;({DASHES}]\s*(?:{expressions('explains')})[^\n]*$", re.IGNORECASE
)
"""A repetition of a text in other words, after it: "37 m/s, which is about 133 km/h"."""
CONVERTED = lazy_pattern(
    rf"(?<=[\w%{DEGREE}{SQUARE_CUBE}])\s?\((?:\s?(?:{expressions('approximately')}|[~{ABOUT}])\s?[-{MINUS}]?[\d.]"
    rf"|[-{MINUS}]?[\d.,]*\d\s?[{LATIN}%{DEGREE}])[^()\n]{{0,40}}\)$",
    re.IGNORECASE,
)
"""A number in another unit, after the number and its unit: "37 m/s (133.2 km/h)"."""
MEASURED = lazy_pattern(rf"^{expressions('measured_subject')}\s?(?=[(\[]?[-{MINUS}]?\.?\d)")
"""Subject and copula before a number, in a language without spaces."""
SENTENCE = lazy_pattern(rf"\s*{expressions('sentence')}", re.IGNORECASE)
"""The beginning of a sentence that describes its subject and is not a text for a blank."""
EITHER = lazy_pattern(
    rf"{expressions('text_in_doubt')}|^\s*(?:\S{{1,12}}\s)?[\"']?(?:\w{{1,20}})[\"']?"
    rf"\s{expressions('or_word')}\s[\"']?\w{{1,20}}[\"']?[.{STOP}]?\s*$",
    re.IGNORECASE,
)
"""Pattern of a text in doubt: two texts, or one that may be."""
IN_BRACKETS = lazy_pattern(rf"\s?\({expressions('remark_not')}[^()\n]{{0,60}}\)", re.IGNORECASE)
"""A remark in brackets that rejects or corrects a text."""
REMARK = lazy_pattern(
    rf"\s*\({expressions('remark_not')}[^()]{{0,60}}\)$|{expressions('remark_behind')}",
    re.IGNORECASE,
)
"""A remark after a text that names a rejected text."""
REPLACED = lazy_pattern(expressions("replaced_quote"), re.IGNORECASE)
"""A quoted text that another replaces: not "heat" but "light"."""
TALK = lazy_pattern(rf"(?<=\w\w)\s?\?\s*$|[,{COMMA}]\s*$|{expressions('talk')}", re.IGNORECASE)
"""Beginnings and ends of replies that speak about their task; such a reply fills no blank."""
OPEN_STILL = lazy_pattern(rf"\s*{expressions('text_still_open')}", re.IGNORECASE)
QUOTES = lazy_pattern(rf"(?<![{LATIN}])([\"'])(?P<inside>[^\"'\n]{{1,100}})\1(?![{LATIN}])")
_NOUN = rf"(?:(?:{expressions('the')}\s+)?{expressions('blank_noun')}\s+)?"
BEFORE_QUOTE = lazy_pattern(
    rf"(?:\b(?:{expressions('before_quote')}|{expressions('write')})\s+{_NOUN}"
    rf"|{expressions('joined_before_quote')})$",
    re.IGNORECASE,
)
BETWEEN_QUOTES = lazy_pattern(rf"\s*(?:[,;{COMMA}]|,?\s*{expressions('and_word')})\s*")
AFTER_QUOTE = rf"\s*{expressions('behind_quote')}?[\s.{STOP}!)]*"
DENIED = lazy_pattern(rf"{phrases('unreal')}|{phrases('not_before')}|\?", re.IGNORECASE)
DOUBTED = lazy_pattern(rf"{DENIED.pattern}|{phrases('either')}", re.IGNORECASE)
BLANK_WORD = re.compile(expressions("blank_word"), re.IGNORECASE)

_SHORT = 300


def named_in_a_sentence(text: str) -> str | None:
    """Return the text that a sentence names, if the sentence is the whole reply or ends a short
    one.

    "It is salt.", "The gas released is CO2" and "The city is Paris." name a text. After other
    sentences only a name, a number or a formula counts, because "The third bar is tall." is a
    description.
    """
    named = _SAID_TO_BE_CALLED.fullmatch(SENTENCE_END.split(text.rstrip(EDGES))[-1].strip())
    if named and len(text) <= _SHORT and not TALK.search(text):
        return group_named(named, "name")
    whole = next(filter(None, (way.fullmatch(text) for way in _NAMING)), None)
    if whole or len(text) > _SHORT:
        return whole["name"] if whole else None
    sentences = [part.strip() for part in SENTENCE_END.split(text) if part.strip()]
    last = _NAMES_TEXT.fullmatch(sentences[-1]) if sentences else None
    if concluded := _CONCLUDED.search(text.rstrip(EDGES)):
        return concluded["name"]
    drawn = last and finder("conclusion").match(sentences[-1])
    if last is None or (not drawn and _OF_A_PART.search(last[0][: last.start("name")])):
        return None
    name = last["name"]
    is_one = len(sentences) == 1 or (_NAME.match(name) and len(name.split()) < 4)
    return name if is_one else None


_LABELED_EQUATION = re.compile(r"[^\n:.!?=]{2,40}:\s+(?P<name>[^\s=]{1,12} ?= ?[^=\n]{1,40})")
"""An equation after its name: "Equation of the line: y = 2x + 1"."""
_CONCLUDED = lazy_pattern(
    rf"(?:^|[\s,;.{STOP}{COMMA}]){phrases('conclusion')}\s?,?\s?"
    rf"(?P<name>(?:{ANGLE}\s?)?[^\W\d]\w{{0,2}}\s?=\s?[-{MINUS}$]?\.?\d[^=,;\n]{{0,20}})$"
)
"""An equation that a last clause concludes: "so x = 4"."""
_SAID_TO_BE_CALLED = lazy_pattern(expressions("called_sentence"), re.IGNORECASE)
"""A sentence that says what something is called: "The pigment is called carotene."."""
_NAMING = (CALLED, FORMULA_SAID, _LABELED_EQUATION)
LAST_RESULT = re.compile(
    r"[^\s=]{1,12}(?: [^\s=]{1,12})? ?= ?[^\s=][^=\n]{0,30}"
    rf"|[-{MINUS}]?\d[\d.,]{{0,12}}(?:/\d{{1,9}})?\s?[^\s\d.,;:!?()]{{0,8}}\d?"
)
"""A last paragraph that is the result of a calculation: "x = 7", or a number with its unit."""
EDGES = f" \t\n.{STOP};,{COMMA}"
"""Marks at the ends of a text that do not belong to it."""
QUOTED = re.compile(r"[\s:,]*([\"'])(?P<inside>[^\"'\n]{1,300})\1")
_WRAPPED = re.compile(r"^\\(?:text|mathrm|textbf|mathbf)\s?\{([^{}]*)\}$")
_FILLED_WITH = re.compile(rf"^{expressions('filled_with')}(?=\S)")


def first_name(text: str) -> str:
    """Return a name without another name of the same thing in brackets behind it, or the word in
    brackets behind its letters: "B-O-A (boa)"."""
    spelled = _SPELLED.fullmatch(text)
    if spelled and re.sub(r"\W", "", spelled["letters"]).casefold() == spelled["word"].casefold():
        return spelled["word"]
    return _ANOTHER_NAME.sub("", text)


_SPELLED = re.compile(r"(?P<letters>(?:[^\W\d_][-. ]){2,}[^\W\d_])\.?\s?\((?P<word>[^\W\d_]+)\)")
_ANOTHER_NAME = lazy_pattern(
    rf"(?<=[^\s\d])\s?\((?:{expressions('also_called')})[^()\n]{{1,60}}\)$", re.IGNORECASE
)


def marked_text(line: str) -> str | None:
    """Return the text of a one-line reply between arrows that point to it, or behind a gap and an
    equals sign or colon: "answer >>> heron <<<", "____ = heron"."""
    gap = _GAP.fullmatch(line.strip())
    pointed = list(_POINTED.finditer(line))
    if gap:
        return gap["text"]
    return pointed[0]["text"] if len(pointed) == 1 else None


_GAP = re.compile(
    rf"(?:\(?_{{2,}}\)?|\(\s*\)|\[\s*\])\s?(?:=|:|->|[{ARROWS}])\s?(?P<text>_{{2,}}|[^\n=:_()]{{1,60}}(?:\([^()\n]+\))?)"
)
_POINTED = re.compile(
    rf"(?:>{{2,}}|-->|={{2,}}>|[{ARROWS}])\s?(?P<text>[^<>{ARROWS}{LEFT_ARROWS}\n]{{1,60}}?)"
    rf"\s?(?:<{{2,}}|<--|<={{2,}}|[{LEFT_ARROWS}])"
)


def without_edges(text: str) -> str:
    """Return a text without the marks at its ends; a stop or comma that begins a number stays."""
    lead = _LEAD.match(text)
    return text[lead.end() if lead else 0 :].rstrip(EDGES)


_LEAD = re.compile(rf"(?:(?<=\.)\.|(?![.,]\d+(?![.\d]*\d))[{re.escape(EDGES)}])*")


def bare_text(text: str) -> str:
    """Return a text without the full stops, dollar signs and quotes around it."""
    bare = _result_of(REMARK.sub("", without_edges(text))).removeprefix("= ")
    bare = _POLITE.sub("", _led_in().sub("", EXPLAINED.sub("", bare)))
    if bare[:12].strip("-$. ")[:1].isdigit():
        bare = CONVERTED.sub("", bare)
    bare = _TRANSLATED.sub("", MEASURED.sub("", bare))
    bare = _WRAPPED.sub(r"\1", bare.strip("$").strip())
    bare = first_name(_FILLED_WITH.sub("", bare))
    quoted = re.fullmatch(QUOTED, bare)
    return quoted["inside"].strip() if quoted else bare


_CHAIN = re.compile(
    rf"[^=\n]{{1,40}}=[^=\n,;]*\d[^=\n,;]*(?:=[^=\n,;]*\d[^=\n,;]*)*="
    rf"\s?(?P<result>[-{MINUS}$]?\.?\d[^=\n]*)"
    rf"|[^\W\d]\w{{0,2}}\s?[{ABOUT}]\s?(?P<rounded>[-{MINUS}]?\.?\d[^=\n]*)"
)
"""A calculation with its result: "A = 6 \u00d7 8 = 48"; or a name and a rounded number."""
_OR_AND = lazy_pattern(rf"{phrases('either')}|{phrases('both')}")


def _result_of(text: str) -> str:
    """Return the result of a chain of equations; another text, or two equations, as they are."""
    chain = _CHAIN.fullmatch(text)
    if chain is None or _OR_AND.search(text):
        return text
    return chain["result"] or chain["rounded"]


_TRANSLATED = re.compile(
    rf"(?<=[\u0600-\uffdc])\s?\([{LATIN}][{LATIN} .'-]*\)$|(?<=[A-Za-z])\s?\([\u0600-\uffdc ]+\)$"
)
"""The same text in another script, in brackets after it."""
_POLITE = re.compile(rf"(?<=\S)\s?{expressions('polite_only')}$")


@cache
def _led_in() -> re.Pattern[str]:
    """A conclusion before an equation or a number: "therefore x = 7"."""
    return re.compile(rf"^{phrases('conclusion')}\s*,?\s*(?=\S{{1,12}}\s?=|[-{MINUS}]?\.?\d)")
