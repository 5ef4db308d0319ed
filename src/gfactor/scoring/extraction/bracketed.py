"""An answer in brackets behind a sentence of its own words: "Answer: It floats (option B), so"."""

from __future__ import annotations

import re
from functools import cache

from gfactor.scoring.extraction.candidates import Task, Value
from gfactor.scoring.extraction.claims import OFFERED, STATED, Claim
from gfactor.scoring.extraction.factuality import REJECTED, Sentences
from gfactor.scoring.extraction.markers import LETTER, finder, phrases
from gfactor.scoring.extraction.values import ends_here, or_follows
from gfactor.scoring.extraction.verdicts import HEDGE, groups_in

_MOST = 50
_LONGEST = 300


def find_bracketed(text: str, task: Task) -> list[Claim]:
    """The one option in brackets, with a word for an option, in the sentence behind a heading.

    Nothing where a label or another option's text stands before it, where the sentence denies,
    asks or supposes, or where a second option stands in brackets.
    """
    claims: list[Claim] = []
    sentences = Sentences(text)
    for match in list(_headed().finditer(text))[-_MOST:]:
        start = match.end()
        stop = _stop(text, start)
        brackets = list(_bracket().finditer(text, start, stop))
        if len(brackets) != 1 or OFFERED.search(match[0]):
            continue
        bracket = brackets[0]
        before = text[start : bracket.start()]
        label = bracket[1].upper()
        if (
            label not in task.grammar.labels
            or groups_in(before, task)
            or any(other != label for other, _, _ in task.texts.mentions(before))
            or any(finder(kind).search(before) for kind in ("unreal", "not_before", "none"))
            or REJECTED.search(before)
            or HEDGE.search(before)
            or not ends_here(text, bracket.end())
            or or_follows(text, bracket.end())
            or sentences.is_asked(bracket.end())
        ):
            continue
        value = Value(frozenset({label}), "", bracket.start(), bracket.end())
        claims.append(Claim(value, STATED, "bracketed", match.start()))
    return claims


def _stop(text: str, start: int) -> int:
    end = re.compile(r"[.!?](?=\s)|[。\n]").search(text, start, start + _LONGEST)
    return end.end() if end else min(len(text), start + _LONGEST)


@cache
def _headed() -> re.Pattern[str]:
    return re.compile(rf"(?<![{LETTER}]){phrases('heading')}\s?:\s?")


@cache
def _bracket() -> re.Pattern[str]:
    return re.compile(rf"[(\[]\s?{phrases('option')}\s*([A-Za-z])\s?[)\]]")
