"""Bold parts of a reply, by their places in the cleaned text."""

from __future__ import annotations

import re
from collections.abc import Callable

from gfactor.scoring.extraction.normalize import Cleaned, with_fractions

IsBold = Callable[[int, int], bool]
"""Return True if the letters between two positions of the cleaned text are bold in the reply."""

BOLD = re.compile(r"(\*\*|__)(?P<inside>[^*_\n]{1,100}?)\1")
"""A short bold text of a line of Markdown."""


def bold_in(cleaned: Cleaned) -> IsBold:
    """Return a function that says whether a part of the cleaned text is bold in the reply."""
    spans = [
        cleaned.reply.span(m.start("inside"), m.end("inside"))
        for m in _BOLD.finditer(cleaned.reply.text)
    ]
    prose = with_fractions(cleaned.prose)

    def is_bold(start: int, end: int) -> bool:
        letters = [k for k in range(start, end) if prose.text[k].isalnum()]
        edges = [prose.origin[k] for k in (letters[:1] + letters[-1:])]
        return bool(edges) and all(any(s <= at < e for s, e in spans) for at in edges)

    return is_bold


_BOLD = re.compile(r"(\*\*|__|<b>)(?=\S)(?P<inside>[^*_<\n]{1,200}?)(?<=\S)(?:\*\*|__|</b>)")
