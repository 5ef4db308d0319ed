"""Items that ask the same: the same words, the same options, the same pixels.

MM-IQ (section 3.1) finds pictures with the same MD5 sum and removes those with the same text. This
check compares pixels, so that two encodings of one picture are equal, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from gfactor.benchmarks.quality.bank_survey import Survey, SurveyedItem
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
    groups: dict[object, list[SurveyedItem]] = defaultdict(list)
    items = [item for item in survey.items if not item.generated]
    for item in items:
        offered = tuple(o.text for o in item.options)
        groups[item.words, offered, tuple(look.digest for look in item.looks)].append(item)
    same = [group for group in groups.values() if len(group) > 1]
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
    return one.target == other.target


def _shared_pictures(items: Sequence[SurveyedItem]) -> int:
    """Count the pictures that stand in several items; no fault if these ask different things."""
    holders: dict[str, set[str]] = defaultdict(set)
    for item in items:
        for look in item.looks:
            holders[look.digest].add(item.id)
    return sum(len(ids) > 1 for ids in holders.values())
