"""Check of whether the length of an option gives the answer away."""

from __future__ import annotations

from gfactor.benchmarks.quality.bank_survey import Survey, SurveyedItem
from gfactor.benchmarks.quality.chance import AgainstChance, against_chance
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding

LEAST = 20
"""Least number of items for the test."""

ALPHA = 0.005
"""Level of each of the two tests."""

TIMES, MORE = 2, 15
"""An option stands out if it has so many times the characters of the next longest, and so many
more: "an orange curve that rises until noon" among colors does, "violet" among them does not."""


@register(
    "option_length", "is the longest (or shortest) option right more often than chance has it"
)
def check(survey: Survey) -> CheckOutcome:
    """Test, for items with text options of which one is longer (or shorter) than every other, how
    often it is the key; name the items whose key alone is far longer than all other options."""
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
    findings += _standing_out(survey, items)
    return CheckOutcome(len(items), tuple(findings), measures)


def _standing_out(survey: Survey, items: list[SurveyedItem]) -> list[Finding]:
    """Find the items whose key is the only long option, and the number expected by chance."""
    cases, expected, outliers = [], 0.0, 0
    for item in items:
        lengths = {option.label: len((option.text or "").strip()) for option in item.options}
        second, first = sorted(lengths.values())[-2:]
        if first < TIMES * second or first < second + MORE:
            continue
        outliers += 1
        expected += 1 / len(lengths)
        if lengths.get(str(item.target)) == first:
            cases.append(
                Case((item.id,), f"the key has {first} characters, no other over {second}")
            )
    left = survey.undecided("option_length", cases)
    if not left:
        return []
    several = outliers != 1
    sentence = (
        f"{outliers:,} item{'s' * several} {'have' if several else 'has'} one option at least "
        f"{TIMES} times as long as any other; it is the key in {len(cases):,} (by chance in "
        f"{expected:.1f})."
    )
    remedy = "Even out the options' lengths: one that stands out is chosen without the question."
    values = {"items": outliers, "keys": len(cases), "expected": round(expected, 4)}
    return [Finding("key_stands_out", "note", sentence, remedy, left, True, values)]


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
