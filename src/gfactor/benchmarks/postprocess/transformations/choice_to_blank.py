"""Single choice to a blank: the options are removed, and the right one's text is the answer.

"We randomly modify the questions such as from single-choice to blank-filling" (MULTI, appendix
E.3); `--share` gives the proportion.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gfactor.benchmarks.postprocess.marks import STATEMENT
from gfactor.benchmarks.postprocess.transformation import register, revised
from gfactor.items import Image, Item
from gfactor.items.gaps import BLANK

LONGEST = 20
"""Largest number of characters of an answer, so that all people write it the same way."""

_ABOUT_OPTIONS = re.compile(
    r"(?i)下列|下面|以下|上述|哪|不正确|选项|\bwhich\b|\bfollowing\b|\bexcept\b|\bbest\b|\bmost\b|"
    r"\boptions?\b|\bnot\b"
)
_ABOUT_OTHERS = re.compile(r"(?i)以上|上述|\babove\b|\bboth\b|\bneither\b|^[A-Z](?:\W+[A-Z])+$")


@register(
    "choice-to-blank", "Turn a single choice whose question has one blank into filling it in."
)
def choice_to_blank(item: Item) -> Sequence[Item]:
    """Turn the choice into a question with a blank; None if the question needs its options.

    Applies to questions with exactly one blank ([MASK], a line, empty brackets), at least three
    texts as options, a right option of at most 20 characters, and no word that refers to the
    options ("which of the following", 下列).
    """
    if item.answer_type != "choice" or not isinstance(item.target, str) or item.accepted:
        return ()
    texts = {c.label: c.content for c in item.choices}
    if len(texts) < 3 or any(isinstance(t, Image) or not t.strip() for t in texts.values()):
        return ()
    words = [str(text).strip() for text in texts.values()]
    right = str(texts.get(item.target, "")).strip()
    if not right or len(right) > LONGEST or "\n" in right or words.count(right) != 1:
        return ()
    if any(
        _ABOUT_OTHERS.search(word) or not STATEMENT.sub("", word).strip("、,， ") for word in words
    ):
        return ()
    if len(BLANK.findall(item.text)) != 1 or _ABOUT_OPTIONS.search(item.text):
        return ()
    return (revised(item, choices=(), answer_type="blanks", target=(right,)),)
