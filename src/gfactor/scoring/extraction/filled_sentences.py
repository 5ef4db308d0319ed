"""Texts of blanks in a reply that repeats the item's sentence with its blanks filled in."""

from __future__ import annotations

import re

from gfactor.scoring.extraction.blank_texts import first_name
from gfactor.scoring.extraction.normalize import clean
from gfactor.scoring.extraction.result import Extraction, extracted

_BLANK = re.compile(r"_{2,}|\(\s*\)|\[\s*\]|\.{4,}")
_QUOTED = re.compile(r"\"([^\"\n]*(?:_{2,}|\(\s*\))[^\"\n]*)\"")
SET_APART = frozenset(("json", "tag", "boxed", "heading", "named", "named lines", "result line"))
"""Rules whose texts stand where the reply puts its answer."""
_FEWEST = 2
"""Number of words that the sentence must have beside its blanks."""
_LONGEST = 60


def read_filled(text: str, question: str, count: int) -> Extraction | None:
    """Return the texts that fill the blanks of the question's sentence in a reply; None if the
    reply does not repeat it once, with other words in their places.

    Parameters
    ----------
    text: the reply.
    question: the question, in which `count` blanks stand as lines or empty brackets.
    count: number of blanks of the item.
    """
    sentence_of_item = clean(question).reply.text
    quoted = _QUOTED.search(sentence_of_item)
    sentences = [quoted[1]] if quoted else sentence_of_item.split("\n")
    candidates = [one for one in sentences if len(_BLANK.findall(one)) == count]
    if len(candidates) != 1:
        return None
    parts = [" ".join(part.split()) for part in _BLANK.split(candidates[0].strip(" .\n"))]
    if len(re.findall(r"\w{2,}", " ".join(parts))) < _FEWEST:
        return None
    if not all(parts[1:-1]) or not (parts[0] or parts[-1]):
        return None
    prose = clean(text).prose
    gap = rf"\s?(?P<gap>[^\n_.;:?]{{1,{_LONGEST}}}?)\s?"
    words = [r"\s+".join(map(re.escape, part.split())) for part in parts]
    body = "".join(
        word + (gap.replace("gap", f"gap{k}") if k < count else "") for k, word in enumerate(words)
    )
    end = r"(?=[.!\n\"]|$)" if not parts[-1] else ""
    matches = list(re.finditer(body + end, prose.text, re.IGNORECASE))
    if len(matches) != 1:
        return None
    texts = tuple(first_name(matches[0][f"gap{k}"].strip(" \"'*,")) for k in range(count))
    if not all(texts):
        return None
    return extracted(texts, "filled sentence", prose.span(*matches[0].span()))
