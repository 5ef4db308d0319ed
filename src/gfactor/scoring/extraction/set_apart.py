"""Texts of blanks that a sentence quotes or sets in bold, in their order.

A text that is alone in bold is the answer if the last sentence says it: a number or a formula in
any place ("The image lies at **(3, -2)**."), a word in a reply that is one sentence.
"""

from __future__ import annotations

import re

from gfactor.scoring.extraction.blank_texts import (
    AFTER_QUOTE,
    BEFORE_QUOTE,
    BETWEEN_QUOTES,
    BLANK_WORD,
    DENIED,
    DOUBTED,
    QUOTES,
    TALK,
)
from gfactor.scoring.extraction.bold import BOLD
from gfactor.scoring.extraction.factuality import HEDGE, NEGATION, SENTENCE_ENDS, Sentences
from gfactor.scoring.extraction.markers import COMMA, STOP, expressions, finder
from gfactor.scoring.extraction.refusal import COMPLETE
from gfactor.scoring.extraction.signs import ABOUT, ARROWS, BULLETS, DASHES, MINUS, ROOT


def find_quoted(text: str, count: int) -> list[str]:
    """Return the quoted texts of a sentence that names each as the content of a blank, in order.

    The sentence ends with the last quotation. Empty if the sentence quotes more texts than there
    are blanks, or if it is a denial, a doubt or a question.
    """
    quotes = list(QUOTES.finditer(text[:1000]))
    rest = text[quotes[-1].end() :] if quotes else ""
    behind = _READS_BEHIND.match(rest)
    if len(quotes) == count == 1 and _is_put_first(text, quotes[0]):
        return [quotes[0]["inside"]]
    if len(quotes) != count or not re.fullmatch(AFTER_QUOTE, rest[behind.end() if behind else 0 :]):
        return []
    is_shown = not (
        TALK.search(text) or _TASK.search(text) or SENTENCE_ENDS.search(text[: quotes[-1].start()])
    )
    begins = [0] + [m.end() for m in quotes[:-1]]
    for begin, quote in zip(begins, quotes, strict=True):
        before = text[begin : quote.start()]
        joined = begin > 0 and BETWEEN_QUOTES.fullmatch(before)
        behind = _READS_BEHIND.match(text, quote.end())
        is_shown = bool(is_shown and (joined or _READS.search(before[-_FAR:]) or behind))
        if not (joined or is_shown or BEFORE_QUOTE.search(before)) or DOUBTED.search(before):
            return []
    return [m["inside"] for m in quotes] if is_shown or re.search(BLANK_WORD, text) else []


def _is_put_first(text: str, quote: re.Match[str]) -> bool:
    """Return True if a reply begins with a quoted text and then says that it fills the blank."""
    stop = SENTENCE_ENDS.search(text, quote.end())
    predicate = text[quote.end() : stop.end() if stop else len(text)]
    return (
        not re.search(r"\w", text[: quote.start()])
        and bool(BLANK_WORD.search(predicate))
        and not (NEGATION.search(predicate) or HEDGE.search(predicate) or "?" in predicate)
    )


def named_first(text: str) -> str | None:
    """Return the words before a dash with which a reply begins: "Mitosis - the cell divides"."""
    lead = _FIRST.match(text.strip())
    if lead is None or TALK.search(text) or finder("declines").search(text):
        return None
    if DOUBTED.search(lead["name"]) or _INTERJECTION.fullmatch(lead["name"]):
        return None
    is_part = _SECTION.match(lead["name"]) or BLANK_WORD.search(lead["name"])
    return None if is_part else lead["name"]


_INTERJECTION = re.compile(expressions("interjection"), re.IGNORECASE)
_FIRST = re.compile(
    rf"(?P<name>[^\s.,:;!?(){DASHES}]{{2,30}}(?: [^\s.,:;!?(){DASHES}]{{1,30}}){{0,2}})"
    rf"\s[{DASHES}-]\s(?=[^\W\d_]+\s\S+\s\S+\s\S)"
)


