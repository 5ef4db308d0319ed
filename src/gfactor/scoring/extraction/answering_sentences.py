"""The text in a short sentence that repeats the question: "She is playing a violin." to "What
instrument is the girl playing?" is "a violin"."""

from __future__ import annotations

import re

from gfactor.scoring.extraction.blank_texts import EITHER, TALK, bare_text
from gfactor.scoring.extraction.factuality import HEDGE, NEGATION, Sentences
from gfactor.scoring.extraction.markers import COMMA, LATIN, STOP, expressions, finder
from gfactor.scoring.extraction.normalize import Cleaned
from gfactor.scoring.extraction.reply_sentences import SCRIPT, content_of
from gfactor.scoring.extraction.result import Extraction, extracted

_MOST_WORDS = 10
_MOST_LETTERS = 40
_WORD = re.compile(r"[^\W_]+")
_PREPOSITION = re.compile(rf"(?:{expressions('behind_amount')})(?![{LATIN}])", re.IGNORECASE)
_COPULA = re.compile(rf"{expressions('copula')}", re.IGNORECASE)
_READ = re.compile(
    rf"(?P<before>[^\"\n]{{2,60}}{expressions('reads_text')}\s?:?\s?)\"(?P<inside>[^\"\n]{{1,100}})\"(?:\s?{expressions('reads_text_behind')})?",
    re.IGNORECASE,
)
"""A sentence that quotes what is to be read somewhere."""
_LABEL = re.compile(r"[^:\n]{2,40}:\s+(?=\S)")


def read_answering(cleaned: Cleaned, question: str) -> Extraction | None:
    """Return the text behind the last word that a reply of one sentence shares with the question.

    None if there is no such word, if more than five words or a preposition follow it, or if the
    sentence denies, doubts or asks something.
    """
    text = cleaned.prose.text.strip()
    body = text.rstrip(f" .!{STOP}")
    quoted = _READ.fullmatch(body)
    if quoted and not any(doubt.search(quoted["before"]) for doubt in (HEDGE, NEGATION, EITHER)):
        return extracted((quoted["inside"].strip(),), "quoted", cleaned.prose.span(0, len(text)))
    if "\n" in text or len(body.split()) > _MOST_WORDS or re.search(rf"[.?;,{COMMA}{STOP}]", body):
        return None
    if len(body) > _MOST_LETTERS and SCRIPT.search(body):
        return None
    affirmed = Sentences(body).affirmed(body)
    doubts = (HEDGE, NEGATION, EITHER, TALK, finder("declines"), finder("refusal"))
    if any(doubt.search(affirmed) for doubt in doubts):
        return None
    begin = _behind_question(body, frozenset(content_of(question)))
    if begin is None:
        return None
    rest = body[begin:]
    copula = _COPULA.match(rest)
    rest = bare_text(rest[copula.end() :] if copula else rest).strip(" \"':")
    if not rest or len(rest.split()) > 5 or _PREPOSITION.match(rest) or re.search(r"\d", rest):
        return None
    return extracted((rest,), "answering sentence", cleaned.prose.span(0, len(cleaned.prose.text)))


def _behind_question(body: str, question: frozenset[str]) -> int | None:
    """Return where the words of the question end in a sentence; None if it has none of them."""
    label = _LABEL.match(body)
    if label:
        return label.end() if question & frozenset(content_of(label[0])) else None
    if SCRIPT.search(body):
        pairs = [k + 2 for k in range(len(body) - 1) if body[k : k + 2] in question]
        return pairs[-1] if pairs and pairs[-1] < len(body) else None
    ends = [m.end() for m in _WORD.finditer(body) if question & frozenset(content_of(m[0]))]
    return ends[-1] if ends and ends[-1] < len(body) else None
