"""Right answers that are not among the options."""

from __future__ import annotations

from gfactor.benchmarks.loading import lettered_options
from gfactor.benchmarks.quality.bank_survey import Survey, SurveyedItem
from gfactor.benchmarks.quality.check import CheckOutcome, register
from gfactor.benchmarks.quality.finding import Case, Finding


@register("answers", "right answers that are not among the options")
def check(survey: Survey) -> CheckOutcome:
    """Find keys that name no option, an option without content, or an option that the text does not
    list.

    If options are only in a picture, an item has as many labels as its key needs, and the key
    cannot be checked; `measures` has the number of such items.
    """
    items = [i for i in survey.items if i.answer_type in ("choice", "choices")]
    cases = [Case((i.id,), flaw) for i in items if (flaw := _flaw(i))]
    pictured = sum(not i.listed and lettered_options(i.text) is None for i in items)
    left = survey.undecided("answers", cases)
    measures = {"options_in_pictures": pictured}
    if not left:
        return CheckOutcome(len(items), (), measures)
    finding = Finding(
        "answer_not_offered",
        "error",
        f"{len(left):,} of {len(items):,} choice items have a right answer that is not offered.",
        "Correct the key or the options, or drop the items.",
        left,
        review=True,
    )
    return CheckOutcome(len(items), (finding,), measures)


def _flaw(item: SurveyedItem) -> str:
    keys = [item.target] if isinstance(item.target, str) else list(item.target or ())
    if not keys:
        return "no key"
    offered = {option.label: option.text for option in item.options}
    if not item.listed:
        lettered = lettered_options(item.text)
        if lettered is None:
            return ""
        offered = dict(lettered.options)
        # An option of text and picture has no text after its label; the label is enough.
        offered = {label: text or None for label, text in offered.items()}
    for key in keys:
        if key not in offered:
            return f"key {key}, options {', '.join(offered)}"
        if offered[key] == "":
            return f"key {key} names an empty option"
    return ""