def find_emphasized(raw: str, count: int) -> list[str]:
    """Return the bold texts of a last sentence that names something: "It is **salt**."."""
    line = raw.rstrip()[-1000:].rpartition("\n")[2]
    bold = [m for m in BOLD.finditer(line) if not _NUMBERING.fullmatch(m["inside"])]
    if line == raw.strip() and _is_filled_in(line, bold, count):
        return [m["inside"] for m in bold]
    if len(bold) != count or not re.fullmatch(AFTER_QUOTE, line[bold[-1].end() :]):
        return []
    starts = [m.end() for m in _SENTENCE_END.finditer(line[: bold[0].start()])]
    begins = [starts[-1] if starts else 0] + [m.end() for m in bold[:-1]]
    for begin, match in zip(begins, bold, strict=True):
        before = line[begin : match.start()]
        if begin > 0 and _AND_THE_NEXT.fullmatch(before):
            continue
        joined = begin > 0 and BETWEEN_QUOTES.fullmatch(before)
        doubted = DENIED.search(Sentences(line).affirmed(before))
        if not (joined or _COPULA.search(before)) or doubted:
            return []
    return [m["inside"] for m in bold]


def _is_filled_in(line: str, bold: list[re.Match[str]], count: int) -> bool:
    """Return True if a reply is a sentence with its blanks filled in, each with a bold text."""
    plain = BOLD.sub(r"\g<inside>", line)
    around = BOLD.sub(" ", line)
    return (
        1 < len(bold) == count
        and not _SENTENCE_END.search(re.sub(r"\.{3}", " ", line[: bold[-1].start()]))
        and len(re.findall(r"\w+", around)) > 1
        and not any(m["inside"].rstrip().endswith(":") for m in bold)
        and ":" not in around
        and not (DOUBTED.search(around) or TALK.search(plain) or BLANK_WORD.search(plain))
        and not finder("declines").search(plain)
    )


_READS = re.compile(rf"\w.*{expressions('reads_text')}\s?[:,]?\s*$", re.IGNORECASE)
"""A verb before a quoted or bold text which says where it is to be read: "The sign says"."""
_FAR = 200
"""Number of characters before the text in which such a verb is looked for, with its subject."""
_READS_BEHIND = re.compile(
    rf"\s?{expressions('reads_text_behind')}(?=[\s.{STOP}!]*$)", re.IGNORECASE
)
"""The same after the text."""


def find_sole_bold(raw: str) -> re.Match[str] | None:
    """Return the only text in bold, if the last sentence states it; its group is `inside`.

    Bold headings and numbers of steps are no texts. None if the sentence denies the text, leaves it
    in doubt or asks.
    """
    bold = [m for m in BOLD.finditer(raw) if not _is_heading(raw, m)]
    if not bold or len({m["inside"].casefold() for m in bold}) > 1:
        return None
    last = bold[-1]
    begin = max([m.end() for m in SENTENCE_ENDS.finditer(raw, 0, last.start())], default=0)
    stop = SENTENCE_ENDS.search(raw, last.end())
    end = stop.end() if stop else len(raw)
    before, behind = raw[begin : last.start()], raw[last.end() : end]
    sentences = Sentences(raw)
    is_value = bool(_VALUE.match(last["inside"]) and not _NUMBERING.fullmatch(last["inside"]))
    around = f"{sentences.affirmed(before)} _ {behind}"
    if (
        re.search(r"\w", raw[end:])
        or behind.rstrip().endswith("?")
        or not re.search(r"\w", before + behind)
        or DOUBTED.search(around)
        or HEDGE.search(around)
        or NEGATION.search(behind)
        or finder("declines").search(raw[-1000:])
        or len(last["inside"].split()) > (7 if is_value else 5)
    ):
        return None
    led = _LEADS_TO.search(before) or _COPULA.search(before) or _READS.search(before[-_FAR:])
    if not led and not COMPLETE.search(raw.replace("*", "")):
        return None
    if is_value:
        return last
    is_said = TALK.search(before) or finder("heading").search(before) or _TASK.search(before)
    is_one_sentence = begin == 0 and not is_said and "\n" not in raw.strip()
    of_blank = BLANK_WORD.search(last["inside"]) or _SECTION.match(last["inside"])
    is_named = bool(led) and not behind.strip(f" .!{STOP}")
    return last if (is_one_sentence or is_named) and not of_blank else None


