"""Position of the right answer: whether all positions are equally frequent."""

from __future__ import annotations

from collections import Counter
from typing import Any

from scipy import stats

from gfactor.benchmarks.quality.bank_survey import Survey
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Finding
from gfactor.numbers_in_text import p_value
from gfactor.psychometrics import wilson

EXPECTED = 5
"""Least number of items expected in each position for Pearson's chi-square (Cochran 1952)."""

ALPHA = 0.01
"""Level of the family of tests, one per number of options (Bonferroni)."""


@register("answer_positions", "how often each place holds the right answer (chi-square)")
def check(survey: Survey) -> CheckOutcome:
    """Test the positions of the key by Pearson's chi-square against equal shares, separately for
    each number of options."""
    positions: dict[int, Counter[int]] = {}
    for item in survey.items:
        labels = [option.label for option in item.options]
        if item.answer_type == "choice" and len(labels) > 1 and item.target in labels:
            positions.setdefault(len(labels), Counter())[labels.index(item.target)] += 1
    tested = [k for k, counts in positions.items() if counts.total() >= EXPECTED * k]
    findings, rows = [], []
    for k, counts in sorted(positions.items()):
        observed = [counts[position] for position in range(k)]
        n = sum(observed)
        row: dict[str, Any] = {"options": k, "n": n, "counts": observed}
        rows.append(row)
        if k not in tested:
            continue
        chi2, p = (float(x) for x in stats.chisquare(observed))
        top = max(range(k), key=lambda position: (observed[position], -position))
        low, high = (float(end) for end in wilson(observed[top], n))
        row |= {"chi2": round(chi2, 4), "df": k - 1, "p": float(f"{p:.6g}")}
        row |= {"most_frequent": top + 1, "share": round(observed[top] / n, 6)}
        row |= {"low": round(low, 6), "high": round(high, 6)}
        if p * len(tested) < ALPHA:
            sentence = (
                f"Of {n:,} items with {k} options, the right one stands in place {top + 1} in "
                f"{observed[top] / n:.1%} (95 % interval {low:.1%} to {high:.1%}; equal shares "
                f"would be {1 / k:.1%}; chi-square({k - 1}) = {chi2:.1f}, p {p_value(p, '= ')})."
            )
            remedy = (
                "Permute the options at administration (options_seed), or compare with "
                "baseline:most."
            )
            findings.append(
                Finding("answer_positions", "warning", sentence, remedy, values={**row})
            )
    return CheckOutcome(
        sum(c.total() for c in positions.values()), tuple(findings), {"positions": rows}
    )
