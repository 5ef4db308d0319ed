"""Items that ask the same: the same words, the same options, the same pixels.

MM-IQ (section 3.1) finds pictures with the same MD5 sum and removes those with the same text. This
check compares pixels, so that two encodings of one picture are equal, too.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from gfactor.benchmarks.quality.bank_survey import (
    Survey,
    SurveyedItem,
    groups_asking_the_same,
)
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding
from gfactor.psychometrics.diagnostic import Severity

_KINDS: tuple[tuple[str, Severity, str, bool, str], ...] = (
    (
        "conflicting_keys",
        "error",
        "ask the same as an earlier item and have another key",
        False,
        "Find out which key is right and drop the other item.",
    ),
    (
        "identical_items",
        "warning",
        "ask the same as an earlier item",
        True,
        "Drop them: they count an answer twice.",
    ),
)
"""Code, severity, sentence, whether the keys are the same, and remedy."""


@register("identical_items", "items with the same words, options and pixels")
def check(survey: Survey) -> CheckOutcome:
    """Find pairs of items with the same content, and among them those whose keys differ.

    Generated items are compared by the audit itself, which knows their scenes.
    """
    items = [item for item in survey.items if not item.generated]
    same = groups_asking_the_same(items)
    shared = _shared_pictures(items)
    findings = []
    for code, severity, what, wanted, remedy in _KINDS:
        cases = [
            Case((group[0].id, other.id), what)
            for group in same
            for other in group[1:]
            if _same_key(group[0], other) is wanted
        ]
        left = survey.undecided("identical_items", cases)
        if left:
            sentence = f"{len(left):,} of {len(items):,} items {what}."
            findings.append(Finding(code, severity, sentence, remedy, left, review=True))
    return CheckOutcome(len(items), tuple(findings), {"pictures_with_several_items": shared})


def _same_key(one: SurveyedItem, other: SurveyedItem) -> bool:
    """Return True if the keys are equal, for texts also if they are one number: 40.0 and 40,0."""
    if one.target == other.target:
        return True
    if not one.answer_type == other.answer_type == "blanks":
        return False
    keys, others = list(one.target or ()), list(other.target or ())
    return len(keys) == len(others) and all(map(_one_number, keys, others))


def _one_number(key: str, other: str) -> bool:
    return key == other or ((value := _value(key)) is not None and value == _value(other))


def _value(key: str) -> Decimal | None:
    """Return the value of a key that is digits with at most one decimal sign, else None."""
    plain = _DIGITS.fullmatch(key.strip())
    return (
        None
        if plain is None or _THOUSANDS.fullmatch(key.strip().lstrip("+-"))
        else Decimal(key.strip().replace(",", "."))
    )


_DIGITS = re.compile(r"[-+]?\d+(?:[.,]\d+)?")
_THOUSANDS = re.compile(r"[1-9]\d{0,2},\d{3}")


def _shared_pictures(items: Sequence[SurveyedItem]) -> int:
    """Count the pictures that stand in several items; no fault if these ask different things."""
    holders: dict[str, set[str]] = defaultdict(set)
    for item in items:
        for look in item.looks:
            holders[look.digest].add(item.id)
    return sum(len(ids) > 1 for ids in holders.values())
