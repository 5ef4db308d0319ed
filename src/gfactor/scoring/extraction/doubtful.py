"""Test if words around options leave an answer open: they deny, reject, suppose or compare."""

from __future__ import annotations

import re

from gfactor.lazy import lazy_pattern
from gfactor.scoring.extraction.candidates import ReadingTask
from gfactor.scoring.extraction.factuality import (
    HEDGE,
    NEGATION,
    REJECTED,
    Sentences,
    sentences_in,
)
from gfactor.scoring.extraction.markers import expressions, finder
from gfactor.scoring.extraction.trailing import named_in


def is_declining(text: str, task: ReadingTask) -> bool:
    """Return True if words of a refusal stand in a sentence that names no option; in one that does,
    they say what the picture lacks: "there are no wrinkles, which rules out anger"."""
    if not finder("refusal").search(text):
        return False
    sentences = (text[start:end] for start, end in sentences_in(text))
    refused = [s for s in sentences if finder("refusal").search(_LACKS.sub(" ", s))]
    return bool(finder("declines").search(text)) or not all(named_in(s, task) for s in refused)


_LACKS = lazy_pattern(expressions("lacks"), re.IGNORECASE)
"""Words of a refusal that, beside no other, only say what a picture lacks."""


def is_doubtful(words: str, sentences: Sentences) -> bool:
    """Return True if words deny, reject, suppose or leave something open."""
    if _INTRODUCED.search(words):
        return True
    words = sentences.affirmed(words)
    return bool(
        NEGATION.search(words)
        or REJECTED.search(words)
        or HEDGE.search(words)
        or UNDECIDED.search(words)
        or _CALLED_WRONG.search(words)
        or finder("unreal").search(words)
        or finder("not_before").search(words)
        or finder("none").search(words)
    )


_CALLED_WRONG = lazy_pattern(expressions("all_wrong"), re.IGNORECASE)
_INTRODUCED = lazy_pattern(expressions("introduced"), re.IGNORECASE)
UNDECIDED = lazy_pattern(expressions("undecided"), re.IGNORECASE)
