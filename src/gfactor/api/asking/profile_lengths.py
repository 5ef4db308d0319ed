"""Least numbers of answers of a profile: as many of each ability as a claim takes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from gfactor.api.inputs.calls import option
from gfactor.errors import ParameterError
from gfactor.psychometrics.irt.adaptive import StopRule
from gfactor.psychometrics.irt.checks.claim_lengths import HALF
from gfactor.psychometrics.irt.scales.calibration import Calibration

CLAIM_ITEMS = 80
"""Answers to an ability after which half or more of the calibrated population get a claim in four
of the six shipped abilities; half as many more add little (docs/evidence/benchmarks.md)."""


def answers_for_claims(calibrations: Mapping[str, Calibration], rule: StopRule) -> dict[str, int]:
    """Return the least number of answers of the abilities of which a claim can be made.

    That is `CLAIM_ITEMS`, or an equal share of the rule's `max_items` if this is less. Abilities
    with a single family are left out: no number of answers shows that one ability explains them. A
    rule with a cut score or a fall of the standard error is made to end early, and has none.

    Examples
    --------
    >>> from gfactor.benchmarks.chc.shipped import shipped_calibrations
    >>> known = shipped_calibrations(["EF", "Gl"])
    >>> answers_for_claims(known, StopRule(se=0.4, max_items=50))
    {'EF': 25, 'Gl': 25}
    >>> answers_for_claims(known, StopRule(cut=0.0, max_items=50))
    {}
    """
    enough = 0 if rule.cut is not None or rule.se_change is not None else CLAIM_ITEMS
    if rule.max_items is not None:
        enough = min(enough, rule.max_items // len(calibrations))
    testable = [name for name, one in calibrations.items() if len(calibrated_families(one)) > 1]
    return dict.fromkeys(testable, enough) if enough else {}


def check_counts(least: int, most: int, abilities: Sequence[str]) -> None:
    """Raise ParameterError if the least number of answers for every ability needs more items than
    an examinee may be asked."""
    needed = least * len(abilities)
    if needed <= most:
        return
    every, fewer = "", ""
    if len(abilities) > 1:
        every = f" for each of the {len(abilities)} abilities ({', '.join(abilities)})"
        fewer = f", or measure fewer abilities ({option('abilities')})"
    raise ParameterError(
        f"at least {least} answers{every} need {needed} items, but at most {most} are asked: "
        f"raise {option('max_items')} or lower {option('min_items')}{fewer}"
    )


def calibrated_families(calibration: Calibration) -> set[str]:
    """Return the families of a calibration by design."""
    labels = [entry.facts.get("labels") or {} for entry in calibration.entries]
    return {str(one["family"]) for one in labels if "family" in one}


def lengths_in_words(rows: Sequence[Mapping[Any, Any]]) -> str:
    """Return sentences on the numbers of answers that make a claim likely, or do not.

    `rows` are rows of a profile's abilities without a claim.
    """
    simulated = [row for row in rows if not math.isnan(row["claim_share"])]
    enough = ", ".join(
        f"{row['claim_items']} answers ({row['ability']})"
        for row in simulated if row["claim_share"] >= HALF
    )  # fmt: skip
    first = (
        " Half or more of the examinees who fit the calibration get a claim after about "
        f"{enough}." if enough else ""
    )  # fmt: skip
    return first + "".join(
        f" {row['ability']}: even after {row['claim_items']} answers, "
        f"{100 * row['claim_share']:.0f} % of those who fit get one."
        for row in simulated if row["claim_share"] < HALF
    )  # fmt: skip
