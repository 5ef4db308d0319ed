"""Texts of short replies that correct themselves, deny another text first, or stand behind a colon.

"Armenien... I mean Armenian" gives Armenian, and "Not a papaya but a carambola. The seeds form a
star." a carambola.
"""

from __future__ import annotations

import re

from gfactor.scoring.extraction.blank_texts import AFTER_QUOTE, EDGES, QUOTES
from gfactor.scoring.extraction.factuality import HEDGE, NEGATION, Sentences
from gfactor.scoring.extraction.markers import COMMA, STOP, expressions, finder, phrases
from gfactor.scoring.extraction.naming_words import NamingWords
from gfactor.scoring.extraction.reply_sentences import SCRIPT
from gfactor.scoring.extraction.signs import DASHES

_SHORT, _LONGEST = 120, 250
_MOST_WORDS, _MOST_SIGNS = 4, 10
_CUE = re.compile(
    rf"(?:[\s.,;:!({DASHES}{COMMA}-]|\u2026)+(?:(?:{phrases('correction')}|(?<!\w)(?:{expressions('self_corrects')}))[\s,:.]*)+",
    re.IGNORECASE,
)
_CONTRAST = re.compile(rf"\W*(?:{expressions('contrast')})\W*", re.IGNORECASE)
_PARTED = re.compile(rf"[,;:{COMMA}{STOP}\n]|[.!?]\s")
_NAME_END = f"{EDGES}!?\"' ()"


def corrected_text(text: str, words: NamingWords) -> str | None:
    """Return the text that replaces the one with which a short reply begins; None if none does."""
    cues = list(_CUE.finditer(text)) if len(text) <= _SHORT else []
    if not cues or any(_CONTRAST.fullmatch(cue[0]) for cue in cues):
        return None
    before, behind = text[: cues[0].start()], text[cues[-1].end() :]
    quoted = QUOTES.match(behind.strip())
    if not quoted and re.search(r"\"|" + expressions("reads_text"), behind, re.IGNORECASE):
        return None
    name = quoted["inside"] if quoted else _bare(behind, words)
    if not _is_name(before.strip(_NAME_END), words) or not (quoted or _is_name(name, words)):
        return None
    return name


def corrected_quote(text: str) -> tuple[str | None, bool]:
    """Return the quoted text of a short reply behind words that break off and correct what stands
    before them, None if there is none; and True if they follow a quoted text.

    "It says "Adel"... no, sorry, the plate says "Adler"." gives Adler.
    """
    cues = list(_BROKEN_OFF.finditer(text)) if len(text) <= _LONGEST else []
    if not cues or any(_CONTRAST.fullmatch(cue["words"]) for cue in cues):
        return None, False
    cue = cues[-1]
    quotes = list(QUOTES.finditer(text, cue.end()))
    is_behind_quote = text[: cues[0].start()].rstrip(_NAME_END.replace('"', ""))[-1:] in ('"', "'")
    if len(quotes) != 1:
        return None, is_behind_quote
    between, rest = text[cue.end() : quotes[0].start()], text[quotes[0].end() :]
    is_end = re.fullmatch(AFTER_QUOTE, rest) or _REMARK.fullmatch(rest)
    doubts = (NEGATION, HEDGE)
    affirmed = Sentences(text).affirmed(between)
    if not is_end or any(doubt.search(affirmed) or doubt.search(rest) for doubt in doubts):
        return None, is_behind_quote
    return quotes[0]["inside"].strip(), is_behind_quote


_BROKEN_OFF = re.compile(
    rf"(?:\.{{3}}|\u2026|[{DASHES}]+|\s-)\s?(?P<words>(?:(?:{phrases('correction')}|(?<!\w)(?:{expressions('self_corrects')})(?!\w))[\s,:.]*)+)",
    re.IGNORECASE,
)
_REMARK = re.compile(rf"[,;{COMMA}][^\"'\n]{{1,60}}")


def contrasted_text(sentence: str, words: NamingWords) -> str | None:
    """Return the text that a sentence gives in place of one that it denies."""
    body = words.reason.split(re.sub(r"[,;]\s?", lambda m: m[0], sentence.strip()))[0]
    parts = list(words.not_but.finditer(body))
    if not parts or not NEGATION.search(body[: parts[-1].end()]):
        return None
    name = _bare(body[parts[-1].end() :], words)
    return name if _is_name(name, words) and not NEGATION.search(name) else None


def text_behind_colon(sentence: str, words: NamingWords) -> str | None:
    """Return the one or two words behind a colon that end a sentence."""
    match = _BEHIND_COLON.fullmatch(sentence.strip())
    if match is None or len(match["before"].split()) <= _MOST_WORDS:
        return None
    name = match["name"]
    if words.describes.match(name) or words.detail.search(match["before"]):
        return None
    bare = words.article_begin.sub("", name)
    return bare if len(bare.split()) <= 2 and _is_name(bare, words) else None


_BEHIND_COLON = re.compile(
    rf"(?P<before>[^:\n]+?)\s?:\s(?P<name>[^\s\d.,;:!?{COMMA}][^.,;:!?\n{COMMA}]{{1,30}})[.!]?"
)


def _bare(text: str, words: NamingWords) -> str:
    """Return a text without the ending of its sentence and its article."""
    ends = words.behind_end.search(text)
    text = text[: ends.start()] if ends else text
    text = words.copula_begin.sub("", text.strip(_NAME_END))
    return words.article_begin.sub("", text).strip(_NAME_END)


def _is_name(text: str, words: NamingWords) -> bool:
    few = len(text.split()) <= _MOST_WORDS and len(SCRIPT.findall(text)) <= _MOST_SIGNS
    is_sentence = words.lead.search(text) or _PARTED.search(text) or finder("refusal").search(text)
    return bool(text and few and not is_sentence and re.search(r"[^\W\d]", text))
