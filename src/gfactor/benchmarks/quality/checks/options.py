"""Options that are empty or occur twice (MULTI, appendix E.2, semantic level)."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from gfactor.benchmarks.quality.bank_survey import Survey, SurveyedItem
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding
from gfactor.psychometrics.diagnostic import Severity

_SPACE = re.compile(r"\s+")


_KINDS: tuple[tuple[str, Severity, str, str], ...] = (
    (
        "empty_options",
        "error",
        "have an empty option",
        "Restore the option from the source, or drop the item.",
    ),
    (
        "ambiguous_options",
        "error",
        "offer the right answer twice, and count one of the two as wrong",
        "Correct the options, or accept both.",
    ),
    (
        "duplicate_options",
        "warning",
        "offer the same answer twice",
        "Replace one of the two; guessing is easier than the number of options says.",
    ),
)
"""Code, severity, sentence, and remedy."""


@register("options", "options that are empty or twice the same")
def check(survey: Survey) -> CheckOutcome:
    """Find empty options, and options that are equal up to spaces, noting if the right one is among
    them.

    Case and superscripts count: AA and Aa, 3² and 32 are different answers.
    """
    items = [item for item in survey.items if item.options and item.listed]
    empty = [
        Case((i.id,), f"option {', '.join(o.label for o in i.options if _is_empty(o.text))}")
        for i in items
        if any(_is_empty(o.text) for o in i.options)
    ]
    keyed, others = [], []
    for item in items:
        right = {item.target} if isinstance(item.target, str) else set(item.target or ())
        for labels in _equal(item):
            case = Case((item.id,), f"options {', '.join(labels)} are the same")
            # If both options are right or both wrong, no answer is scored by chance.
            (others if len(right & set(labels)) in (0, len(labels)) else keyed).append(case)
    findings = []
    for (code, severity, what, remedy), cases in zip(_KINDS, (empty, keyed, others), strict=True):
        left = survey.undecided("options", cases)
        if left:
            n = len({case.items for case in left})
            sentence = f"{n:,} of {len(items):,} items with listed options {what}."
            findings.append(Finding(code, severity, sentence, remedy, left, review=True))
    return CheckOutcome(len(items), tuple(findings))


def _is_empty(text: str | None) -> bool:
    return text is not None and not text.strip()


def _equal(item: SurveyedItem) -> Iterator[list[str]]:
    """Labels of options that are the same, a list for each such set; empty ones are left out."""
    pictured = iter(item.looks[len(item.looks) - sum(o.text is None for o in item.options) :])
    same: dict[str, list[str]] = defaultdict(list)
    for option in item.options:
        if option.text is None:
            look = next(pictured, None)
            key = f"picture {look.digest}" if look else f"picture of {option.label}"
        else:
            key = "text " + _SPACE.sub("", unicodedata.normalize("NFC", option.text))
        if not _is_empty(option.text):
            same[key].append(option.label)
    return (labels for labels in same.values() if len(labels) > 1)
