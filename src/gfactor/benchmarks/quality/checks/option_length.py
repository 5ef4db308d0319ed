"""Check of whether the length of an option gives the answer away."""

from __future__ import annotations

from gfactor.benchmarks.quality.bank_survey import Survey, SurveyedItem
from gfactor.benchmarks.quality.chance import AgainstChance, against_chance
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Finding

LEAST = 20
"""Least number of items for the test."""

ALPHA = 0.005
"""Level of each of the two tests."""


@register(
    "option_length", "is the longest (or shortest) option right more often than chance has it"
)
def check(survey: Survey) -> CheckOutcome:
    """Test, for items with text options of which one is longer (or shorter) than every other, how
    often it is the key."""
    items = [i for i in survey.items if i.answer_type == "choice" and _all_worded(i)]
    findings, measures = [], {}
    for word, sign in (("longest", 1), ("shortest", -1)):
        cue = _cue(items, sign)
        if cue is None:
            continue
        measures[word] = cue.to_dict()
        if cue.p < ALPHA and cue.share > cue.chance:
            sentence = f"The {word} option is right in {cue}."
            remedy = "Even out the options' lengths; whoever takes the {} earns that much."
            findings.append(
                Finding(
                    f"{word}_option_cue",
                    "warning",
                    sentence,
                    remedy.format(word),
                    values=cue.to_dict(),
                )
            )
    return CheckOutcome(len(items), tuple(findings), measures)


def _all_worded(item: SurveyedItem) -> bool:
    return len(item.options) > 1 and all(option.text for option in item.options)


def _cue(items: list[SurveyedItem], sign: int) -> AgainstChance | None:
    right, options = 0, []
    for item in items:
        lengths = {o.label: sign * len((o.text or "").strip()) for o in item.options}
        most = max(lengths.values())
        at = [label for label, length in lengths.items() if length == most]
        if len(at) == 1:
            options.append(len(lengths))
            right += at[0] == item.target
    return against_chance(right, options) if len(options) >= LEAST else None
