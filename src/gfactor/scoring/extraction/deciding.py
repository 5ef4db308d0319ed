"""From claims to one answer: the last firm statement wins; a contradiction is not an answer."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from gfactor.scoring.extraction.candidates import ReadLabels
from gfactor.scoring.extraction.claims import CONTRAST, MARKED, STATED, Claim
from gfactor.scoring.extraction.markers import COMMA, LATIN, STOP, expressions, finder, phrases
from gfactor.scoring.extraction.refusal import COMPLETE
from gfactor.scoring.extraction.signs import BULLETS


def decide(claims: list[Claim], text: str, wrong: dict[str, int]) -> Claim | None:
    """Return the claim that is valid at the end of the reply; None if there is no claim.

    Its value may have `trouble`. A claim replaces an earlier, different one if a correction
    ("wait", "actually") or a conclusion ("therefore") stands between them, or if it is made more
    firmly. A hint replaces a statement only after a correction. Two different statements with
    neither word between them are a contradiction.
    """
    standing: Claim | None = None
    for claim in _one_per_position(claims):
        standing = claim if standing is None else _after(standing, claim, text)
    if standing is None or standing.value.trouble:
        return standing
    rest = text[standing.end :]
    if finder("retraction").search(rest):
        return _troubled(standing, "retracted")
    if not COMPLETE.search(rest) and _doubt().search(rest):
        return _troubled(standing, "truncated")
    if _replaced(standing, rest, wrong):
        return _troubled(standing, "contradiction")
    if _also().search(rest):
        return _troubled(standing, "ambiguous")
    if any(wrong.get(label, -1) >= standing.end for label in standing.value.labels):
        return _troubled(standing, "contradiction")
    return standing


def _replaced(standing: Claim, rest: str, wrong: dict[str, int]) -> bool:
    """Return True if a correction after the answer names another label, in any words."""
    for match in finder("correction").finditer(rest):
        if CONTRAST.fullmatch(match[0].strip()):
            continue
        named = _NAMED.match(rest, match.end())
        if named and not {named[1]} & ({*standing.value.labels} | {*wrong}):
            return True
    return False


_NAMED = re.compile(
    rf"[^.!?{STOP}\n]{{0,30}}?(?<![A-Za-z\u00c0-\u024f0-9'])([A-HJ])(?![A-Za-z\u00c0-\u024f0-9'])(?!\s[a-z\u00e0-\u00ff]{{3}})"
)
"""A label near the beginning of a sentence that is neither an article ("A closer look") nor "I"."""


@cache
def _doubt() -> re.Pattern[str]:
    """A further sentence that begins with a correction."""
    return re.compile(rf"[.!?{STOP}\n]\s*(?:\w+,?\s)?{phrases('correction')}")


@cache
def _also() -> re.Pattern[str]:
    """Words after an answer which say that another may be right as well: "but it could also be
    C"."""
    return re.compile(
        rf"{expressions('may_be_too')}\s*{expressions('article_spaced')}?"
        rf"[(\[]?[A-Z](?![{LATIN}'])|(?<![{LATIN}])[A-Z]{expressions('may_be_behind')}",
        re.IGNORECASE,
    )


def _one_per_position(claims: list[Claim]) -> list[Claim]:
    """The claims in order; if answers overlap in the text, the firmest of them."""
    firmest: list[Claim] = []
    for claim in sorted(claims, key=lambda c: (c.value.start, c.value.end)):
        if firmest and claim.value.start < firmest[-1].value.end:
            # The last line of a list that an announcement begins: "I choose A and\nC".
            is_part = claim.rule == "last line" and claim.value.labels < firmest[-1].value.labels
            if claim.strength > firmest[-1].strength and not is_part:
                firmest[-1] = claim
        else:
            firmest.append(claim)
    return firmest


def _after(standing: Claim, claim: Claim, text: str) -> Claim:
    """The claim that is valid after `claim` has been made too."""
    old, new = standing.value, claim.value
    if old.labels == new.labels and old.trouble == new.trouble:
        return replace(claim, strength=max(standing.strength, claim.strength))
    between = text[standing.end : claim.end]
    corrected = bool(finder("correction").search(between)) or claim.rule == "correction"
    if claim.strength < STATED <= standing.strength and not corrected:
        return standing
    if new.trouble and not old.trouble and not corrected and claim.strength < MARKED:
        return _troubled(claim, new.trouble)
    concluded = finder("conclusion").search(between) and not _is_same_heading(standing, claim, text)
    is_next = claim.rule == "last line" and _joins().fullmatch(text, standing.end, new.start)
    if corrected or concluded or old.trouble:
        return claim
    if claim.strength > standing.strength and not is_next:
        return claim
    return _troubled(claim, "contradiction")


@cache
def _joins() -> re.Pattern[str]:
    """Pattern of the text between an answer and a last line that names another: nothing, or
    "and"."""
    return re.compile(
        rf"[\s\-{BULLETS}*]*(?:{phrases('both')}|{phrases('either')}|[,;&{COMMA}])?[\s\-{BULLETS}*]*"
    )


def _is_same_heading(standing: Claim, claim: Claim, text: str) -> bool:
    """Return True if the same words precede both answers: "Final answer: A", "Final answer: C"."""
    one, other = (text[c.start : c.value.start].casefold().split() for c in (standing, claim))
    return bool(one) and one == other


def _troubled(claim: Claim, trouble: str) -> Claim:
    value = ReadLabels(claim.value.labels, trouble, claim.value.start, claim.value.end)
    return replace(claim, value=value)
