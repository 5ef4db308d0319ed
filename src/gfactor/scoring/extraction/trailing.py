"""Text behind an answer that only supports it: sentences that deny other options, and a reason.

"You take Line 2. Line 4 does not stop there." "It is Portugal, as it borders on Spain."
"""

from __future__ import annotations

import re
from functools import cache

from gfactor.scoring.extraction.candidates import ReadingTask
from gfactor.scoring.extraction.factuality import NEGATION, REJECTED, last_sentence
from gfactor.scoring.extraction.markers import COMMA, expressions, finder, phrases
from gfactor.scoring.extraction.verdicts import groups_in

_MOST = 3
"""Number of sentences at the end that may only deny."""


def before_denials(text: str, task: ReadingTask) -> tuple[int, frozenset[str]]:
    """Return where the sentences begin that end a text and only deny other options, and the labels
    that they name; the length of the text if there are none."""
    end = len(text.rstrip())
    aside: set[str] = set()
    for _ in range(_MOST):
        begin = last_sentence(text[:end])
        sentence = text[begin:end]
        named = named_in(sentence, task)
        is_about_others = _others().match(sentence) and not groups_in(sentence, task)
        denies = named and "\n" not in text[begin - 1 : end] and _denies(sentence)
        if not begin or not (is_about_others or denies) or _goes_on(sentence):
            break
        aside |= named
        end = len(text[:begin].rstrip())
    return end, frozenset(aside)


def named_in(text: str, task: ReadingTask) -> set[str]:
    """Return the labels of the options that a text names by label or text."""
    named = {label for label, _, _ in task.texts.mentions(text)}
    return named | {label for group in groups_in(text, task) for label in group.labels}


def _denies(sentence: str) -> bool:
    return bool(NEGATION.search(sentence) or REJECTED.search(sentence))


def _goes_on(sentence: str) -> bool:
    """Return True if a sentence concludes or corrects something, or asks."""
    kinds = ("correction", "conclusion", "announce", "retraction")
    return "?" in sentence or any(finder(kind).search(sentence) for kind in kinds)


@cache
def _others() -> re.Pattern[str]:
    return re.compile(rf"\s*{phrases('others')}")


def before_reason(text: str) -> int:
    """Return where the reason begins that ends the last sentence; the text's length if none."""
    reason = _REASON.search(text, last_sentence(text))
    return reason.start() if reason else len(text)


_REASON = re.compile(
    rf"\s?[,;{COMMA}]\s?(?={expressions('because')})|\s(?={expressions('because_only')}(?!\w))",
    re.IGNORECASE,
)
