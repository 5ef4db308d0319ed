"""Texts of short replies that correct themselves, deny another text first, or stand behind a colon.

"Armenien... I mean Armenian" gives Armenian, and "Not a papaya but a carambola. The seeds form a
star." a carambola.
"""

from __future__ import annotations

import re

from gfactor.scoring.extraction.blank_texts import EDGES, QUOTES
from gfactor.scoring.extraction.factuality import NEGATION
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
    name = quoted["inside"] if quoted else _bare(behind, words)
    if not _is_name(before.strip(_NAME_END), words) or not (quoted or _is_name(name, words)):
        return None
    return name


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
