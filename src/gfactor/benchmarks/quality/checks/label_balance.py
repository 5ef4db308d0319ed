"""Labels whose values have very different numbers of items, and the loss of precision."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from gfactor.benchmarks.quality.bank_survey import Survey
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Finding

RATIO = 10
"""Largest to smallest value from which a label counts as unbalanced."""

VALUES = 50
"""Largest number of values of a label to report by; more of them identify items or pieces of
knowledge."""


@register("label_balance", "labels whose values have very different numbers of items")
def check(survey: Survey) -> CheckOutcome:
    """Measure the balance of word labels with 2 to 50 values; evenness is their entropy divided by
    that of equal shares."""
    counts: dict[str, Counter[str]] = {}
    for item in survey.items:
        for name, value in item.labels.items():
            if isinstance(value, str):
                counts.setdefault(name, Counter())[value] += 1
    findings, rows = [], {}
    for name, values in counts.items():
        if not 2 <= len(values) <= VALUES or values.total() < 5 * len(values):
            continue
        row = _row(values)
        rows[name] = row
        if row["largest_n"] >= RATIO * row["smallest_n"]:
            # The widest 95 % interval of a share, at one half.
            half = 1.96 * 0.5 / math.sqrt(row["smallest_n"] + 1.96**2)
            sentence = (
                f"Label {name!r}: {row['largest']!r} has {row['largest_n']:,} items and "
                f"{row['smallest']!r} {row['smallest_n']:,} (n = {row['n']:,}, evenness "
                f"{row['evenness']:.2f}); on the smallest the 95 % interval of an accuracy of one "
                f"half is {half:.0%} either way."
            )
            remedy = "Report it with its interval, average values and not items, or add items."
            findings.append(
                Finding("unbalanced_label", "note", sentence, remedy, values={"label": name, **row})
            )
    return CheckOutcome(len(survey.items) if rows else 0, tuple(findings), {"labels": rows})


def _row(values: Counter[str]) -> dict[str, Any]:
    n = values.total()
    ordered = sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))
    entropy = -sum(c / n * math.log(c / n) for _, c in ordered)
    return {
        "n": n,
        "values": len(values),
        "largest": ordered[0][0],
        "largest_n": ordered[0][1],
        "smallest": ordered[-1][0],
        "smallest_n": ordered[-1][1],
        "evenness": round(entropy / math.log(len(values)), 6),
    }