def _is_heading(raw: str, bold: re.Match[str]) -> bool:
    """Return True if a bold text is a heading: before a colon, alone on its line, a number."""
    inside = bold["inside"].strip()
    line = raw[raw.rfind("\n", 0, bold.start()) + 1 :].partition("\n")[0]
    is_followed = bool(re.search(r"\S", raw[bold.end() :]))
    return bool(
        inside.endswith(":")
        or re.match(r"\s?:", raw[bold.end() :])
        or _NUMBERING.fullmatch(inside)
        or (is_followed and _SECTION.match(inside))
        or (is_followed and line.strip(f" *#_{BULLETS}") == inside and not _VALUE.match(inside))
    )


def find_named_lines(raw: str, count: int) -> list[str]:
    """Return the texts of the last lines if each gives one with its name: "- Width: **7**".

    The name or the text is in bold, or the text is a number. Empty if the lines are not as many as
    the blanks, or if a line above has the same form.
    """
    lines = [line for line in raw.split("\n") if line.strip()]
    matches = [_NAMED_LINE.fullmatch(line) for line in lines[-count - 1 :]]
    block = [m for m in matches[-count:] if m]
    if len(block) < count or (len(matches) > count and matches[0]):
        return []
    texts = [next(m[k] for k in ("value", "bold", "plain", "number") if m[k]) for m in block]
    is_long = any(len(text.split()) > 6 for text in texts)
    around = " ".join(lines[-count:])
    doubted = DENIED.search(Sentences(raw).affirmed(around)) or HEDGE.search(around)
    is_section = any(_SECTION.match(m[0].lstrip(f" -*_{BULLETS}")) for m in block)
    return [] if is_long or doubted or is_section else texts


_VALUE = re.compile(
    rf"(?:[^\W\d]\w{{0,3}}\s?=\s?)?(?:\\?[(\[$]|\$)?\s?[-+{MINUS}$\u00a3\u20ac]?\s?"
    rf"(?:\.?\d|\\(?:d?frac|sqrt|pi)\b|[{ROOT}\u03c0])"
)
"""The beginning of a number, a pair of coordinates or a formula."""
_NUMBERING = re.compile(r"\(?\d{1,2}[.)]|\(\d{1,2}\)")
_LEADS_TO = re.compile(rf"[=:{ABOUT}{ARROWS}]\s*$")
_TASK = re.compile(rf"(?<!\w){expressions('task_noun')}(?!\w)", re.IGNORECASE)
"""Nouns for the task, in sentences that speak of it instead of filling the blank."""
_SECTION = re.compile(rf"\s*{expressions('section_name')}(?!\w)", re.IGNORECASE)
"""Names of the parts of a solution, which are in bold but no answers."""
_NAMED_LINE = re.compile(
    rf"\s*(?:[-*{BULLETS}]\s+|\d{{1,2}}[.)]\s+)?(?:"
    rf"(?P<strong>\*\*|__)[^*_\n:]{{1,40}}(?:\s?:\s?(?P=strong)|(?P=strong)\s?:)\s*"
    rf"(?:\*\*(?P<bold>[^*\n]{{1,60}})\*\*|(?P<value>[^*\n]{{1,60}}?))"
    rf"|[^*\n]{{1,60}}?(?:[:=]|[{ARROWS}]|{expressions('says_what')})\s*\*\*(?P<plain>[^*\n]{{1,60}})\*\*"
    rf"|[^\W\d][^*\n:=\d]{{0,40}}?:\s+(?P<number>[-+{MINUS}$]?\.?\d[\d.,]*(?:\s?[^\s\d]{{1,6}})?)"
    rf")[.;,{STOP}{COMMA}]?\s*",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(rf"[.!?](?=\s)|[{STOP}!?]")
_AND_THE_NEXT = re.compile(
    rf"\s*[,;]?\s*(?:{expressions('and_short')}\s+)?(?:{expressions('the_blank')}\s+)?"
    rf"(?:{expressions('ordinal')})(?:\s+{expressions('gap')})?\s*",
    re.IGNORECASE,
)
"""Words between two bold texts which name the second blank: ", and the second"."""
_COPULA = re.compile(rf"\w.*{expressions('says_what')}$", re.IGNORECASE)
"""A subject and copula before a bold text."""
