"""Why a reply holds no answer: empty, refused, cut off, or none of these."""

from __future__ import annotations

import re

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.markers import COMMA, STOP, expressions, finder, phrases
from gfactor.scoring.extraction.normalize import Cleaned
from gfactor.scoring.extraction.signs import PLAIN_CROSSES, TICKS

_HANGING = re.compile(rf"[(\[{{,:{COMMA}\"'=]\s*$|\\boxed\s?\{{?$")
_FINISHED = re.compile(rf"[.!?{STOP})\]}}\"'>]\s*$|{expressions('ends_long_reply')}\s*$")
COMPLETE = re.compile(
    rf"(?:[.!?{STOP})\]}}\"'{TICKS}{PLAIN_CROSSES}]|{expressions('ends_reply')})\s*$"
)
"""Pattern of the end of a reply that does not break off."""
_SHORT = 300


def is_refusal(text: str) -> bool:
    """Return True if a text without an answer declines to answer or states that something is
    missing."""
    return bool(finder("refusal").search(text) or finder("declines").search(text))


def why_nothing(cleaned: Cleaned) -> str:
    """Return the rule recorded for a reply in which no answer was found.

    It is "empty", "refusal" (the reply declines, or calls the question unanswerable), "truncated"
    (it ends inside its thinking, in an announcement or in the middle of a longer sentence), "none"
    (it calls all options wrong) or "nothing".
    """
    text = cleaned.prose.text.strip()
    if cleaned.thinking_open:
        return "truncated"
    if not text:
        return "empty"
    if is_refusal(text[:2000]) or is_refusal(text[-1000:]):
        return "refusal"
    tail = text[-200:]
    if _HANGING.search(tail) or _ANNOUNCED_END.search(tail):
        return "truncated"
    if finder("none").search(tail):
        return "none"
    if len(text) > _SHORT and not _FINISHED.search(tail):
        return "truncated"
    return "nothing"


_ANNOUNCED_END = lazy_pattern(
    rf"(?:{phrases('announce')}|{phrases('weak')}"
    rf"|{phrases('heading')}\s*:?)\s*(?:{phrases('filler')}|{expressions('announced_article')})?\s*$"
)
