"""Items without a question in words."""

from __future__ import annotations

from gfactor.benchmarks.quality.bank_survey import Survey
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding


@register("questions", "items without a question in words")
def check(survey: Survey) -> CheckOutcome:
    """Find items that show their pictures alone.

    It is a warning where other items have words, so that a cell may be empty by mistake, and a note
    where none has any, as in a matrix test.
    """
    items = [item for item in survey.items if not item.generated]
    cases = [Case((item.id,), "pictures alone") for item in items if not item.text.strip()]
    left = survey.undecided("questions", cases)
    if not left:
        return CheckOutcome(len(items))
    every = len(cases) == len(items)
    finding = Finding(
        "no_question",
        "note" if every else "warning",
        f"{len(left):,} of {len(items):,} items have no question in words.",
        "An examinee is shown pictures and options alone; look whether the pictures ask.",
        left,
        review=not every,
    )
    return CheckOutcome(len(items), (finding,))
