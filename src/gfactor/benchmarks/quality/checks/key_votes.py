"""Check of whether most examinees chose the same option, which is not the key."""

from __future__ import annotations

from gfactor.benchmarks.quality.bank_survey import Survey
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding
from gfactor.psychometrics.classical.key_votes import LEAST, OUTVOTED_KEY, REMEDY, outvoted_keys


@register("key_votes", "most examinees chose the same option, which is not the key")
def check(survey: Survey) -> CheckOutcome:
    """Find keys that most examinees reject, where a journal has answers of 5 or more.

    `measures` has the number of items that would be listed if everybody guessed.
    """
    items = [i for i in survey.items if i.answer_type == "choice" and i.options]
    keys = {i.id: str(i.target) for i in items}
    votes = {i: of_item for i, of_item in survey.votes.items() if i in keys}
    key_votes = outvoted_keys(votes, keys, {i.id: len(i.options) for i in items})
    few = len(votes) - key_votes.n_items
    untested = f"{few} with fewer than {LEAST} readable choices" if few else ""
    measures = {"expected": round(key_votes.expected, 6)}
    cases = [Case((one.item,), one.sentence) for one in key_votes.outvoted]
    left = survey.undecided("key_votes", cases)
    if not left:
        return CheckOutcome(key_votes.n_items, (), measures, untested)
    sentence = (
        f"On {len(left):,} of {key_votes.n_items:,} items, most chose the same option, which is "
        f"not the key. {key_votes.by_chance}"
    )
    finding = Finding(OUTVOTED_KEY, "warning", sentence, REMEDY, left, True, measures)
    return CheckOutcome(key_votes.n_items, (finding,), measures, untested)
