"""Reading an answer in one's own words: what stands behind the last "Answer:", or all of it."""

from __future__ import annotations

import re
from functools import cache

from gfactor.scoring.extraction.markers import phrases
from gfactor.scoring.extraction.normalize import clean
from gfactor.scoring.extraction.refusal import is_refusal, why_nothing
from gfactor.scoring.extraction.result import Extraction, extracted, no_answer

SHORT = 400
"""A longer text is an answer even where it says, somewhere, that something cannot be done."""


def read_open(reply: str) -> Extraction:
    """The answer of a reply to an open question, thinking and markup removed.

    Nothing where the reply is empty, a short refusal, or cut off inside its thinking.
    """
    cleaned = clean(reply)
    text = cleaned.prose.text
    if cleaned.thinking_open or not text.strip():
        return no_answer(why_nothing(cleaned))
    headings = list(_heading().finditer(text))
    start, rule = (headings[-1].end(), "heading") if headings else (0, "whole")
    answer = text[start:].strip()
    if not answer:
        return no_answer(why_nothing(cleaned))
    if rule == "whole" and len(answer) <= SHORT and is_refusal(answer):
        return no_answer("refusal")
    return extracted(answer, rule, cleaned.prose.span(start, len(text)))


@cache
def _heading() -> re.Pattern[str]:
    """The words before an answer at the start of a line, with their colon."""
    return re.compile(rf"(?:^|\n)[^\S\n]*{phrases('heading')}[^\S\n]*[:：]", re.IGNORECASE)
