"""Check of whether nearly all examinees of a journal are right, or wrong, on an item."""

from __future__ import annotations

from gfactor.benchmarks.quality.bank_survey import Survey
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding
from gfactor.psychometrics.classical.key_votes import LEAST

NEARLY_ALL = 0.9
"""Least share of the choices that are right, or wrong, for an item to be listed."""


@register("near_constant", "nearly all examinees are right, or wrong, on the same item")
def check(survey: Survey) -> CheckOutcome:
    """List single-choice items that hardly tell examinees apart, where a journal has readable
    choices of 5 or more."""
    items = [i for i in survey.items if i.answer_type == "choice" and i.options]
    tested = 0
    cases: dict[str, list[Case]] = {"right": [], "wrong": []}
    for item in items:
        votes = survey.votes.get(item.id, {})
        n, right = sum(votes.values()), votes.get(str(item.target), 0)
        if n < LEAST:
            continue
        tested += 1
        for word, count in (("right", right), ("wrong", n - right)):
            if count >= NEARLY_ALL * n:
                cases[word].append(Case((item.id,), f"{count:,} of {n:,} {word}"))
    measures = {f"nearly_all_{word}": len(those) for word, those in cases.items()}
    every = (*cases["wrong"], *cases["right"])
    if not every:
        return CheckOutcome(tested, (), measures)
    sentence = (
        f"At least {NEARLY_ALL:.0%} of the choices are right on {len(cases['right']):,} of "
        f"{tested:,} items, and wrong on {len(cases['wrong']):,}; these items hardly tell the "
        "examinees apart."
    )
    remedy = "Check the keys of those that are wrong; leave out the others for a shorter test."
    finding = Finding("near_constant_items", "note", sentence, remedy, every, values=measures)
    return CheckOutcome(tested, (finding,), measures)
